import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { quickLowerBoundOf } from '../../../src/composition/entries/lower-bound.ts';
import { compose } from '../../../src/composition/compose/compose.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import { midpointResponse } from '../../../src/privacy/mechanisms/records.ts';
import {
  answer,
  atDelta,
  atEpsilon,
  boundedRange,
  discreteGaussian,
  discreteLaplace,
  dp,
  gaussian,
  gdp,
  laplace,
  zcdp,
} from '../../mechanisms.ts';
import { someOf } from '../../reference/share.ts';

/** P(Z = z) of discrete noise up to a factor, and the e of telling the side: q the chance of the far one, by summing. */
function summed(weight: (z: number) => Decimal, s: number, reach: number): Decimal {
  const zs = Array.from({ length: 2 * reach + 1 }, (_, n) => n - reach);
  const sum = (chosen: readonly number[]): Decimal =>
    chosen.reduce((total, z) => total.plus(weight(z)), new Decimal(0));
  const far = sum(zs.filter((z) => 2 * z > s)).plus(s % 2 === 0 ? weight(s / 2).div(2) : 0);
  const Precise = Decimal.clone({ precision: 50 });
  const q = new Precise(far).div(sum(zs));
  return new Decimal(new Precise(1).minus(q).div(q).ln());
}

const exponential = (x: number): Decimal => new Decimal(new (Decimal.clone({ precision: 50 }))(x).exp());

describe('what noise reveals to who only sees its side', () => {
  it('is a randomized response of e just below that of a sum', () => {
    for (const [scale, s] of someOf([
      [3, 1],
      [3, 2],
      [0.7, 3],
      [5, 8],
      [20, 7],
    ] as const)) {
      const e = midpointResponse(discreteLaplace(scale, s).mechanism)!;
      const truth = summed((z) => exponential(-Math.abs(z) / scale), s, Math.ceil(90 * scale));
      expect(e.lte(truth.times(1 + 1e-15))).toBe(true);
      expect(e.gte(truth.times(1 - 1e-9))).toBe(true);
    }
    for (const [sigma, s] of someOf([
      [2, 1],
      [2, 2],
      [0.6, 1],
      [9, 5],
      [30, 4],
    ] as const)) {
      const e = midpointResponse(discreteGaussian(sigma, s).mechanism)!;
      const truth = summed((z) => exponential(-(z * z) / (2 * sigma * sigma)), s, Math.ceil(14 * sigma + s));
      expect(e.lte(truth)).toBe(true);
      expect(e.gte(truth.times(1 - 1e-7))).toBe(true);
    }
  });

  it('is ln(2 e^(s/2b) - 1) of Laplace noise, and nothing where there is none', () => {
    const e = midpointResponse(laplace(4, {}, 3).mechanism)!;
    expect(e.toNumber()).toBeCloseTo(Math.log(2 * Math.exp(3 / 8) - 1), 14);
    expect(midpointResponse(laplace(4, {}, 0).mechanism)).toBeNull();
    expect(midpointResponse(dp(1).mechanism)).toBeNull();
  });
});

describe('the quick lower bound', () => {
  const positive = (least: number, most: number) =>
    fc.double({ min: Math.log(least), max: Math.log(most), noNaN: true }).map((x) => Math.exp(x).toPrecision(3));
  const one = fc
    .tuple(fc.nat(6), positive(0.05, 1.5), fc.integer({ min: 1, max: 6 }))
    .map(([type, x, count]): Entry => {
      const scale = (1 / Number(x)).toPrecision(3);
      return [
        () => dp(x, '1e-7', { count }),
        () => boundedRange(x, { count }),
        () => laplace(scale, { count }),
        () => gaussian(scale, { count }),
        () => discreteLaplace(scale, 2, { count }),
        () => gdp(x, { count }),
        () => zcdp((Number(x) ** 2).toPrecision(3), { count }),
      ][type]!();
    });
  const query = fc.oneof(positive(1e-9, 0.1).map(atDelta), positive(0.01, 2).map(atEpsilon));

  it('is never above what is claimed, nor above what a full search finds of one kind', () => {
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 5 }), query, (entries, asked) => {
        const outcome = compose({ entries, adaptivity: 'adaptive' }, asked, { quick: true });
        if (outcome.kind === 'refusal') return;
        const claim = outcome.answer[asked.solveFor].upper;
        expect(quickLowerBoundOf(entries)(asked) ?? 0).toBeLessThanOrEqual(claim * (1 + 1e-12));
      }),
      { numRuns: 200 },
    );
  });

  it('is not above the exact value of one kind, and near it', () => {
    for (const entries of [
      [laplace(8, { count: 5 })],
      [discreteLaplace(8, 1, { count: 5 })],
      [discreteGaussian(6, 1)],
    ]) {
      for (const asked of [atDelta('1e-4'), atEpsilon('0.1')]) {
        const exact = answer(entries, asked)[asked.solveFor];
        const quick = quickLowerBoundOf(entries)(asked)!;
        expect(quick).toBeLessThanOrEqual(exact.upper);
        expect(quick).toBeGreaterThan(0.2 * exact.upper);
      }
    }
  });
});
