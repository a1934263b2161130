import { describe, expect, it } from 'vitest';
import {
  exponentOf,
  FIGURES,
  freeUntil,
  RATES,
  rateTable,
  regretOf,
  type Problem,
  type RateId,
} from '../../../src/learning/rates/rates.ts';
import { fc } from '../../reference/properties.ts';
import { d, near } from '../helpers.ts';

const rate = (problem: Problem, id: RateId) => RATES[problem].find((each) => each.id === id)!;

describe('the exponents of Figure 1', () => {
  const alphas = fc.double({ min: 0, max: 1, noNaN: true });
  const capped = (x: number): number => Math.min(1, x);

  it.each<[keyof typeof FIGURES, RateId, (alpha: number) => number]>([
    ['a', 'l2p', (a) => Math.max(1 / 2, 1 / 3 + (2 * a) / 3)],
    ['a', 'akst23', (a) => Math.max(1 / 2, 1 / 3 + a, 3 / 8 + (3 * a) / 4)],
    ['a', 'kms21', (a) => 1 / 2 + a / 2],
    ['b', 'l2p', (a) => 1 / 2 + (2 * a) / 3],
    ['b', 'akst23', (a) => Math.max(1 / 2 + a, 13 / 24 + (3 * a) / 4)],
    ['b', 'kms21', (a) => 7 / 12 + a / 2],
    ['c', 'l2p', (a) => Math.max(1 / 2, 1 / 3 + (2 * a) / 3)],
    ['c', 'afkt23', (a) => Math.min(Math.max(1 / 2, 1 / 3 + a), Math.max(1 / 2, 2 / 5 + (4 * a) / 5))],
    ['a', 'non-private', () => 1 / 2],
  ])('(%s) of %s are those printed', (figure, id, printed) => {
    const { problem, gamma } = FIGURES[figure];
    fc.assert(
      fc.property(alphas, (alpha) => {
        near(exponentOf(rate(problem, id), alpha, gamma.value), capped(printed(alpha)), 1e-12);
      }),
      { seed: 61, numRuns: 100 },
    );
  });

  it('are 1/2 up to where privacy is free', () => {
    near(freeUntil(rate('ope', 'l2p'), 1)!, 1 / 4, 1e-12);
    near(freeUntil(rate('ope', 'l2p-safe'), 1)!, 1 / 6, 1e-12);
    near(freeUntil(rate('ope', 'afkt23'), 1)!, 1 / 6, 1e-12);
    expect(freeUntil(rate('ope', 'as17'), 1)).toBe(0);
    expect(freeUntil(rate('ope', 'non-private'), 1)).toBe(Infinity);
    expect(freeUntil(rate('oco', 'l2p'), 1)).toBeNull();
    expect(freeUntil(rate('oco', 'l2p'), 1 / 3)).toBe(0);
  });

  it('are never below those without privacy, and what is proved never below what is claimed', () => {
    fc.assert(
      fc.property(alphas, fc.double({ min: 0, max: 2, noNaN: true }), (alpha, gamma) => {
        for (const problem of ['ope', 'oco'] as const) {
          const claimed = exponentOf(rate(problem, 'l2p'), alpha, gamma);
          expect(claimed).toBeGreaterThanOrEqual(0.5);
          expect(exponentOf(rate(problem, 'l2p-safe'), alpha, gamma)).toBeGreaterThanOrEqual(claimed - 1e-12);
        }
      }),
      { seed: 62, numRuns: 200 },
    );
  });
});

describe('the rates of Table 1', () => {
  it('are the formulas with constant 1', () => {
    const [t, size, epsilon] = [1e6, 1000, 0.01];
    const log = Math.log(size);
    near(regretOf(rate('ope', 'l2p'), t, size, epsilon), Math.sqrt(t * log) + (100 * log) / epsilon ** (2 / 3), 1e-9);
    near(regretOf(rate('ope', 'as17'), t, size, epsilon), Math.sqrt(t * log) + (Math.sqrt(size) * log) / epsilon, 1e-9);
    near(
      regretOf(rate('ope', 'afkt23'), t, size, epsilon),
      Math.sqrt(t * log) + Math.min((100 * log) / epsilon, (t ** 0.4 * log) / epsilon ** 0.8),
      1e-9,
    );
    near(
      regretOf(rate('ope', 'perturbed-leader'), t, size, epsilon),
      Math.sqrt(t * log) + Math.sqrt(size * log) / epsilon,
      1e-9,
    );
    near(regretOf(rate('oco', 'regularised-leader'), t, size, epsilon), 1000 + (size ** 0.25 * 1000) / 0.1, 1e-9);
    near(regretOf(rate('oco', 'kms21'), t, size, epsilon), (size ** 0.25 * 1000) / 0.1, 1e-9);
    near(
      regretOf(rate('oco', 'akst23'), t, size, epsilon),
      1000 + (100 * Math.sqrt(size)) / epsilon + (t ** 0.375 * Math.sqrt(size)) / epsilon ** 0.75,
      1e-9,
    );
    near(regretOf(rate('oco', 'l2p'), t, size, epsilon), 1000 + (100 * Math.sqrt(size)) / epsilon ** (2 / 3), 1e-9);
  });

  it('are never above T, which no regret is', () => {
    for (const problem of ['ope', 'oco'] as const) {
      for (const each of RATES[problem]) expect(regretOf(each, 100, 1e6, 1e-9)).toBeLessThanOrEqual(100);
    }
    expect(regretOf(rate('ope', 'l2p'), 100, 1e6, 1e-9)).toBe(100);
  });

  it('are a table with one value for each epsilon', () => {
    const { rows } = rateTable({ kind: 'rates', problem: 'oco', rounds: 1e6, size: 100, at: [d('0.1'), d(1)] });
    expect(rows.map(({ values }) => values.length)).toEqual([2, 2, 2, 2, 2, 2]);
    expect(rows.map(({ rate: { status } }) => status)).toEqual([
      'claimed',
      'derived',
      'derived',
      'other',
      'other',
      'other',
    ]);
    for (const { values } of rows) expect(values[0]).toBeGreaterThanOrEqual(values[1]!);
  });
});
