import { describe, expect, it } from 'vitest';
import { profilesOf } from '../../../src/composition/risk/profile.ts';
import type { RiskLimit } from '../../../src/composition/risk/limits.ts';
import { truePositiveRate } from '../../../src/composition/risk/inference.ts';
import { solve, type SolveOutcome } from '../../../src/composition/solve/solve.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import type { Decimal } from '../../../src/numeric/decimal.ts';
import { decimal, dp, finitePair, gaussian, laplace, sampled, type Text } from '../../mechanisms.ts';

const rate = (most: Text, at: Text): RiskLimit => ({
  measure: 'true-positive-rate',
  most: decimal(most),
  at: decimal(at),
});

const found = (entries: readonly Entry[], budget: RiskLimit, varied = [0]): SolveOutcome =>
  solve({ problem: { entries, adaptivity: 'adaptive' }, budget, unknown: 'parameter', varied });

/** The largest true-positive rate of mechanisms, by another way than that of the search. */
function rateOf(entries: readonly Entry[], at: Decimal): { readonly lower: number | null; readonly upper: number } {
  const outcome = profilesOf({ entries, adaptivity: 'adaptive' });
  if (outcome.kind === 'refusal') throw new Error('refused');
  return truePositiveRate(outcome.profiles, at, 1e-9);
}

describe('the noise of a risk', () => {
  // sqrt(30) / mu, of the mu whose Gaussian trade-off function has that point.
  it.each([
    [rate('0.05', '0.01'), 8.0370826290092],
    [rate('0.6', '0.5'), 21.619452155787],
    [{ measure: 'advantage', most: decimal('0.1') } as const, 21.7935972840104],
  ])('is that of Gaussian noise, rounded up: %j', (limit, truth) => {
    const outcome = found([gaussian(1, { count: 30 })], limit);
    if (outcome.kind !== 'solved') throw new Error(outcome.kind);
    expect(outcome.value.toNumber()).toBeGreaterThanOrEqual(truth);
    expect(outcome.value.toNumber() / truth).toBeLessThan(1 + 1e-5);
    expect(outcome.next).toBe('exceeds');
    expect(outcome.exceeding!.toNumber()).toBeLessThan(truth);
  });

  it.each([
    ['Laplace noise', [laplace(1, { count: 14 })], '0.05', '0.01'],
    ['one Laplace mechanism', [laplace(1)], '0.3', '0.1'],
    ['guarantees', [dp('0.1', 0, { count: 20 })], '0.4', '0.2'],
    ['noise beside what is held', [gaussian(1, { count: 9 }), dp('0.1', '1e-3')], '0.1', '0.02'],
    ['noise on samples', [sampled(gaussian(1, { count: 200 }), ['1', '50'])], '0.06', '0.01'],
  ])('keeps the rate, and the next value does not: %s', (_, entries, most, at) => {
    const outcome = found(entries, rate(most, at));
    if (outcome.kind !== 'solved') throw new Error(outcome.kind);
    const holding = (value: Decimal): Entry[] =>
      entries.map((entry, index) => {
        const { mechanism } = outcome.nodes[0]!.node as Entry;
        if (index > 0) return entry;
        const base = mechanism.type === 'sampled' ? mechanism.of : mechanism;
        const name = 'sigma' in base ? 'sigma' : 'scale' in base ? 'scale' : 'epsilon';
        const changed = { ...base, [name]: value };
        return { ...entry, mechanism: mechanism.type === 'sampled' ? { ...mechanism, of: changed } : changed } as Entry;
      });
    expect(rateOf(holding(outcome.value), decimal(at)).upper).toBeLessThanOrEqual(Number(most) * (1 + 1e-12));
    if (outcome.exceeding !== null) {
      expect(rateOf(holding(outcome.exceeding), decimal(at)).lower!).toBeGreaterThan(Number(most));
    }
    // Near the end, whichever line led there.
    expect(rateOf(holding(outcome.value), decimal(at)).upper).toBeGreaterThan(Number(most) * (1 - 1e-3));
  });

  it('is no count where one mechanism has a larger rate for certain', () => {
    const question = { problem: { entries: [gaussian(1)], adaptivity: 'adaptive' }, varied: [0] } as const;
    const outcome = solve({ ...question, unknown: 'count', budget: rate('0.05', '0.01') });
    // P(N > z - 1) = 0.0924 where P(N > z) = 0.01.
    expect(outcome).toMatchObject({ kind: 'solved', value: decimal(0), next: 'exceeds', exceeding: decimal(1) });
  });

  it('is none where what is held has a larger one, and nothing is said to be certain', () => {
    const outcome = found([gaussian(1), finitePair(['0.9', '0.1'], ['0.1', '0.9'])], rate('0.05', '0.01'));
    expect(outcome).toMatchObject({ kind: 'never', isCertain: false });
  });
});
