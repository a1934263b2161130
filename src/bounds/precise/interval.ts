import { Decimal } from '../../numeric/decimal.ts';
import { advance, type Watch } from '../../numeric/watch.ts';

/** The true value lies in [lower, upper]; equal ends: it is that decimal. */
export interface Interval {
  readonly lower: Decimal;
  readonly upper: Decimal;
}

const FLOOR = 3;
const CEILING = 2;

const isExact = ({ lower, upper }: Interval): boolean => lower.eq(upper);

/**
 * Interval arithmetic in decimals of a given number of digits: every lower end is computed by a context that rounds
 * down, every upper end by one that rounds up, so the ends hold whatever is lost on the way. How many digits are left is
 * read off the width of the result.
 *
 * Sums, products, quotients and roots of decimal.js are correctly rounded. So are, as documented, its exponential and
 * logarithm; they are given one more unit in the last place here.
 *
 * Products, of which all long work consists, throw Interrupted where the work is to be given up.
 */
export class Arithmetic {
  readonly digits: number;
  readonly #Down: typeof Decimal;
  readonly #Up: typeof Decimal;
  readonly zero: Interval;
  readonly one: Interval;
  readonly #watch: Watch;

  constructor(digits: number, watch: Watch = {}) {
    this.digits = digits;
    this.#watch = watch;
    this.#Down = Decimal.clone({ precision: digits, rounding: FLOOR });
    this.#Up = Decimal.clone({ precision: digits, rounding: CEILING });
    this.zero = this.of(0);
    this.one = this.of(1);
  }

  /** The same work in another number of digits. */
  withDigits(digits: number): Arithmetic {
    return new Arithmetic(digits, this.#watch);
  }

  /** The number itself, with all its digits. */
  of(value: Decimal | number | string): Interval {
    return { lower: new this.#Down(value), upper: new this.#Up(value) };
  }

  /** Between two decimals. */
  between(lower: Decimal, upper: Decimal): Interval {
    return { lower: new this.#Down(lower), upper: new this.#Up(upper) };
  }

  /** The smallest interval around both. */
  hull(a: Interval, b: Interval): Interval {
    return { lower: a.lower.lt(b.lower) ? a.lower : b.lower, upper: a.upper.gt(b.upper) ? a.upper : b.upper };
  }

  min(a: Interval, b: Interval): Interval {
    return { lower: a.lower.lt(b.lower) ? a.lower : b.lower, upper: a.upper.lt(b.upper) ? a.upper : b.upper };
  }

  max(a: Interval, b: Interval): Interval {
    return { lower: a.lower.gt(b.lower) ? a.lower : b.lower, upper: a.upper.gt(b.upper) ? a.upper : b.upper };
  }

  negate({ lower, upper }: Interval): Interval {
    return this.between(upper.negated(), lower.negated());
  }

  add(a: Interval, b: Interval): Interval {
    return { lower: a.lower.plus(b.lower), upper: a.upper.plus(b.upper) };
  }

  subtract(a: Interval, b: Interval): Interval {
    return { lower: a.lower.minus(b.upper), upper: a.upper.minus(b.lower) };
  }

  multiply(a: Interval, b: Interval): Interval {
    advance(this.#watch);
    if (!a.lower.isNegative() && !b.lower.isNegative()) {
      return { lower: a.lower.times(b.lower), upper: a.upper.times(b.upper) };
    }
    const [w, x, y, z] = [this.of(a.lower), this.of(a.upper), this.of(b.lower), this.of(b.upper)];
    const products = [this.#product(w, y), this.#product(w, z), this.#product(x, y), this.#product(x, z)];
    return products.reduce((all, product) => this.hull(all, product));
  }

  #product(a: Interval, b: Interval): Interval {
    return { lower: a.lower.times(b.lower), upper: a.upper.times(b.upper) };
  }

  /** a / b, b > 0. */
  divide(a: Interval, b: Interval): Interval {
    return {
      lower: a.lower.div(a.lower.isNegative() ? b.lower : b.upper),
      upper: a.upper.div(a.upper.isNegative() ? b.upper : b.lower),
    };
  }

  square(a: Interval): Interval {
    if (!a.lower.isNegative()) return this.multiply(a, a);
    if (!a.upper.isPositive()) return this.square(this.negate(a));
    return this.max(this.zero, this.multiply(a, a));
  }

  /** x >= 0; an interval that reaches below counts from 0. */
  squareRoot({ lower, upper }: Interval): Interval {
    return { lower: lower.isNegative() ? this.zero.lower : lower.sqrt(), upper: upper.sqrt() };
  }

  exponential({ lower, upper }: Interval): Interval {
    const [a, b] = [lower.exp(), upper.exp()];
    return { lower: a.minus(this.#unit(a)), upper: b.plus(this.#unit(b)) };
  }

  /** e^x - 1, by subtraction. */
  expm1(a: Interval): Interval {
    return this.subtract(this.exponential(a), this.one);
  }

  /** ln x for x > 0; an interval that reaches 0 or below begins at -Infinity. */
  logarithm({ lower, upper }: Interval): Interval {
    const [a, b] = [lower.gt(0) ? lower.ln() : new this.#Down(-Infinity), upper.ln()];
    return { lower: a.minus(this.#unit(a)), upper: b.plus(this.#unit(b)) };
  }

  /** ln(1 + x). */
  log1p(a: Interval): Interval {
    return this.logarithm(this.add(this.one, a));
  }

  /** x^n for x >= 0 and a whole n >= 0, by repeated squaring. */
  power(x: Interval, n: Decimal): Interval {
    let result = this.one;
    let square = x;
    for (let rest = BigInt(n.toFixed(0)); rest > 0n; rest >>= 1n) {
      if ((rest & 1n) === 1n) result = this.multiply(result, square);
      if (rest > 1n) square = this.multiply(square, square);
    }
    return result;
  }

  sum(parts: readonly Interval[]): Interval {
    return parts.reduce((all, part) => this.add(all, part), this.zero);
  }

  /** Some decimal in the middle, to the digits of this arithmetic: for estimates. */
  middle({ lower, upper }: Interval): Decimal {
    return lower.plus(upper).div(2);
  }

  /** A unit in the last place of what this arithmetic computed. */
  #unit(x: Decimal): Decimal {
    return x.isZero() || !x.isFinite() ? new this.#Up(0) : new this.#Up(`1e${x.e - this.digits + 1}`);
  }
}

/** Whether at least `digits` digits of the value are known. */
export function isKnownTo(interval: Interval, digits: number): boolean {
  if (isExact(interval)) return true;
  const { lower, upper } = interval;
  if (!lower.isFinite() || !upper.isFinite()) return false;
  return upper.minus(lower).lte(upper.abs().times(`1e-${digits}`));
}

/**
 * The upper end to `digits` significant digits, rounded up. A value known exactly is written as short as it is; any
 * other with all its digits.
 */
export function upperDigits(interval: Interval, digits: number): string {
  const rounded = interval.upper.toSignificantDigits(digits, CEILING);
  return isExact(interval) && rounded.eq(interval.upper) ? rounded.toString() : rounded.toPrecision(digits);
}
