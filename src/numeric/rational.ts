import { beside, compareQuotient, Decimal } from './decimal.ts';
import { enclosure, type Enclosure } from './enclosure.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF } from './rounding.ts';

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

const magnitude = (x: bigint): bigint => (x < 0n ? -x : x);

/** An exact rational number, in lowest terms with a denominator above 0. */
export class Rational {
  static readonly ZERO = new Rational(0n, 1n);
  static readonly ONE = new Rational(1n, 1n);

  readonly numerator: bigint;
  readonly denominator: bigint;

  private constructor(numerator: bigint, denominator: bigint) {
    this.numerator = numerator;
    this.denominator = denominator;
  }

  /** `numerator` / `denominator`, both whole; a denominator of 0 throws a RangeError. */
  static of(numerator: bigint | number, denominator: bigint | number = 1n): Rational {
    const [n, d] = [BigInt(numerator), BigInt(denominator)];
    if (d === 0n) throw new RangeError('a rational number has no denominator 0');
    const divisor = greatestCommonDivisor(magnitude(n), magnitude(d)) * (d < 0n ? -1n : 1n);
    return new Rational(n / divisor, d / divisor);
  }

  /** The decimal itself, which must be finite. */
  static ofDecimal(value: Decimal): Rational {
    const [whole = '', fraction = ''] = value.toFixed().split('.');
    return Rational.of(BigInt(whole + fraction), 10n ** BigInt(fraction.length));
  }

  plus(other: Rational): Rational {
    if (this.denominator === other.denominator) {
      return Rational.of(this.numerator + other.numerator, this.denominator);
    }
    return Rational.of(
      this.numerator * other.denominator + other.numerator * this.denominator,
      this.denominator * other.denominator,
    );
  }

  minus(other: Rational): Rational {
    return this.plus(other.negated());
  }

  negated(): Rational {
    return new Rational(-this.numerator, this.denominator);
  }

  times(other: Rational): Rational {
    return Rational.of(this.numerator * other.numerator, this.denominator * other.denominator);
  }

  /** `this` / `other`; a divisor of 0 throws a RangeError. */
  over(other: Rational): Rational {
    return Rational.of(this.numerator * other.denominator, this.denominator * other.numerator);
  }

  /** The largest number of which both, which are positive, are whole multiples. */
  commonDivisor(other: Rational): Rational {
    const divisor = greatestCommonDivisor(this.numerator * other.denominator, other.numerator * this.denominator);
    return Rational.of(divisor, this.denominator * other.denominator);
  }

  /** `this` to the power of a whole `exponent` of at least 0. */
  power(exponent: number): Rational {
    const n = BigInt(exponent);
    return new Rational(this.numerator ** n, this.denominator ** n);
  }

  /** Negative where `this` is less than `other`, 0 where they are equal, positive where it is more. */
  compare(other: Rational): -1 | 0 | 1 {
    const [a, b] = [this.numerator * other.denominator, other.numerator * this.denominator];
    return a < b ? -1 : a > b ? 1 : 0;
  }

  equals(other: Rational): boolean {
    return this.numerator === other.numerator && this.denominator === other.denominator;
  }

  isZero(): boolean {
    return this.numerator === 0n;
  }

  /** `3/4`, or `3` where it is whole. */
  toString(): string {
    return this.denominator === 1n ? String(this.numerator) : `${String(this.numerator)}/${String(this.denominator)}`;
  }
}

/** The larger of two. */
export const larger = (a: Rational, b: Rational): Rational => (a.compare(b) < 0 ? b : a);

/** The sum of all; 0 of none. */
export const total = (values: Iterable<Rational>): Rational => {
  let sum = Rational.ZERO;
  for (const value of values) sum = sum.plus(value);
  return sum;
};

/** decimal.js's name for rounding toward negative and toward positive infinity. */
const [FLOOR, CEILING] = [3, 2] as const;

/** The decimal of `digits` significant digits next to `value` on one side; `value` itself where that has no more digits. */
export function roundedDecimal(value: Rational, digits: number, direction: 'down' | 'up'): Decimal {
  const Directed = Decimal.clone({ precision: digits, rounding: direction === 'down' ? FLOOR : CEILING });
  return new Decimal(new Directed(String(value.numerator)).div(new Directed(String(value.denominator))));
}

/** Bits that a quotient of whole numbers is computed to, at least. */
const QUOTIENT_BITS = 60;

/** A rational number as x 2^exponent, x the nearest double but for ties. */
function scaledDouble({ numerator, denominator }: Rational): { x: number; exponent: number } {
  const bits = (n: bigint): number => 4 * n.toString(16).length;
  const shift = QUOTIENT_BITS + 8 + bits(denominator) - bits(numerator);
  const quotient =
    shift >= 0 ? (numerator << BigInt(shift)) / denominator : numerator / (denominator << BigInt(-shift));
  return { x: Number(quotient), exponent: -shift };
}

/** x 2^exponent, in two halves of which neither leaves the range of doubles before the product does. */
const unscaled = ({ x, exponent }: { x: number; exponent: number }): number =>
  x * 2 ** Math.floor(exponent / 2) * 2 ** Math.ceil(exponent / 2);

/** The tightest pair of doubles around a rational number; one double where it is exact. */
export function encloseRational(value: Rational): Enclosure {
  const nearest = unscaled(scaledDouble(value));
  const side = Number.isFinite(nearest)
    ? compareQuotient(nearest, value.numerator, value.denominator)
    : Math.sign(nearest);
  return beside(nearest, side);
}

/** Bounds the relative error of `logRational`. */
export const LOG_RATIONAL_ERROR = ELEMENTARY_ERROR + 4 * UNIT_ROUNDOFF;

/** Nearer to 1 a logarithm is of what differs from 1. */
const NEAR_ONE = 0.5;

/** A logarithm is of a double between these; beyond, that of a power of 2 is apart. */
const [SMALL, LARGE] = [1e-300, 1e300];

/**
 * ln of a rational number above 0, however near to 1 it is: the error is relative.
 *
 * [derived] The double that ln or ln(1 + x) is taken of is rounded once, which moves the logarithm by at most 2.5 times as much,
 * as |ln 1.5| > 0.4; that has the error of an elementary function. Beyond doubles the power of 2 adds two roundings.
 */
export function logRational(value: Rational): number {
  const excess = unscaled(scaledDouble(value.minus(Rational.ONE)));
  if (Math.abs(excess) < NEAR_ONE) return Math.log1p(excess);
  const scaled = scaledDouble(value);
  const nearest = unscaled(scaled);
  return nearest > SMALL && nearest < LARGE ? Math.log(nearest) : Math.log(scaled.x) + scaled.exponent * Math.LN2;
}

/** Encloses ln of a rational number above 0. */
export function encloseLogRational(value: Rational): Enclosure {
  const logarithm = logRational(value);
  const error = 2 * LOG_RATIONAL_ERROR * Math.abs(logarithm);
  return enclosure(logarithm - error, logarithm + error);
}
