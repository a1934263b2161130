import { decimal } from '../mechanisms.ts';
import { logFactorial } from '../reference/binomial.ts';
import { ONE, precise } from '../reference/precise.ts';
import { expFixed, multiplied, ofDecimal, ofDouble, oneAt, type Interval, type Real } from './fixed-point.ts';
import { NO_FAILURE, type Truth } from './truth.ts';

const BITS = 512;
/** Bits of the sum relative to its first term. */
const RELATIVE = 400;

type Number60 = ReturnType<typeof precise>;

/** A positive decimal as mantissa times 2^-bits, with `RELATIVE` bits of mantissa. */
function floating(x: Number60): { mantissa: bigint; bits: number } {
  const bits = RELATIVE - Math.floor(x.log(2).toNumber());
  return { mantissa: ofDecimal(x)(bits), bits };
}

const factorials = new Map<number, Number60>();

/** ln n!, remembered for a bounded number of n. */
function rememberedLogFactorial(n: number): Number60 {
  const known = factorials.get(n);
  if (known) return known;
  if (factorials.size > 5000) factorials.clear();
  const value = logFactorial(n);
  factorials.set(n, value);
  return value;
}

/** ln of C(k,i) minus^i plus^(k-i), to 50 digits: minus = plus e^-e. */
function logMasses(k: number, e: Number60): (i: number) => Number60 {
  const logPlus = ONE.plus(e.negated().exp()).ln().negated();
  return (i) =>
    rememberedLogFactorial(k)
      .minus(rememberedLogFactorial(i))
      .minus(rememberedLogFactorial(k - i))
      .plus(logPlus.times(k))
      .minus(e.times(i));
}

/** D(eps) of k randomized responses: the binomial sum from the last positive term towards the largest losses. */
function homogeneousDelta(k: number, epsilonEach: string, logMass: (i: number) => Number60, epsilon: Real): Interval {
  const each = ofDecimal(decimal(epsilonEach));
  const eFixed = each(BITS);
  // i of the largest number of "-" with (k - 2i) e > eps
  const room = BigInt(k) * eFixed - epsilon(BITS);
  if (room <= 0n) return { low: 0n, high: 0n, bits: RELATIVE };
  let i = Number((room - 1n) / (2n * eFixed));
  const one = oneAt(RELATIVE);
  const minus = 1 / (1 + Math.exp(Number(epsilonEach)));
  const mode = Math.ceil(k * minus);
  // Below the mean by more than 8 sqrt(k) lies less than e^-128.
  const cut = mode + Math.ceil(8 * Math.sqrt(k)) + 2;
  const dropped = Math.min(i, k) > cut;
  i = Math.min(i, k, cut);
  const ratio = expFixed(each(RELATIVE), RELATIVE);
  const fall = expFixed(-2n * each(RELATIVE), RELATIVE);
  let w = expFixed(shiftedTo(epsilon(BITS) - BigInt(k - 2 * i) * eFixed), RELATIVE);
  const { mantissa, bits } = floating(logMass(i).exp());
  let weight = one;
  let sum = 0n;
  let terms = 0;
  for (; i >= 0; i--) {
    sum += multiplied(weight, one - w, RELATIVE);
    terms++;
    if (i === 0) break;
    weight = (multiplied(weight, ratio, RELATIVE) * BigInt(i)) / BigInt(k - i + 1);
    w = multiplied(w, fall, RELATIVE);
    // From here on every weight is below the last, and there are i of them.
    if (i < mode && weight * BigInt(i) < sum >> 170n) break;
  }
  const value = mantissa * sum;
  const all = bits + RELATIVE;
  // 60 digits of a logarithm up to 1e8; the terms left out; rounding of each term.
  const error = (value >> 130n) + mantissa * BigInt(terms) * BigInt(k + 64) + 1n;
  const tail = dropped ? ofDouble(1e-55)(all) : 0n;
  return { low: value - error, high: value + error + tail, bits: all };
}

const shiftedTo = (x: bigint): bigint => x >> BigInt(BITS - RELATIVE);

/** 1 - (1 - d)^k, to far more digits than any answer has. */
export function failureOfCopies(k: number, delta: string): Interval {
  const bits = 512;
  const one = oneAt(bits);
  let square = one - ofDecimal(decimal(delta))(bits);
  let product = one;
  for (let rest = k; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) product = multiplied(product, square, bits);
    square = multiplied(square, square, bits);
  }
  const error = BigInt(k) * 4n + 64n;
  return { low: one - product - error, high: one - product + error, bits };
}

/** f + (1 - f) D. */
export function withFailure(failure: Interval, finite: Interval): Interval {
  const bits = Math.max(failure.bits, finite.bits);
  const at = (x: bigint, from: number): bigint => x << BigInt(bits - from);
  const one = oneAt(bits);
  const join = (f: bigint, d: bigint): bigint => f + multiplied(one - f, d, bits);
  return {
    low: join(at(failure.low, failure.bits), at(finite.low, finite.bits)) - 4n,
    high: join(at(failure.high, failure.bits), at(finite.high, finite.bits)) + 4n,
    bits,
  };
}

export function homogeneousTruth(k: number, epsilon: string): Truth {
  const logMass = logMasses(k, precise(epsilon));
  return {
    means: 'optimum',
    deltaAt: (at) => homogeneousDelta(k, epsilon, logMass, at),
    failure: NO_FAILURE,
    maximum: k * Number(epsilon),
  };
}
