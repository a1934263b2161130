import { describe, expect, it } from 'vitest';
import { gateVerification, mDelta } from '../../../../src/composition/attack/m-delta.ts';
import {
  ExtConComp,
  type Creation,
  type QueryPair,
} from '../../../../src/composition/attack/interaction/ext-con-comp.ts';
import type { Guarantee } from '../../../../src/composition/attack/interaction/guarantee.ts';
import { Identifier } from '../../../../src/composition/attack/interaction/identifier.ts';
import { HALT } from '../../../../src/composition/attack/interaction/interactive.ts';
import { sparseParallel } from '../../../../src/composition/attack/concurrent/sparse-parallel.ts';
import { Verifier, type VerificationFunction } from '../../../../src/composition/attack/interaction/verifier.ts';
import { Decimal } from '../../../../src/numeric/decimal.ts';
import { Xoshiro } from '../../../../src/numeric/random.ts';
import { endless, fraction, once, threeQuarters } from './mechanisms.ts';

const approximate = (delta: string, factor = '1'): Guarantee => ({
  kind: 'dp',
  factor: fraction(factor),
  delta: fraction(delta),
});

const gate = (guarantee = approximate('1/10')): Creation => ({
  kind: 'creation',
  mechanism: mDelta(fraction('1/10')),
  guarantee,
  verification: gateVerification,
});

const create = (creation: Creation): QueryPair => [creation, creation];

const ask = (zero: string, one: string, index: number): QueryPair => [
  { kind: 'query', message: zero, index },
  { kind: 'query', message: one, index },
];

/** `T` for each message that is accepted, and the condition that the first one breaks which is not. */
function trace(f: VerificationFunction<QueryPair>, messages: readonly QueryPair[]): string[] {
  const verification = f.begin();
  const said: string[] = [];
  for (const message of messages) {
    const violation = verification.accept(message);
    said.push(violation === null ? 'T' : `BOT, ${violation.condition}`);
    if (violation !== null) break;
  }
  return said;
}

const M = gate();
const oneOf = sparseParallel([approximate('1/10')]);

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
    expect(trace(oneOf, [ask('0', '0', 1)])).toEqual(['BOT, Def 4.5 (ii)']);
    expect(trace(oneOf, [create(M), ask('0', '0', 2)])).toEqual(['T', 'BOT, Def 4.5 (ii)']);
    expect(trace(oneOf, [create(M), ask('0', '0', 0)])).toEqual(['T', 'BOT, Def 4.5 (ii)']);
  });

  it('create the same mechanism under both secret bits', () => {
    expect(trace(oneOf, [[M, gate()]])).toEqual(['BOT, Def 4.5 (i)']);
    expect(trace(oneOf, [[M, ask('0', '0', 1)[0]]])).toEqual(['BOT, Def 4.5 (i)']);
    expect(trace(oneOf, [create(M), [ask('0', '0', 1)[0], M]])).toEqual(['T', 'BOT, Def 4.5 (i)']);
  });

  it('ask the same mechanism under both secret bits, something that it understands', () => {
    expect(trace(oneOf, [create(M), create(M), [ask('0', '0', 1)[0], ask('0', '0', 2)[1]]])).toEqual([
      'T',
      'T',
      'BOT, Def 4.5 (i)',
    ]);
    expect(trace(oneOf, [create(M), ask('0', 'no bit', 1)])).toEqual(['T', 'BOT, Def 4.5 (iii)']);
  });

  it('assert no guarantee that a created mechanism does not have', () => {
    expect(trace(oneOf, [create(gate(approximate('1/11')))])).toEqual(['BOT, Def 4.5 (iv)']);
    expect(trace(oneOf, [create(gate(approximate('1/10', '5')))])).toEqual(['T']);
    const response = (guarantee: Guarantee): Creation => ({
      kind: 'creation',
      mechanism: threeQuarters,
      guarantee,
      verification: once,
    });
    expect(trace(oneOf, [create(response(approximate('0', '3')))])).toEqual(['T']);
    expect(trace(oneOf, [create(response(approximate('0', '299/100')))])).toEqual(['BOT, Def 4.5 (iv)']);
    // D_2 = ln(9/16 * 4 + 1/16 * 4/3) = ln(7/3) = 0.8473.
    const renyi = (epsilon: string): Guarantee => ({
      kind: 'rdp',
      alpha: new Decimal(2),
      epsilon: new Decimal(epsilon),
    });
    expect(trace(oneOf, [create(response(renyi('0.848')))])).toEqual(['T']);
    expect(trace(oneOf, [create(response(renyi('0.847')))])).toEqual(['BOT, Def 4.5 (iv)']);
    expect(trace(oneOf, [create({ ...response(approximate('1/2')), verification: endless })])).toEqual([
      'BOT, Def 4.5 (iv)',
    ]);
  });

  it('keep to the verification function of each mechanism', () => {
    const many = sparseParallel([approximate('1/10'), approximate('1/10')]);
    expect(trace(many, [create(M), ask('0', '1', 1), ask('0', '1', 1)])).toEqual(['T', 'T', 'BOT, Def 4.5 (v)']);
    expect(trace(many, [create(M), ask('0', '0', 1), ask('1', '1', 1), ask('1', '1', 1)])).toEqual([
      'T',
      'T',
      'T',
      'BOT, Def 4.5 (v)',
    ]);
  });

  it('may differ for one mechanism of any number in 1-sparse parallel composition, and for no second one', () => {
    expect(trace(oneOf, ATTACK)).toEqual(['T', 'T', 'T', 'T', 'T', 'BOT, Def 5.1 (ii)']);
    const two = sparseParallel([approximate('1/10'), approximate('1/10')]);
    expect(trace(two, ATTACK)).toEqual(['T', 'T', 'T', 'T', 'T', 'T']);
    const others = sparseParallel([approximate('1/10'), approximate('1/20')]);
    expect(trace(others, ATTACK)).toEqual(['T', 'T', 'T', 'T', 'T', 'BOT, Def 5.1 (ii)']);
  });
});

describe('a concurrent composition', () => {
  const always = (opens: string): Creation => ({ ...M, mechanism: mDelta(fraction(opens)) });

  it('creates mechanisms and forwards messages to each', () => {
    const composition = new ExtConComp(new Xoshiro(1));
    expect(composition.answer(always('1'))).toBe('T');
    expect(composition.answer(always('0'))).toBe('T');
    const say = (message: string, index: number) => composition.answer({ kind: 'query', message, index });
    expect([say('0', 1), say('0', 2), say('1', 1), say('1', 2)]).toEqual(['BOT', 'T', '1', 'T']);
  });

  it('halts on a message for what was not created, or cannot be answered', () => {
    const composition = new ExtConComp(new Xoshiro(1));
    expect(composition.answer({ kind: 'query', message: '0', index: 1 })).toBe(HALT);
    composition.answer(M);
    expect(composition.answer({ kind: 'query', message: 'no bit', index: 1 })).toBe(HALT);
    expect(composition.answer({ kind: 'query', message: '0', index: 1.5 })).toBe(HALT);
  });

  it('receives of each pair the message of the secret bit, as long as the messages are valid', () => {
    for (const bit of [0, 1] as const) {
      const opened = { ...M, mechanism: mDelta(fraction('1')), guarantee: approximate('1') };
      const verifier = new Verifier(
        sparseParallel([approximate('1')]),
        new Identifier(bit, new ExtConComp(new Xoshiro(1))),
      );
      expect(verifier.answer(create(opened))).toBe('T');
      expect(verifier.answer(ask('0', '0', 1))).toBe('BOT');
      expect(verifier.answer(ask('0', '1', 1))).toBe(String(bit));
      expect(verifier.violation).toBeNull();
      expect(verifier.answer(ask('0', '0', 1))).toBe(HALT);
      expect(verifier.violation).toMatchObject({ code: 'invalid-pairs' });
      expect(verifier.answer(create(opened))).toBe(HALT);
    }
  });
});
