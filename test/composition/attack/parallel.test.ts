import { describe, expect, it } from 'vitest';
import { meanMessagesOf, parallelAttack, type ParallelAttack } from '../../../src/composition/attack/parallel.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';

const attack = (
  deltas: string | readonly string[],
  instances: number | null,
  repetition: { runs: number; seed: number } | null = null,
): ParallelAttack => {
  const list = typeof deltas === 'string' ? [deltas] : deltas;
  return parallelAttack({ deltas: list.map((delta) => new Decimal(delta)), instances }, repetition);
};

const exact = ({ success }: ParallelAttack): string => {
  expect(success.lower.eq(success.upper)).toBe(true);
  return success.lower.toString();
};

describe('the chance that the adversary learns the secret bit', () => {
  it('is 1 - (1 - delta)^l, of three gates at 0.1 0.271 (TC-9)', () => {
    expect(exact(attack('0.1', 3))).toBe('0.271');
  });

  it.each([
    ['1e-5', 1000, 0.00995021575365242],
    ['1e-6', 1_000_000, 0.632120742768355],
    ['1e-9', 1_000_000_000, 0.632120559012497],
  ])('of gates at %s, %i of them, is known to many digits (TC-8)', (delta, instances, expected) => {
    const { success } = attack(delta, instances);
    expect(success.lower.toNumber()).toBeCloseTo(expected, 15);
    expect(success.upper.minus(success.lower).lte('1e-100')).toBe(true);
  });

  it('passes 1e-5 at the eleventh gate at 1e-6 (TC-10)', () => {
    expect(Number(exact(attack('1e-6', 10)))).toBeCloseTo(9.99995500012e-6, 16);
    expect(Number(exact(attack('1e-6', 11)))).toBeCloseTo(1.0999945000165e-5, 17);
  });

  it('is 1 - prod(1 - delta) where deltas differ (TC-11)', () => {
    expect(exact(attack(['1e-3', '2e-3', '5e-4'], 3))).toBe('0.003496501');
  });

  it('is 1 where the number of instances has no limit', () => {
    expect(exact(attack('1e-12', null))).toBe('1');
  });

  it('is above 1/2 from 693,147 gates at 1e-6 on (TC-8), and above 0.99 from 44 gates at 0.1 on (TC-9)', () => {
    const needed = (delta: string): [number, number][] =>
      attack(delta, null).needed.map(({ instances, messages }) => [instances, messages]);
    expect(needed('1e-6')[0]).toEqual([693_147, 1_386_295]);
    expect(needed('0.1')[1]).toEqual([44, 89]);
    expect(needed('1')).toEqual([
      [1, 3],
      [1, 3],
    ]);
    expect(needed('1e-300')).toEqual([]);
    expect(attack(['0.1', '0.2'], 2).needed).toEqual([]);
  });
});

describe('the messages of the adversary', () => {
  it('are 2 / delta + 1 on average without a limit, 21 at 0.1 (TC-9)', () => {
    expect(attack('0.1', null).messages.mean.lower.toNumber()).toBe(21);
    expect(meanMessagesOf({ deltas: [new Decimal('0.1')], instances: null })).toBe(21);
  });

  it('are at most 2 l + 1', () => {
    expect(attack('0.1', 3).messages.most).toBe(7);
    expect(attack('0.1', null).messages.most).toBeNull();
  });

  it('are as many on average for equal deltas, however these are written', () => {
    const written = attack('0.1', 4).messages.mean.lower.toNumber();
    expect(attack(['0.1', '0.1', '0.1', '0.1'], 4).messages.mean.lower.toNumber()).toBeCloseTo(written, 12);
  });
});

describe('conversations with the adversary', () => {
  const seen = (deltas: string | readonly string[], instances: number | null, runs = 4000) =>
    attack(deltas, instances, { runs, seed: 2024 }).simulated!;

  it.each([
    ['3 gates at 0.1', '0.1', 3, 0.271],
    ['40 gates at 0.01', '0.01', 40, 1 - 0.99 ** 40],
    ['one gate at 1', '1', 1, 1],
  ])('with %s reveal the secret bit as often as expected (TC-9)', (_, delta, instances, expected) => {
    const { guessed, right, messages } = seen(delta, instances);
    expect(guessed.interval!.lower).toBeLessThanOrEqual(expected);
    expect(guessed.interval!.upper).toBeGreaterThanOrEqual(expected);
    expect(right.times).toBe(right.of);
    expect(messages.most).toBeLessThanOrEqual(2 * instances + 1);
  });

  it('reveal it as often as expected where gates differ (TC-11)', () => {
    const { guessed, right } = seen(['0.2', '0.05', '0.5'], 3);
    expect(guessed.interval!.lower).toBeLessThan(0.62);
    expect(guessed.interval!.upper).toBeGreaterThan(0.62);
    expect(right.times).toBe(guessed.times);
  });

  it('always reveal it without a limit, with 2 / delta + 1 messages on average', () => {
    const { guessed, right, messages, runs } = seen('0.1', null);
    expect([guessed.times, right.times]).toEqual([runs, runs]);
    // The standard error of a mean of 4,000 is 0.3 here.
    expect(Math.abs(messages.total / runs - 21)).toBeLessThan(1.2);
  });

  it('are the same for the same seed, and others for another', () => {
    const run = (seed: number) => attack('0.1', 5, { runs: 500, seed }).simulated;
    expect(run(3)).toEqual(run(3));
    expect(run(3)?.messages.total).not.toBe(run(4)?.messages.total);
  });

  it('tell how far they are', () => {
    const shares: number[] = [];
    const question = { deltas: [new Decimal('0.5')], instances: 1 };
    parallelAttack(question, { runs: 4, seed: 1, progress: (share) => shares.push(share) });
    expect(shares).toEqual([0, 0.25, 0.5, 0.75]);
  });
});
