import { Decimal } from './decimal.ts';
import { type RandomSource, bit } from './random.ts';
import { Rational } from './rational.ts';

/** Bits of a uniform number that are drawn at first, and each time when those do not decide. */
const FIRST_BITS = 53;
const MORE_BITS = 64;

/** The relative error that a double may have and still decide, for e^-gamma with the gamma of {@link ExactExponent}. */
const SLACK = 2 ** -48;

/** Decimal digits beyond those that as many bits need. */
const SPARE_DIGITS = 20;
const DIGITS_PER_BIT = Math.log10(2);

/** e^-gamma is below 2^-(gamma * this). */
const BITS_PER_UNIT = 1.44;

/** gamma >= 0, as it is and in doubles. */
export interface ExactExponent {
  /** Off by 2^-50 (1 + gamma) at most, and 0 only where gamma is. */
  readonly approximate: number;
  /** gamma; or two numbers around it, which come together as more bits are asked for. */
  readonly exact: (bits: number) => Rational | readonly [least: Rational, most: Rational];
}

/** As many random bits as a whole number. */
function randomBits(count: number, source: RandomSource): bigint {
  let value = 0n;
  for (let left = count; left > 0;) {
    const bits = left % 32 || 32;
    value = (value << BigInt(bits)) | BigInt(source.word() >>> (32 - bits));
    left -= bits;
  }
  return value;
}

/** Whole numbers around 2^n times a number. */
type Scaled = (n: number) => readonly [below: bigint, above: bigint];

/** Whether a uniform number that begins with these n bits is below a probability; draws more bits until that is certain. */
function isBelow(start: bigint, n: number, scaled: Scaled, source: RandomSource): boolean {
  let [uniform, digits] = [start, n];
  for (;;) {
    const [below, above] = scaled(digits);
    if (uniform + 1n <= below) return true;
    if (uniform >= above) return false;
    uniform = (uniform << BigInt(MORE_BITS)) | randomBits(MORE_BITS, source);
    digits += MORE_BITS;
  }
}

/** 2^n e^-gamma, between whole numbers. */
function scaledExponential({ approximate, exact }: ExactExponent): Scaled {
  return (n) => {
    if (approximate * BITS_PER_UNIT > n + 1) return [0n, 1n];
    const digits = Math.ceil(n * DIGITS_PER_BIT) + SPARE_DIGITS;
    const Precise = Decimal.clone({ precision: digits + Math.ceil(Math.log10(approximate + 10)), rounding: 4 });
    const whole = ({ numerator, denominator }: Rational): bigint => {
      const gamma = new Precise(numerator.toString()).div(denominator.toString());
      return BigInt(gamma.negated().exp().times(new Precise(2).pow(n)).floor().toFixed());
    };
    const gamma = exact(n);
    const [lower, upper] = gamma instanceof Rational ? [gamma, gamma] : gamma;
    const [above, below] = [whole(lower) + 2n, whole(upper) - 1n];
    return [below > 0n ? below : 0n, above];
  };
}

/**
 * True with probability e^-gamma, exactly, for a gamma >= 0, if the words of `source` are uniform and independent.
 *
 * A uniform number is compared with e^-gamma bit by bit: its first 53 with a double and a margin for that, further ones
 * with decimals of as many digits as it takes, in about one of 10^14 cases.
 */
export function exponentialCoin(gamma: ExactExponent, source: RandomSource): boolean {
  const { approximate } = gamma;
  if (approximate === 0) return true;
  const high = source.word() >>> 11;
  const low = source.word();
  const uniform = high * 2 ** 32 + low;
  const value = Math.exp(-approximate) * 2 ** FIRST_BITS;
  const margin = value * (approximate + 4) * SLACK;
  if (uniform + 1 <= value - margin) return true;
  if (uniform >= value + margin && value > 0) return false;
  const start = (BigInt(high) << 32n) | BigInt(low);
  return isBelow(start, FIRST_BITS, scaledExponential(gamma), source);
}

const BASE = 2n ** 32n;

/**
 * A coin with a rational chance of heads, exactly, however small, if the words of the source are uniform and independent.
 *
 * A uniform number is compared with the chance digit by digit to the base 2^32, and only as many digits are drawn as the
 * comparison needs; where only heads can come, none.
 */
export class RationalCoin {
  readonly #heads: Rational;
  readonly #leading: number;

  /** `heads`: from 0 to 1; else a RangeError is thrown. */
  constructor(heads: Rational) {
    if (heads.compare(Rational.ZERO) < 0 || heads.compare(Rational.ONE) > 0) {
      throw new RangeError('a chance must be from 0 to 1');
    }
    this.#heads = heads;
    this.#leading = Number((heads.numerator * BASE) / heads.denominator);
  }

  /** Whether it shows heads. */
  toss(source: RandomSource): boolean {
    if (this.#leading === 2 ** 32) return true;
    const first = source.word();
    return first === this.#leading ? this.#tossOn(source) : first < this.#leading;
  }

  /** The same where the first digit is that of the chance. */
  #tossOn(source: RandomSource): boolean {
    const { numerator, denominator } = this.#heads;
    for (let remainder = (numerator * BASE) % denominator; ; remainder = (remainder * BASE) % denominator) {
      const [digit, limit] = [source.word(), Number((remainder * BASE) / denominator)];
      if (digit !== limit) return digit < limit;
    }
  }
}

/** Binary digits after the point that a normal is known to at first. */
export const FIRST_DIGITS = 64;

/** A real number of which so many binary digits after the point are known: it is from cell to cell + 1, times 2^-digits. */
interface KnownDigits {
  readonly cell: bigint;
  readonly digits: number;
}

const WORD = 2 ** -32;

const rational = (n: number, denominator: bigint | number): ExactExponent => ({
  approximate: n / Number(denominator),
  exact: () => Rational.of(n, denominator),
});

const HALF = rational(1, 2);

/**
 * The first digits of a standard normal, exactly, if the words of `source` are uniform and independent: of the real number drawn
 * all digits that are not told yet are uniform and independent too, so that who needs more of them draws them by {@link moreDigits}.
 *
 * A whole k >= 0 of weight e^(-k^2 / 2) and a uniform x of [0, 1), taken with chance e^(-x (2k + x) / 2), are k + x of the law of |N|.
 * Coins look at as many digits of x as decide them, and what is decided holds for all of the cell. With 64 digits gamma is known within
 * 2^-50 (1 + gamma) for every k up to 2^14; a larger one is drawn with a chance below e^(-2^26).
 *
 * Source: Karney, "Sampling exactly from the normal distribution", ACM TOMS 42 (2016), Algorithm N.
 */
export function exactNormal(source: RandomSource): KnownDigits {
  for (;;) {
    let k = 0;
    while (exponentialCoin(HALF, source)) k++;
    if (!exponentialCoin(rational(k * (k - 1), 2), source)) continue;
    const [high, low] = [source.word(), source.word()];
    const x = (high + (low + 0.5) * WORD) * WORD;
    let fraction: KnownDigits = { cell: (BigInt(high) << 32n) | BigInt(low), digits: FIRST_DIGITS };
    const gammaAt = (cell: bigint): Rational => {
      const unit = 1n << BigInt(fraction.digits);
      return Rational.of(cell * (2n * BigInt(k) * unit + cell), 2n * unit * unit);
    };
    const gamma: ExactExponent = {
      approximate: (x * (2 * k + x)) / 2,
      exact: (bits) => {
        if (fraction.digits < bits + FIRST_DIGITS) fraction = moreDigits(fraction, FIRST_DIGITS, source);
        return [gammaAt(fraction.cell), gammaAt(fraction.cell + 1n)];
      },
    };
    if (!exponentialCoin(gamma, source)) continue;
    const { cell, digits } = fraction;
    const magnitude = (BigInt(k) << BigInt(digits)) | cell;
    return { cell: bit(source) === 1 ? magnitude : ~magnitude, digits };
  }
}

/** The same number to so many digits more. */
export const moreDigits = ({ cell, digits }: KnownDigits, more: number, source: RandomSource): KnownDigits => ({
  cell: (cell << BigInt(more)) | randomBits(more, source),
  digits: digits + more,
});
