import { fc } from '../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../src/numeric/decimal.ts';
import { enclosure, exactly, type Enclosure } from '../../src/numeric/enclosure.ts';
import { nextDown, nextUp } from '../../src/numeric/rounding.ts';
import { gaussianLogDelta } from '../../src/privacy/gaussian.ts';
import { contains, golden, logDeltaByDecimals } from '../numeric/normal-oracle.ts';

const at = (mu: number, epsilon: number): Enclosure => gaussianLogDelta(exactly(mu), exactly(epsilon));

/** Uniform in the logarithm. */
const logUniform = (least: number, most: number): fc.Arbitrary<number> =>
  fc.double({ min: Math.log10(least), max: Math.log10(most), noNaN: true }).map((exponent) => 10 ** exponent);

/** a = epsilon/mu - mu/2 in [-8, 40], where the methods meet. */
const nearTheMiddle = fc
  .tuple(logUniform(1e-6, 1e3), fc.double({ min: -8, max: 40, noNaN: true }))
  .map(([mu, a]): [number, number] => [mu, Math.max(0, mu * (a + mu / 2))]);
const domain = fc.oneof(nearTheMiddle, fc.tuple(logUniform(1e-6, 1e3), logUniform(1e-12, 1e4)));

/** The stated limit on the relative width of delta. */
const widthLimit = (logDelta: number): number => Math.max(2e-13, Math.abs(logDelta) * 10 * 2 ** -53);

describe('gaussianLogDelta', () => {
  it('encloses the golden values within the stated width', () => {
    for (const [mu, epsilon, text] of golden.logDelta) {
      const result = at(mu, epsilon);
      const place = `mu = ${mu}, epsilon = ${epsilon}`;
      expect(contains(result, new Decimal(text)), `${place}: ${text} in [${result.lower}, ${result.upper}]`).toBe(true);
      expect(result.upper - result.lower, place).toBeLessThanOrEqual(widthLimit(Number(text)));
    }
  });
  it('has the stated width all over its domain', () => {
    fc.assert(
      fc.property(domain, ([mu, epsilon]) => {
        const { lower, upper } = at(mu, epsilon);
        expect(upper - lower).toBeGreaterThanOrEqual(0);
        expect(upper - lower).toBeLessThanOrEqual(widthLimit(upper));
      }),
      { numRuns: 2000 },
    );
  });
  it('contains the definition evaluated with 160 digits', () => {
    const points = fc
      .tuple(logUniform(1e-3, 12), fc.double({ min: 0, max: 8, noNaN: true }))
      .map(([mu, m]): [number, number] => [mu, mu * m]);
    fc.assert(
      fc.property(points, ([mu, epsilon]) => contains(at(mu, epsilon), logDeltaByDecimals(mu, epsilon))),
      { numRuns: 40 },
    );
  });
  it('contains the definition at negative epsilon', () => {
    for (const [mu, epsilon] of [
      [0.5, -0.25],
      [1e-3, -1e-9],
      [0.1, -0.7],
      [3, -2],
      [1, -9],
    ] as const) {
      const result = at(mu, epsilon);
      expect(contains(result, logDeltaByDecimals(mu, epsilon))).toBe(true);
      expect(result.upper - result.lower).toBeLessThanOrEqual(2e-13);
    }
  });
  it('never contradicts that delta increases in mu and decreases in epsilon', () => {
    fc.assert(
      fc.property(domain, fc.double({ min: 0, max: 1, noNaN: true }), ([mu, epsilon], step) => {
        const { lower, upper } = at(mu, epsilon);
        for (const more of [nextUp(mu), mu * (1 + 1e-9 * step), mu * (1 + step)]) {
          expect(at(more, epsilon).upper).toBeGreaterThanOrEqual(lower);
        }
        for (const more of [nextUp(epsilon), epsilon * (1 + 1e-9 * step), epsilon + step]) {
          expect(at(mu, more).lower).toBeLessThanOrEqual(upper);
        }
      }),
      { numRuns: 500 },
    );
  });
  it('widens with its arguments', () => {
    fc.assert(
      fc.property(domain, ([mu, epsilon]) => {
        const point = at(mu, epsilon);
        const wide = gaussianLogDelta(
          enclosure(nextDown(mu), nextUp(mu)),
          enclosure(Math.max(0, nextDown(epsilon)), nextUp(epsilon)),
        );
        expect(wide.lower).toBeLessThanOrEqual(point.upper);
        expect(wide.upper).toBeGreaterThanOrEqual(point.lower);
        expect(wide.lower).toBeLessThanOrEqual(wide.upper);
      }),
    );
  });
  it('gives ends in order, at most 0, at every pair of doubles', () => {
    const anyMu = fc.double({ min: 0, noNaN: true });
    const anyPair = fc.tuple(anyMu, fc.double({ noNaN: true }));
    const balanced = fc.tuple(anyMu, fc.double({ min: 0.999, max: 1.001, noNaN: true }));
    const pair = fc.oneof(
      anyPair,
      balanced.map(([mu, factor]): [number, number] => [mu, factor * mu * (mu / 2)]),
    );
    fc.assert(
      fc.property(pair, ([mu, epsilon]) => {
        const { lower, upper } = at(mu, epsilon);
        return lower <= upper && upper <= 0;
      }),
      { numRuns: 1000 },
    );
  });
  it('knows the ends of its range', () => {
    expect(at(0, 0)).toEqual({ lower: -Infinity, upper: -Infinity });
    expect(at(Infinity, 1).upper).toBe(0);
    expect(at(1, Infinity).lower).toBe(-Infinity);
    expect(() => gaussianLogDelta(exactly(-1), exactly(0))).toThrow(RangeError);
    expect(() => gaussianLogDelta(exactly(NaN), exactly(0))).toThrow(RangeError);
  });
});
