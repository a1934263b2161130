import { fc } from '../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { enclosure, exactly, type Enclosure } from '../../src/numeric/enclosure.ts';
import {
  add,
  divide,
  exponential,
  expm1,
  log1p,
  logarithm,
  maximum,
  minimum,
  multiply,
  negate,
  squareRoot,
  subtract,
} from '../../src/numeric/enclosure-arithmetic.ts';
import { nextDown, nextUp } from '../../src/numeric/rounding.ts';
import { ONE, Precise, holds, precise } from '../reference/precise.ts';
import type { Decimal } from '../../src/numeric/decimal.ts';

const moderate = fc.double({ min: -600, max: 600, noNaN: true });
const sized = fc.double({ min: -1e100, max: 1e100, noNaN: true });
const positive = fc.double({ min: Number.MIN_VALUE, max: 1e100, noNaN: true });

/** The point given, with an interval around it. */
const around = (x: number, spread: number): Enclosure => enclosure(x - spread * Math.abs(x), x + spread * Math.abs(x));

describe('interval arithmetic contains the exact result', () => {
  it('of the four operations', () => {
    fc.assert(
      fc.property(sized, sized, positive, fc.double({ min: 0, max: 0.5, noNaN: true }), (x, y, z, spread) => {
        const [a, b, c] = [precise(x), precise(y), precise(z)];
        const [A, B] = [around(x, spread), around(y, spread)];
        expect(holds(add(A, B), a.plus(b))).toBe(true);
        expect(holds(subtract(A, B), a.minus(b))).toBe(true);
        expect(holds(multiply(A, B), a.times(b))).toBe(true);
        expect(holds(divide(A, exactly(z)), a.div(c)) || x / z === Infinity || x / z === -Infinity).toBe(true);
        expect(holds(negate(A), a.negated())).toBe(true);
        expect(holds(squareRoot(exactly(z)), c.sqrt())).toBe(true);
        expect(holds(maximum(A, B), precise(Math.max(x, y)))).toBe(true);
        expect(holds(minimum(A, B), precise(Math.min(x, y)))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
  it('of the elementary functions', () => {
    fc.assert(
      fc.property(moderate, positive, (x, z) => {
        const [a, c] = [precise(x), precise(z)];
        const power = a.exp();
        expect(holds(exponential(exactly(x)), power)).toBe(true);
        const less = new Precise(a.abs().lt(1e-10) ? series(a) : power.minus(1));
        expect(holds(expm1(exactly(x)), less)).toBe(true);
        expect(holds(logarithm(exactly(z)), c.ln())).toBe(true);
        if (z > 1e-30) expect(holds(log1p(exactly(z)), ONE.plus(c).ln())).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
  it('at the ends: ln 0, e^-infinity, e^800', () => {
    expect(logarithm(enclosure(0, 1)).lower).toBe(-Infinity);
    expect(exponential(exactly(-Infinity))).toEqual({ lower: 0, upper: Number.MIN_VALUE });
    expect(exponential(exactly(800)).upper).toBe(Infinity);
    expect(log1p(enclosure(-1, 0)).lower).toBe(-Infinity);
  });
});

/** e^x - 1 for |x| < 1e-10. */
const series = (x: Decimal): Decimal =>
  x.times(ONE.plus(x.div(2).times(ONE.plus(x.div(3).times(ONE.plus(x.div(4).times(ONE.plus(x.div(5)))))))));

describe('neighbours', () => {
  it('are on the right side of every double, at most two steps away', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
        expect(nextUp(x)).toBeGreaterThan(x);
        expect(nextDown(x)).toBeLessThan(x);
        if (Math.abs(x) > 1e-300) expect(Math.abs(nextUp(x) - x)).toBeLessThanOrEqual(Math.abs(x) * 2 ** -51);
      }),
    );
  });
  it('of infinities stay bounds', () => {
    expect(nextUp(Infinity)).toBe(Infinity);
    expect(nextDown(-Infinity)).toBe(-Infinity);
    expect(nextDown(Infinity)).toBe(Number.MAX_VALUE);
    expect(nextUp(-Infinity)).toBe(-Number.MAX_VALUE);
  });
  it('of results beyond doubles are numbers, and bounds', () => {
    expect(exponential(exactly(800))).toEqual({
      lower: expect.closeTo(Number.MAX_VALUE, -300) as number,
      upper: Infinity,
    });
    expect(exponential(exactly(800)).lower).toBeLessThan(Number.MAX_VALUE);
    expect(logarithm(exactly(0))).toEqual({ lower: -Infinity, upper: -Infinity });
    expect(logarithm(enclosure(0, 1)).lower).toBe(-Infinity);
  });
});
