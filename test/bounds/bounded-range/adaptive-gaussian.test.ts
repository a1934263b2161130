import { describe, expect, it } from 'vitest';
import { adaptiveOptimum } from '../../../src/bounds/bounded-range/adaptive-optimum.ts';
import { gaussianVarianceAbove, manyBoundedRange } from '../../../src/bounds/bounded-range/adaptive-gaussian.ts';
import { adaptiveTables } from '../../../src/bounds/bounded-range/adaptive-tables.ts';
import { gaussianCurve } from '../../../src/bounds/closed-form/gaussian.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { fromDouble } from '../../../src/numeric/double-double.ts';
import { exactly } from '../../../src/numeric/enclosure.ts';
import { fc } from '../../reference/properties.ts';
import { someOf } from '../../reference/share.ts';

const [C, K] = [0.26, 0.06];
const phi = (n: number): number => 1 + C * n + K * n ** 5;
const MARGIN = 1e-9;

/** Nodes and weights on [0, 1] of Gauss's rule, by Newton's method on Legendre polynomials. */
function gauss(n: number): { x: number; w: number }[] {
  return Array.from({ length: n }, (_, i) => {
    let x = Math.cos((Math.PI * (i + 0.75)) / (n + 0.5));
    let slope = 0;
    for (let turn = 0; turn < 50; turn++) {
      let [before, here] = [1, x];
      for (let k = 2; k <= n; k++) [before, here] = [here, ((2 * k - 1) * x * here - (k - 1) * before) / k];
      slope = (n * (x * here - before)) / (x * x - 1);
      x -= here / slope;
    }
    return { x: (1 + x) / 2, w: 1 / ((1 - x * x) * slope * slope) };
  });
}
const RULE = gauss(40);
const integral = (to: number, f: (v: number) => number): number =>
  RULE.reduce((sum, { x, w }) => sum + w * to * f(x * to), 0);

/** The largest moment of a centred loss of range e at e l, z = (e l)^2 / 8. */
const moment = (z: number): number => {
  const h = Math.sqrt(2 * z);
  return h < 1e-2
    ? Math.exp(z - (z * z) / 9 + z ** 3 / 10)
    : Math.exp(Math.log(Math.sinh(h) / h) + h / Math.tanh(h) - 1);
};
const needed = (z: number): number => (z < 1e-6 ? 1 + z : (moment(z) - 1) / z);
/** At most the integral at every z from z0 on and every n from n0 to n1. */
const given = (z0: number, n0: number, n1: number): number =>
  integral(phi(n0), (v) => Math.exp((z0 * v) / (1 + v * n1)) / Math.sqrt(1 + v * n1));

describe('the inequality behind a sharp step', () => {
  const LARGE = 30;
  const SMALL = 0.02;
  const MIDDLE = 5;

  it('holds for n from 0.02 to 1 and z up to 30, cell by cell', () => {
    const waiting: [number, number, number, number][] = [[0, LARGE, SMALL, 1]];
    let cells = 0;
    for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
      const [z0, z1, n0, n1] = cell;
      // What is needed grows with z, as a supremum of convex and together even functions of l.
      if (given(z0, n0, n1) >= needed(z1) * (1 + MARGIN)) continue;
      expect(++cells).toBeLessThan(200_000);
      const [z, n] = [(z0 + z1) / 2, (n0 + n1) / 2];
      if ((z1 - z0) / (1 + z0) > n1 - n0) waiting.push([z0, z, n0, n1], [z, z1, n0, n1]);
      else waiting.push([z0, z1, n0, n], [z0, z1, n, n1]);
    }
    expect(cells).toBeGreaterThan(100);
  });

  it('holds for n up to 0.02, where the integral falls by less than there is to spare at n = 0', () => {
    const d = phi(SMALL);
    for (let z0 = 0; z0 < MIDDLE;) {
      const z1 = z0 + Math.max(2e-5, 2e-4 * z0);
      // Minus the slope in n, at most: it grows with the end of the integral.
      const fall =
        d * d * Math.exp(z1 * d) -
        1.5 * integral(d, (v) => v * Math.exp(z0 * v)) -
        (C / Math.sqrt(1 + d * SMALL)) * Math.exp(z0 / (1 + d * SMALL));
      // (e^z - H) / z is never negative (Hoeffding).
      const spare = z0 === 0 ? 0 : Math.max(0, (Math.exp(z0) - moment(z1)) / z1);
      expect(fall * SMALL).toBeLessThanOrEqual(spare - MARGIN);
      z0 = z1;
    }
  });

  it('holds for n up to 0.02 and z from 5 to 30, where e^(z w) up to w = 0.98 is enough', () => {
    // w = v / (1 + v n): the integral of (1 - w n)^(-3/2) e^(z w) over w from 0 to phi / (1 + phi n) >= 1 / (1 + n).
    const share = 1 / (1 + SMALL);
    for (let z = MIDDLE; z < LARGE; z += 0.05) {
      expect(moment(z + 0.05)).toBeLessThan(Math.exp(z * share) * (1 - MARGIN));
    }
  });

  it('holds for z of 30 and more, where the largest moment is below e^l', () => {
    // phi / (1 + phi n) is least at n = 1, as phi' < 1.
    const share = phi(1) / (1 + phi(1));
    expect(LARGE * share).toBeGreaterThan(Math.sqrt(8 * LARGE));
    expect(moment(LARGE)).toBeLessThan(Math.exp(Math.sqrt(8 * LARGE)));
  });
});

const pure = (epsilon: string, count: number) => ({ epsilon: new Decimal(epsilon), count });
const patient = { exhausted: () => false };

describe('a Gaussian curve above the adaptive optimum', () => {
  it('stays above after one step, whatever is chosen', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 4, noNaN: true }),
        fc.double({ min: 1e-3, max: 30, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 20, noNaN: true }),
        (e, ratio, share, deviations) => {
          const u = (e * e) / 4;
          const s = ratio * u;
          const r = Math.exp((phi(1) * u) / 5);
          const after = Math.min(
            s + (Math.PI / 2) * u,
            ratio >= 2 ? (s * s) / (s - u) : Infinity,
            ratio >= 1 && u < 0.35 ? s + r * u * phi(u / s) : Infinity,
          );
          const t = share * e;
          const x = deviations * Math.sqrt(s);
          const at = (variance: number, y: number): { lower: number; upper: number } => {
            const curve = gaussianCurve(exactly(variance));
            const { lower, upper } = curve.logDelta(fromDouble(Math.abs(y)));
            if (y >= 0) return { lower: Math.exp(lower), upper: Math.exp(upper) };
            const mirrored = (v: number): number => -Math.expm1(y) + Math.exp(y + v);
            return { lower: mirrored(lower), upper: mirrored(upper) };
          };
          const down = Math.expm1(t - e) / Math.expm1(-e);
          const step = down * at(s, x - t).lower + (1 - down) * at(s, x - t + e).lower;
          expect(step).toBeLessThanOrEqual(at(after, x).upper * (1 + 1e-9));
        },
      ),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['equal', [pure('0.1', 60)]],
    ['large', [pure('1.5', 12)]],
    ['different', [pure('0.1', 8), pure('0.35', 4), pure('0.02', 9)]],
    ['one beside many', [pure('0.8', 1), pure('0.1', 40)]],
  ])('is above what tables certify from below, and near it: %s', (_, groups) => {
    const tables = adaptiveTables(groups, 'any')!;
    const exact = adaptiveOptimum(groups, tables, 1e-2, { ...patient, tolerance: 1e-2 });
    const many = manyBoundedRange(groups, patient)!;
    for (const log of someOf([-2, -8, -20, -60])) {
      const target = exactly(log);
      const [found, known] = [many.epsilon!(target), exact.epsilon!(target)];
      expect(found.upper).toBeGreaterThanOrEqual(known.lower);
      expect(found.lower).toBeLessThanOrEqual(known.upper);
    }
    for (const epsilon of someOf([0, 0.3, 1], 1)) {
      const [found, known] = [many.logDelta(fromDouble(epsilon)), exact.logDelta(fromDouble(epsilon))];
      expect(found.upper).toBeGreaterThanOrEqual(known.lower);
      expect(found.lower).toBeLessThanOrEqual(known.upper);
    }
  });

  it('exceeds the sum of e^2 / 4 by few times the largest of them', () => {
    const excess = (groups: Parameters<typeof gaussianVarianceAbove>[0]): number => {
      const parts = groups.map(({ epsilon, count }) => ({ u: epsilon.toNumber() ** 2 / 4, count }));
      const sum = parts.reduce((total, { u, count }) => total + u * count, 0);
      return (gaussianVarianceAbove(groups) - sum) / sum;
    };
    expect(excess([pure('0.01', 10_000)])).toBeLessThan(5e-4);
    expect(excess([pure('0.1', 10_000)])).toBeLessThan(2e-3);
    expect(excess([pure('0.001', 100_000)])).toBeLessThan(6e-5);
    expect(excess(Array.from({ length: 10 }, (_, i) => pure(String((i + 1) / 100), 100)))).toBeLessThan(1e-2);
    expect(excess([pure('1', 1_000_000_000)])).toBeLessThan(1e-6);
    expect(gaussianVarianceAbove([pure('5', 1000)])).toBe(Infinity);
  });
});
