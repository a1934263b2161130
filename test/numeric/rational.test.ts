import { fc } from '../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { Decimal, decimalFromDouble } from '../../src/numeric/decimal.ts';
import {
  encloseLogRational,
  encloseRational,
  larger,
  Rational,
  roundedDecimal,
  total,
} from '../../src/numeric/rational.ts';

const whole = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const positive = fc.bigInt({ min: 1n, max: 10n ** 30n });
const rational = fc.tuple(whole, positive).map(([n, d]) => Rational.of(n, d));
const nonzero = rational.filter((value) => !value.isZero());

const same = (a: Rational, b: Rational): void => {
  expect(a.toString()).toBe(b.toString());
};

describe('rational numbers', () => {
  it('are in lowest terms, with the sign above the line', () => {
    expect(Rational.of(6, -8).toString()).toBe('-3/4');
    expect(Rational.of(-6, -3).toString()).toBe('2');
    expect(Rational.of(0, -5).toString()).toBe('0');
    fc.assert(
      fc.property(rational, positive, (value, factor) => {
        same(Rational.of(value.numerator * factor, value.denominator * factor), value);
      }),
    );
  });

  it('have no denominator 0', () => {
    expect(() => Rational.of(1, 0)).toThrow(RangeError);
    expect(() => Rational.ONE.over(Rational.ZERO)).toThrow(RangeError);
  });

  it('are a field', () => {
    fc.assert(
      fc.property(rational, rational, rational, (a, b, c) => {
        same(a.plus(b), b.plus(a));
        same(a.times(b), b.times(a));
        same(a.plus(b).plus(c), a.plus(b.plus(c)));
        same(a.times(b).times(c), a.times(b.times(c)));
        same(a.plus(b).times(c), a.times(c).plus(b.times(c)));
        same(a.minus(a), Rational.ZERO);
        same(a.plus(Rational.ZERO), a);
        same(a.times(Rational.ONE), a);
      }),
    );
    fc.assert(
      fc.property(rational, nonzero, (a, b) => {
        same(a.over(b).times(b), a);
      }),
    );
  });

  it('are ordered, and sums keep the order', () => {
    fc.assert(
      fc.property(rational, rational, rational, (a, b, c) => {
        expect(a.compare(b) + b.compare(a)).toBe(0);
        expect(a.compare(b) === 0).toBe(a.equals(b));
        expect(a.plus(c).compare(b.plus(c))).toBe(a.compare(b));
        same(larger(a, b), a.compare(b) > 0 ? a : b);
      }),
    );
  });

  it('are powers and sums of themselves', () => {
    same(Rational.of(2, 3).power(5), Rational.of(32, 243));
    same(Rational.of(2, 3).power(0), Rational.ONE);
    same(total([Rational.of(1, 2), Rational.of(1, 3), Rational.of(1, 6)]), Rational.ONE);
    same(total([]), Rational.ZERO);
  });

  it('are the decimals that they are written as', () => {
    same(Rational.ofDecimal(new Decimal('0.271')), Rational.of(271, 1000));
    same(Rational.ofDecimal(new Decimal('-12e3')), Rational.of(-12_000));
    same(Rational.ofDecimal(new Decimal('1e-300')), Rational.of(1n, 10n ** 300n));
  });

  it('lie between the decimals on both sides of them', () => {
    expect(roundedDecimal(Rational.of(2, 3), 4, 'down').toString()).toBe('0.6666');
    expect(roundedDecimal(Rational.of(2, 3), 4, 'up').toString()).toBe('0.6667');
    expect(roundedDecimal(Rational.of(3, 4), 4, 'up').toString()).toBe('0.75');
    fc.assert(
      fc.property(rational, fc.integer({ min: 1, max: 40 }), (value, digits) => {
        expect(Rational.ofDecimal(roundedDecimal(value, digits, 'down')).compare(value)).toBeLessThanOrEqual(0);
        expect(Rational.ofDecimal(roundedDecimal(value, digits, 'up')).compare(value)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('lie between neighbouring doubles, or are one', () => {
    fc.assert(
      fc.property(rational, (value) => {
        const { lower, upper } = encloseRational(value);
        expect(Rational.ofDecimal(decimalFromDouble(lower)).compare(value)).toBeLessThanOrEqual(0);
        expect(Rational.ofDecimal(decimalFromDouble(upper)).compare(value)).toBeGreaterThanOrEqual(0);
        expect([lower, upper] as number[]).toContain(lower / 2 + upper / 2);
      }),
    );
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }), (x) => {
        const { lower, upper } = encloseRational(Rational.ofDecimal(decimalFromDouble(x)));
        expect([lower + 0, upper + 0]).toEqual([x + 0, x + 0]);
      }),
    );
  });

  it('have logarithms that are good relative to themselves, near 1 and beyond doubles too', () => {
    const Wide = Decimal.clone({ precision: 400 });
    const near = fc.tuple(positive, positive).map(([a, b]) => Rational.of(a * 10n ** 12n + b, a * 10n ** 12n));
    const far = fc.tuple(positive, fc.integer({ min: -3000, max: 3000 })).map(([a, k]) => {
      const power = 10n ** BigInt(Math.abs(k));
      return k < 0 ? Rational.of(a, power) : Rational.of(a * power);
    });
    const above = rational.filter((value) => value.compare(Rational.ZERO) > 0);
    fc.assert(
      fc.property(fc.oneof(above, near, far), (value) => {
        const exact = new Wide(value.numerator.toString()).div(value.denominator.toString()).ln();
        const { lower, upper } = encloseLogRational(value);
        expect(exact.gte(lower) && exact.lte(upper)).toBe(true);
        expect(upper - lower).toBeLessThanOrEqual(1e-14 * Math.abs(lower));
      }),
    );
  });
});
