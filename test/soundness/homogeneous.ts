import { decimal } from '../mechanisms.ts';
import { logBinomialByDecimals } from '../reference/binomial.ts';
import { ONE, Precise, precise } from '../reference/precise.ts';
import { expFixed, multiplied, ofDecimal, ofDouble, oneAt, type Interval, type Real } from './fixed-point.ts';
import { NO_FAILURE, type Truth } from './truth.ts';

const BITS = 512;
/** Bits of the sum relative to its first term. */
const RELATIVE = 400;

/** A positive decimal as mantissa times 2^-bits, with `RELATIVE` bits of mantissa. */
function floating(x: InstanceType<typeof Precise>): { mantissa: bigint; bits: number } {
  const bits = RELATIVE - Math.floor(x.log(2).toNumber());
  return { mantissa: ofDecimal(x)(bits), bits };
}

/** ln of C(k,i) minus^i plus^(k-i), to 50 digits. */
function logMass(k: number, i: number, e: InstanceType<typeof Precise>): InstanceType<typeof Precise> {
  const minus = ONE.div(ONE.plus(e.exp()));
  if (i === 0) return ONE.minus(minus).ln().times(k);
  return logBinomialByDecimals(k, i, minus);
}

/** D(eps) of k randomized responses: the binomial sum from the last positive term towards the largest losses. */
export function homogeneousDelta(k: number, epsilonEach: string, epsilon: Real): Interval {
  const e = precise(epsilonEach);
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
  const { mantissa, bits } = floating(logMass(k, i, e).exp());
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
  return {
    means: 'optimum',
    deltaAt: (at) => homogeneousDelta(k, epsilon, at),
    failure: NO_FAILURE,
    maximum: k * Number(epsilon),
  };
}
