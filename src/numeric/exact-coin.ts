import { Decimal } from './decimal.ts';
import type { RandomSource } from './random.ts';
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
export function randomBits(count: number, source: RandomSource): bigint {
  let value = 0n;
  for (let left = count; left > 0;) {
    const taken = left % 32 || 32;
    value = (value << BigInt(taken)) | BigInt(source.word() >>> (32 - taken));
    left -= taken;
  }
  return value;
}

/** Whole numbers around 2^n times a number. */
type Scaled = (n: number) => readonly [below: bigint, above: bigint];

/** Whether a uniform number that begins with these n bits is below a probability; draws more bits until that is certain. */
function isBelow(start: bigint, n: number, scaled: Scaled, source: RandomSource): boolean {
  let [uniform, drawn] = [start, n];
  for (;;) {
    const [below, above] = scaled(drawn);
    if (uniform + 1n <= below) return true;
    if (uniform >= above) return false;
    uniform = (uniform << BigInt(MORE_BITS)) | randomBits(MORE_BITS, source);
    drawn += MORE_BITS;
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
    const [least, most] = gamma instanceof Rational ? [gamma, gamma] : gamma;
    const [above, below] = [whole(least) + 2n, whole(most) - 1n];
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
    for (let rest = (numerator * BASE) % denominator; ; rest = (rest * BASE) % denominator) {
      const [digit, limit] = [source.word(), Number((rest * BASE) / denominator)];
      if (digit !== limit) return digit < limit;
    }
  }
}
