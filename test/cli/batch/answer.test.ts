import { describe, expect, it } from 'vitest';
import { emptyTally, LineAnswers, type Tally } from '../../../src/cli/batch/answer.ts';
import { compose } from '../../../src/composition/compose/compose.ts';
import { readSpecification } from '../../../src/document/read-specification.ts';
import { exactForm } from '../../../src/document/structure/normal-form.ts';
import { composeJson } from '../../../src/output/compose/json.ts';
import { fc } from '../../reference/properties.ts';
import { violations } from '../../output/schema.ts';

const OPTIONS = { flags: {}, work: {} };

const answer = (answers: LineAnswers, line: string, number = 1, tally: Tally = emptyTally()): string =>
  answers.answer(Buffer.from(line), number, tally);

const document = (mechanisms: readonly object[], more: object = {}): string =>
  JSON.stringify({ dpcompose: 1, target: { delta: '1e-6' }, mechanisms, ...more });

const parsed = (line: string): Record<string, unknown> => JSON.parse(line) as Record<string, unknown>;

// Adaptive tables are kept from question to question: these are the answers that others could change.
const LINES = [
  document([{ type: 'dp', epsilon: '0.1', count: 100 }]),
  document([{ type: 'exponential', epsilon: '0.1', count: 5 }]),
  document([{ type: 'exponential', epsilon: '0.1', count: 5 }], { target: { delta: '1e-9' } }),
  document([{ type: 'exponential', epsilon: '0.1', count: 5 }], { target: { epsilon: '0.2' } }),
  document([{ type: 'exponential', epsilon: '0.1', count: 5 }], { id: 'again', name: 'named' }),
  document([
    { type: 'exponential', epsilon: '0.1', count: 2 },
    { type: 'exponential', epsilon: '0.2', count: 2 },
  ]),
  document([{ type: 'dp', epsilon: '0.1', delta: '1e-3' }]),
  document([{ type: 'dp', epsilon: -1 }]),
  document([{ type: 'dp', epsilon: '0.1' }], { adaptivity: 'parameters' }),
  '{',
];

describe('the answer to a line', () => {
  it('depends on nothing but the line', () => {
    const alone = LINES.map((line) => answer(new LineAnswers(OPTIONS), line));
    fc.assert(
      fc.property(fc.array(fc.nat(LINES.length - 1), { minLength: 1, maxLength: 12 }), (order) => {
        const answers = new LineAnswers(OPTIONS);
        for (const index of order) expect(answer(answers, LINES[index]!)).toBe(alone[index]);
      }),
      { numRuns: 25 },
    );
  });

  it('is what compose says', () => {
    for (const line of LINES.slice(0, 7)) {
      const read = readSpecification(line.replace('"id":"again",', ''));
      if (read.kind !== 'specification') throw new Error(JSON.stringify(read));
      const { specification } = read;
      const outcome = compose(specification, specification.target!);
      if (outcome.kind !== 'answer') throw new Error(outcome.refusal.code);
      const said = parsed(composeJson(outcome.answer, exactForm(specification), '0.1.0'));
      const { query, answer: claim, warnings } = parsed(answer(new LineAnswers(OPTIONS), line));
      expect({ query, claim, warnings }).toEqual({ query: said.query, claim: said.answer, warnings: said.warnings });
    }
  });

  it('is what its schema says, whatever comes', () => {
    const answers = new LineAnswers(OPTIONS);
    for (const line of [...LINES, '[]', '7', 'null', '{"id":{"x":[1.50,"\\u0041"]}}', '\u0000\u0001']) {
      expect(violations('batch', answer(answers, line))).toEqual([]);
    }
    expect(violations('batch', answers.answer(null, 3, emptyTally()))).toEqual([]);
    expect(violations('batch', answers.answer(new Uint8Array([0xff, 0x80]), 3, emptyTally()))).toEqual([]);
  });

  it('repeats the id as it was written, where there is one', () => {
    const answers = new LineAnswers(OPTIONS);
    const withId = (id: string): string => `{"id": ${id}, ${document([{ type: 'dp', epsilon: 1 }]).slice(1)}`;
    for (const id of ['1.50', '12345678901234567890', '"a\\nb"', 'null', 'true', '[1e2,{"x":0.10}]', '{}']) {
      expect(answer(answers, withId(id))).toContain(`"line":1,"id":${id},"query"`);
    }
    expect(parsed(answer(answers, LINES[0]!))).not.toHaveProperty('id');
    expect(answer(answers, '{"id":7,"dpcompose":2}')).toContain('"line":1,"id":7,"message"');
  });

  it('counts how the lines fared, and passes over blank ones', () => {
    const tally = emptyTally();
    const answers = new LineAnswers(OPTIONS);
    const texts = [...LINES, '', ' \t\r'].map((line, at) => answer(answers, line, at + 1, tally));
    expect(tally).toEqual({ answered: 7, warned: 1, refused: 1, wrong: 2 });
    expect(texts.slice(-2)).toEqual(['', '']);
    expect(texts.slice(0, -2).map((text) => parsed(text).line)).toEqual([...LINES.keys()].map((at) => at + 1));
  });

  it('places mistakes in the line of the input', () => {
    const { errors } = parsed(answer(new LineAnswers(OPTIONS), LINES[7]!, 42)) as { errors: object[] };
    expect(errors).toEqual([
      expect.objectContaining({ code: 'out-of-range', line: 42, path: 'mechanisms[0].epsilon' }),
    ]);
  });
});
