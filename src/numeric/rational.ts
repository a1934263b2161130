import { Decimal, encloseQuotient, toLower, toUpper } from './decimal.ts';
import { enclosure, type Enclosure } from './enclosure.ts';

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

/** More digits than any double needs to be told from its neighbours. */
const DIGITS = 800;

/** The tightest pair of doubles around a rational number; one double where it is exact. */
export function encloseRational(value: Rational): Enclosure {
  const [numerator, denominator] = [Number(value.numerator), Number(value.denominator)];
  if (Number.isSafeInteger(numerator) && Number.isSafeInteger(denominator)) {
    return encloseQuotient(numerator, denominator);
  }
  return enclosure(toLower(roundedDecimal(value, DIGITS, 'down')), toUpper(roundedDecimal(value, DIGITS, 'up')));
}
