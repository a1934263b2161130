import { describe, expect, it } from 'vitest';
import { entryDivergence } from '../../src/composition/risk/divergence.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { gaussian, sampled } from '../mechanisms.ts';
import {
  INEXACT,
  PLAIN_ORDERS,
  PLAIN_ROWS,
  SAMPLED_ORDERS,
  SAMPLED_ROWS,
  STEPS,
  type RenyiRow,
} from './renyi-peers.ts';

/** Of one step, in the direction in which it is larger. */
function certified(sigma: string, rate: string, order: string): { lower: number; upper: number } {
  const { remove, add } = entryDivergence(sampled(gaussian(sigma), rate), new Decimal(order), false);
  return { lower: Math.max(remove.lower!, add.lower!), upper: Math.max(remove.upper, add.upper) };
}

const isInexact = (...cell: [sigma: string, rate: string, order: string]): boolean =>
  INEXACT.some((inexact) => cell.every((value, i) => value === inexact[i]));

/** How many rows were compared. */
function compare(rows: readonly RenyiRow[], orders: readonly string[]): number {
  let compared = 0;
  for (const [sigma, rate, values] of rows) {
    for (const [i, order] of orders.entries()) {
      if (isInexact(sigma, rate, order)) continue;
      const { lower, upper } = certified(sigma, rate, order);
      for (const steps of STEPS) {
        const theirs = values[i]! * steps;
        const place = `sigma ${sigma}, rate ${rate}, order ${order}, ${steps} steps`;
        expect(upper * steps, place).toBeLessThanOrEqual(theirs * (1 + 1e-9));
        expect(lower * steps, place).toBeGreaterThanOrEqual(theirs * (1 - 1e-9));
        compared += 1;
      }
    }
  }
  return compared;
}

describe('the Renyi divergences that autodp is tested with', () => {
  it('are ours where theirs are right', () => {
    expect(compare(SAMPLED_ROWS, SAMPLED_ORDERS)).toBe((216 - INEXACT.length) * STEPS.length);
    expect(compare(PLAIN_ROWS, PLAIN_ORDERS)).toBe(24 * STEPS.length);
  });

  it.each(INEXACT)('sigma %s at rate %s, order %s: the truth is %s, and theirs is not', (sigma, rate, order, truth) => {
    const { lower, upper } = certified(sigma, rate, order);
    const theirs = SAMPLED_ROWS.find(([s, r]) => s === sigma && r === rate)![2][SAMPLED_ORDERS.indexOf(order)]!;
    expect(Math.abs(theirs / Number(truth) - 1)).toBeGreaterThan(1e-10);
    expect(lower).toBeLessThanOrEqual(Number(truth) * (1 + 1e-14));
    expect(upper).toBeGreaterThanOrEqual(Number(truth) * (1 - 1e-14));
    expect(upper / Number(truth) - 1).toBeLessThan(3e-9);
  });
});
