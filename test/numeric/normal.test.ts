import { fc } from '../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { Decimal, decimalFromDouble } from '../../src/numeric/decimal.ts';
import { type Enclosure, exactly } from '../../src/numeric/enclosure.ts';
import { momentRatios } from '../../src/numeric/normal-moments.ts';
import { logNormalTail, millsRatio, normalTail } from '../../src/numeric/normal.ts';
import { nextUp } from '../../src/numeric/rounding.ts';
import { contains, golden, relativeWidth, tailByDecimals } from './normal-oracle.ts';

const anyDouble = fc.double({ noNaN: true });

function checkTable(
  rows: readonly (readonly [number, string])[],
  evaluate: (x: number) => Enclosure,
  limit: (x: number) => number,
): void {
  for (const [x, text] of rows) {
    const truth = new Decimal(text);
    const result = evaluate(x);
    expect(contains(result, truth), `x = ${x}: ${text} in [${result.lower}, ${result.upper}]`).toBe(true);
    expect(relativeWidth(result, truth), `width at x = ${x}`).toBeLessThanOrEqual(limit(x));
  }
}

/** Enclosures of a decreasing function never say that it increases. */
function checkDecreasing(evaluate: (x: number) => Enclosure): void {
  const notIncreasing = (x: number, y: number): boolean =>
    evaluate(Math.max(x, y)).lower <= evaluate(Math.min(x, y)).upper;
  fc.assert(fc.property(anyDouble, anyDouble, notIncreasing));
  fc.assert(fc.property(fc.double({ min: -45, max: 45, noNaN: true }), (x) => notIncreasing(x, nextUp(x))));
}

function checkOrdered(evaluate: (x: number) => Enclosure): void {
  fc.assert(
    fc.property(anyDouble, (x) => {
      const { lower, upper } = evaluate(x);
      return lower <= upper;
    }),
  );
}

const moderate = fc.double({ min: -14, max: 14, noNaN: true });

describe('millsRatio', () => {
  it('encloses the golden values to 2e-14', () => {
    checkTable(golden.mills, millsRatio, () => 2e-14);
  });
  it('decreases, and its ends are in order at every double', () => {
    checkDecreasing(millsRatio);
    checkOrdered(millsRatio);
  });
});

describe('normalTail', () => {
  it('encloses the golden values to 2e-14, down to where doubles underflow', () => {
    checkTable(golden.tail, normalTail, (x) => (x <= 37.5 ? 2e-14 : Infinity));
  });
  it('is a probability and decreases', () => {
    checkDecreasing(normalTail);
    checkOrdered(normalTail);
    fc.assert(fc.property(anyDouble, (x) => normalTail(x).lower >= 0 && normalTail(x).upper <= 1));
  });
  it('contains an independent series at random points', () => {
    fc.assert(
      fc.property(moderate, (x) => contains(normalTail(x), tailByDecimals(decimalFromDouble(x)))),
      { numRuns: 60 },
    );
  });
});

describe('logNormalTail', () => {
  it('encloses the golden values to 2e-14, on both ends of the line', () => {
    checkTable(golden.logTail, logNormalTail, () => 2e-14);
  });
  it('is never positive and decreases', () => {
    checkDecreasing(logNormalTail);
    checkOrdered(logNormalTail);
    fc.assert(fc.property(anyDouble, (x) => logNormalTail(x).upper <= 0));
  });
  it('contains an independent series at random points', () => {
    fc.assert(
      fc.property(moderate, (x) => contains(logNormalTail(x), tailByDecimals(decimalFromDouble(x)).ln())),
      { numRuns: 40 },
    );
  });
});

describe('momentRatios', () => {
  it('obeys r_n (m + r_{n+1}) = n and r_1 = 1/R(m) - m', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 50, noNaN: true }), (m) => {
        const { lower, upper } = momentRatios(exactly(m), 31);
        for (let n = 1; n < 31; n++) {
          expect(lower[n]! * (m + lower[n + 1]!)).toBeLessThanOrEqual(n * (1 + 1e-15));
          expect(upper[n]! * (m + upper[n + 1]!)).toBeGreaterThanOrEqual(n * (1 - 1e-15));
          expect(upper[n]! / lower[n]! - 1).toBeLessThanOrEqual(5e-13);
        }
        const ratio = millsRatio(m);
        expect(ratio.lower * (m + lower[1]!)).toBeLessThanOrEqual(1 + 1e-15);
        expect(ratio.upper * (m + upper[1]!)).toBeGreaterThanOrEqual(1 - 1e-15);
      }),
    );
  });
});
