import { describe, expect, it } from 'vitest';
import { HALT, Identifier, Verifier, type Verification } from '../../../src/composition/attack/conversation.ts';
import {
  ExtConComp,
  Gate,
  GateAdversary,
  oneSparseParallel,
  type QueryPair,
} from '../../../src/composition/attack/gates.ts';
import { Xoshiro } from '../../../src/numeric/random.ts';
import { Rational } from '../../../src/numeric/rational.ts';

const M = new Gate(Rational.of(1, 10));

const create = (gate: Gate): QueryPair => [gate, gate];

const ask = (zero: string, one: string, index: number): QueryPair => [
  { message: zero, index },
  { message: one, index },
];

/** `T` for each message that is accepted, and the condition that the first one breaks which is not. */
function trace(messages: readonly QueryPair[]): string[] {
  const verification: Verification<QueryPair> = oneSparseParallel(
    ({ delta }) => delta.compare(Rational.of(1, 10)) <= 0,
  );
  const said: string[] = [];
  for (const message of messages) {
    const violation = verification(message);
    said.push(violation === null ? 'T' : `BOT, ${violation}`);
    if (violation !== null) break;
  }
  return said;
}

/** Two gates, of which the second receives different bits, and then the first. */
const ATTACK: readonly QueryPair[] = [
  create(M),
  create(M),
  ask('0', '0', 1),
  ask('0', '0', 2),
  ask('0', '1', 2),
  ask('0', '1', 1),
];

describe('messages to a concurrent composition (TC-41)', () => {
  it('ask nothing of a mechanism that was not created', () => {
    expect(trace([ask('0', '0', 1)])).toEqual(['BOT, Def 4.5 (ii)']);
    expect(trace([create(M), ask('0', '0', 2)])).toEqual(['T', 'BOT, Def 4.5 (ii)']);
    expect(trace([create(M), ask('0', '0', 0)])).toEqual(['T', 'BOT, Def 4.5 (ii)']);
  });

  it('create the same mechanism under both secret bits', () => {
    expect(trace([[M, new Gate(M.opens)]])).toEqual(['BOT, Def 4.5 (i)']);
    expect(trace([[M, ask('0', '0', 1)[0]]])).toEqual(['BOT, Def 4.5 (i)']);
    expect(trace([create(M), [ask('0', '0', 1)[0], M]])).toEqual(['T', 'BOT, Def 4.5 (i)']);
  });

  it('ask the same mechanism under both secret bits, something that it understands', () => {
    expect(trace([create(M), create(M), [ask('0', '0', 1)[0], ask('0', '0', 2)[1]]])).toEqual([
      'T',
      'T',
      'BOT, Def 4.5 (i)',
    ]);
    expect(trace([create(M), ask('0', 'no bit', 1)])).toEqual(['T', 'BOT, Def 4.5 (iii)']);
  });

  it('assert no guarantee that a created mechanism does not have', () => {
    expect(trace([create(new Gate(Rational.of(1, 9)))])).toEqual(['BOT, Def 4.5 (iv)']);
    expect(trace([create(new Gate(Rational.of(1, 9), Rational.of(19, 20)))])).toEqual(['T']);
    expect(trace([create(new Gate(Rational.of(1, 11)))])).toEqual(['T']);
  });

  it('keep to at most two pairs for each mechanism, of which at most one differs', () => {
    expect(trace([create(M), ask('0', '1', 1), ask('0', '1', 1)])).toEqual(['T', 'T', 'BOT, Def 4.5 (v)']);
    expect(trace([create(M), ask('0', '1', 1), ask('1', '1', 1)])).toEqual(['T', 'T', 'T']);
    expect(trace([create(M), ask('0', '0', 1), ask('1', '1', 1), ask('1', '1', 1)])).toEqual([
      'T',
      'T',
      'T',
      'BOT, Def 4.5 (v)',
    ]);
  });

  it('may differ for one mechanism of any number, and for no second one', () => {
    expect(trace(ATTACK)).toEqual(['T', 'T', 'T', 'T', 'T', 'BOT, Def 5.1 (ii)']);
  });
});

describe('a concurrent composition', () => {
  it('creates mechanisms and forwards messages to each', () => {
    const composition = new ExtConComp(new Xoshiro(1));
    expect(composition.answer(new Gate(Rational.ONE))).toBe('T');
    expect(composition.answer(new Gate(Rational.ZERO))).toBe('T');
    const say = (message: string, index: number) => composition.answer({ message, index });
    expect([say('0', 1), say('0', 2), say('1', 1), say('1', 2)]).toEqual(['BOT', 'T', '1', 'T']);
  });

  it('halts on a message for what was not created, or cannot be answered', () => {
    const composition = new ExtConComp(new Xoshiro(1));
    expect(composition.answer({ message: '0', index: 1 })).toBe(HALT);
    composition.answer(M);
    expect(composition.answer({ message: 'no bit', index: 1 })).toBe(HALT);
    expect(composition.answer({ message: '0', index: 1.5 })).toBe(HALT);
  });

  it('receives of each pair the message of the secret bit, as long as the messages are valid', () => {
    for (const bit of [0, 1] as const) {
      const opened = new Gate(Rational.ONE);
      const verifier = new Verifier(
        oneSparseParallel(() => true),
        new Identifier(bit, new ExtConComp(new Xoshiro(1))),
      );
      expect(verifier.answer(create(opened))).toBe('T');
      expect(verifier.answer(ask('0', '0', 1))).toBe('BOT');
      expect(verifier.answer(ask('0', '1', 1))).toBe(String(bit));
      expect(verifier.violation).toBeNull();
      expect(verifier.answer(ask('0', '0', 1))).toBe(HALT);
      expect(verifier.violation).toBe('Def 4.5 (v)');
      expect(verifier.answer(create(opened))).toBe(HALT);
    }
  });
});

describe('the adversary A_delta', () => {
  /** What it sends while it is given these answers. */
  function sent(answers: readonly string[], most: number): { messages: string[]; guess: string | null } {
    const adversary = new GateAdversary((index) => (index > most ? null : M));
    const said = (pair: QueryPair): string => {
      const [zero, one] = pair;
      return zero instanceof Gate || one instanceof Gate
        ? 'create'
        : `(${zero.message}, ${one.message}) to ${zero.index}`;
    };
    const messages: string[] = [];
    let message = adversary.next(null);
    for (const answer of answers) {
      if (message === null) break;
      messages.push(said(message));
      message = adversary.next(answer);
    }
    if (message !== null) messages.push(said(message));
    return { messages, guess: adversary.guess };
  }

  it('asks gate after gate with (0, 0), and the first open one with (0, 1)', () => {
    expect(sent(['T', 'T', 'T', 'BOT', '1'], 5)).toEqual({
      messages: ['create', '(0, 0) to 1', 'create', '(0, 0) to 2', '(0, 1) to 2'],
      guess: '1',
    });
  });

  it('ends without a guess after the last gate', () => {
    expect(sent(['T', 'T', 'T', 'T'], 2)).toEqual({
      messages: ['create', '(0, 0) to 1', 'create', '(0, 0) to 2'],
      guess: null,
    });
  });
});
