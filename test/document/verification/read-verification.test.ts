import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { VERIFY_EXAMPLES } from '../../../src/composition/attack/verify/examples/all.ts';
import { verifyJsonSchema } from '../../../src/document/published-schema.ts';
import { readVerification, type VerifyOverrides } from '../../../src/document/verification/read-verification.ts';
import { verifyNormalForm, type VerifyNormalForm } from '../../../src/document/verification/normal-form.ts';
import type { VerifyQuestion } from '../../../src/composition/attack/verify/question.ts';
import { sentence, summary } from '../helpers.ts';

const schema = verifyJsonSchema();
const conforms = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false }).compile(schema);

function questionOf(text: string, overrides?: VerifyOverrides): VerifyQuestion {
  const reading = readVerification(text, overrides);
  if (reading.kind === 'errors') throw new Error(reading.errors.map(sentence).join('\n'));
  return reading.question;
}

function errorsOf(text: string, overrides?: VerifyOverrides) {
  const reading = readVerification(text, overrides);
  return reading.kind === 'errors' ? reading.errors : [];
}

const coin = {
  dpcompose: 1,
  verify: {
    mechanism: {
      start: 's',
      transitions: [
        { from: 's', messages: ['0'], answer: 'a', probability: '1/3' },
        { from: 's', messages: ['0'], answer: 'b', probability: '2/3' },
        { from: 's', messages: ['1'], answer: 'a', probability: 0.5 },
        { from: 's', messages: ['1'], answer: 'b', probability: '0.5' },
      ],
    },
    verification: { start: 'first', allows: [{ from: 'first', pairs: [['0', '1']], to: 'end' }] },
  },
};

type Coin = typeof coin;

/** The document with one change. */
function changed(change: (document: Coin & Record<string, unknown>) => void): string {
  const document = structuredClone(coin) as Coin & Record<string, unknown>;
  change(document);
  return JSON.stringify(document);
}

describe('a document of a finite mechanism', () => {
  it('is read with its fractions as they are, and with every default filled in', () => {
    const question = questionOf(JSON.stringify(coin));
    expect(question.mechanism.transitions.map(({ probability }) => probability.toString())).toEqual([
      '1/3',
      '2/3',
      '1/2',
      '1/2',
    ]);
    expect(question.mechanism.transitions.map(({ to }) => to)).toEqual(['s', 's', 's', 's']);
    expect(question).toMatchObject({ name: null, copies: 1, sparsity: 1, rounds: null });
    expect(question.factors.map(String)).toEqual(['1']);
    expect(question.guarantee).toMatchObject({ delta: null });
  });

  it('is the same after its normal form', () => {
    for (const { question } of VERIFY_EXAMPLES.values()) {
      const text = JSON.stringify(verifyNormalForm(question));
      expect(verifyNormalForm(questionOf(text))).toEqual(verifyNormalForm(question));
    }
  });

  it('may be asked otherwise by what stands beside it', () => {
    const document = changed(({ verify }) => Object.assign(verify, { copies: 4, sparsity: 3, rounds: 2 }));
    expect(questionOf(document)).toMatchObject({ copies: 4, sparsity: 3, rounds: 2 });
    expect(questionOf(document, { copies: 2 })).toMatchObject({ copies: 2, sparsity: 2 });
    expect(questionOf(document, { sparsity: 0, rounds: 9 })).toMatchObject({ copies: 4, sparsity: 0, rounds: 9 });
  });

  it('conforms to the published JSON Schema, and so does every example', () => {
    expect(conforms(coin), JSON.stringify(conforms.errors)).toBe(true);
    for (const { question } of VERIFY_EXAMPLES.values()) {
      const document: VerifyNormalForm = verifyNormalForm(question);
      expect(conforms(document), JSON.stringify(conforms.errors)).toBe(true);
    }
  });

  it.each([
    ['no document', '[]', 'wrong-type document'],
    ['no version', changed((document) => delete (document as Partial<Coin>).dpcompose), 'missing-key dpcompose'],
    ['another version', changed((document) => (document.dpcompose = 2)), 'unsupported-version dpcompose'],
    ['a specification', '{"dpcompose":1,"mechanisms":[]}', 'missing-key verify'],
    ['an unknown key', changed(({ verify }) => Object.assign(verify, { round: 2 })), 'unknown-key verify.round'],
    [
      'an unknown key of a transition',
      changed(({ verify }) => Object.assign(verify.mechanism.transitions[1]!, { chance: 1 })),
      'unknown-key verify.mechanism.transitions[1].chance',
    ],
    [
      'a probability above 1',
      changed(({ verify }) => (verify.mechanism.transitions[0]!.probability = 1.5)),
      'out-of-range verify.mechanism.transitions[0].probability',
    ],
    [
      'a probability that is no number',
      changed(({ verify }) => (verify.mechanism.transitions[0]!.probability = '1/0')),
      'not-a-number verify.mechanism.transitions[0].probability',
    ],
    [
      'a probability with spaces',
      changed(({ verify }) => (verify.mechanism.transitions[0]!.probability = '1 / 3')),
      'not-a-number verify.mechanism.transitions[0].probability',
    ],
    [
      'a number as a message',
      changed(({ verify }) => (verify.mechanism.transitions[0]!.messages = [0 as unknown as string])),
      'wrong-type verify.mechanism.transitions[0].messages[0]',
    ],
    [
      'no messages',
      changed(({ verify }) => (verify.mechanism.transitions[0]!.messages = [])),
      'empty-list verify.mechanism.transitions[0].messages',
    ],
    [
      'a pair of three',
      changed(({ verify }) => (verify.verification.allows[0]!.pairs = [['0', '1', '0']])),
      'wrong-type verify.verification.allows[0].pairs[0]',
    ],
    ['no copies', changed(({ verify }) => Object.assign(verify, { copies: 0 })), 'out-of-range verify.copies'],
    ['too many copies', changed(({ verify }) => Object.assign(verify, { copies: 101 })), 'out-of-range verify.copies'],
    ['half a round', changed(({ verify }) => Object.assign(verify, { rounds: 1.5 })), 'not-whole verify.rounds'],
    [
      'an e^epsilon of 0',
      changed(({ verify }) => Object.assign(verify, { factors: [1, 0] })),
      'out-of-range verify.factors[1]',
    ],
    [
      'a claim below epsilon 0',
      changed(({ verify }) => Object.assign(verify, { guarantee: { factor: 0.5 } })),
      'out-of-range verify.guarantee.factor',
    ],
  ])('is not read with %s, nor does it conform to the schema', (_, text, error) => {
    expect(summary(errorsOf(text))).toContain(error);
    expect(conforms(JSON.parse(text))).toBe(false);
  });

  it.each([
    [
      'a quotient above 1 as a probability',
      changed(({ verify }) => (verify.mechanism.transitions[0]!.probability = '4/3')),
      'out-of-range verify.mechanism.transitions[0].probability',
      'probability must be a number from 0 to 1, got "4/3"',
    ],
    [
      'probabilities that do not sum to 1',
      changed(({ verify }) => (verify.mechanism.transitions[1]!.probability = '1/3')),
      'wrong-sum verify.mechanism.transitions[0].probability',
      'must sum to exactly 1, got 2/3',
    ],
    [
      'a start that is no state',
      changed(({ verify }) => (verify.mechanism.start = 't')),
      'unknown-name verify.mechanism.start',
      'nothing is said of the state "t"',
    ],
    [
      'a start that is no stage',
      changed(({ verify }) => (verify.verification.start = 'frist')),
      'unknown-name verify.verification.start',
      'Did you mean "first"?',
    ],
    [
      'a message that is not answered',
      changed(({ verify }) => (verify.verification.allows[0]!.pairs = [['0', '2']])),
      'missing-law verify.mechanism.transitions',
      'on the message "2", which may be sent there at the stage "first"',
    ],
    [
      'a pair that is allowed twice',
      changed(
        ({ verify }) =>
          (verify.verification.allows[0]!.pairs = [
            ['0', '1'],
            ['1', '0'],
            ['0', '1'],
          ]),
      ),
      'duplicate-pair verify.verification.allows[0].pairs[2]',
      'the pair ("0", "1") is allowed twice at the stage "first"',
    ],
    [
      'no end',
      changed(({ verify }) => (verify.verification.allows[0]!.to = 'first')),
      'missing-key verify.rounds',
      'pairs may be sent without end',
    ],
  ])('is not read with %s', (_, text, error, words) => {
    const errors = errorsOf(text);
    expect(summary(errors)).toEqual([error]);
    expect(sentence(errors[0]!)).toContain(words);
    expect(errors[0]!.line).toBe(1);
  });

  it('without an end needs a number of messages, from the document or beside it', () => {
    const endless = changed(({ verify }) => (verify.verification.allows[0]!.to = 'first'));
    expect(questionOf(endless, { rounds: 3 }).rounds).toBe(3);
  });

  it('has all its mistakes told at once, in the order of the text, each with its place', () => {
    const text = [
      '{ "dpcompose": 1,',
      '  "verify": {',
      '    "mechanism": { "start": "", "transitions": [',
      '      { "from": "s", "messages": ["0"], "answer": "a", "probability": 2 } ] },',
      '    "verification": { "start": "first", "alows": [] } } }',
    ].join('\n');
    expect(errorsOf(text).map(({ path, line }) => `${String(line)} ${path}`)).toEqual([
      '3 verify.mechanism.start',
      '4 verify.mechanism.transitions[0].probability',
      '5 verify.verification.allows',
      '5 verify.verification.alows',
    ]);
  });
});
