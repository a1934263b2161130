import type { Decimal } from '../../src/numeric/decimal.ts';
import { Precise } from '../reference/precise.ts';

/** A real number, as `floor(x * 2^bits)` for any number of bits: exact input, or known to a few units of 2^-bits. */
export type Real = (bits: number) => bigint;

/** The true value times 2^bits lies in [low, high]. */
export interface Interval {
  readonly low: bigint;
  readonly high: bigint;
  readonly bits: number;
}

const TEN = 10n;

/** The decimal as a fraction. */
function fraction(x: Decimal): { numerator: bigint; denominator: bigint } {
  const [mantissa = '0', exponent = '0'] = x.toExponential().split('e');
  const [whole = '0', decimals = ''] = mantissa.split('.');
  const digits = BigInt(whole + decimals);
  const power = Number(exponent) - decimals.length;
  return power >= 0
    ? { numerator: digits * TEN ** BigInt(power), denominator: 1n }
    : { numerator: digits, denominator: TEN ** BigInt(-power) };
}

const floorDivision = (a: bigint, b: bigint): bigint => (a >= 0n ? a / b : -((-a + b - 1n) / b));

export const shifted = (x: bigint, bits: number): bigint => (bits >= 0 ? x << BigInt(bits) : x >> BigInt(-bits));

export function ofDecimal(x: Decimal): Real {
  const { numerator, denominator } = fraction(x);
  return (bits) => floorDivision(numerator << BigInt(bits), denominator);
}

/** a / b of decimals, b > 0. */
export function ofQuotient(a: Decimal, b: Decimal): Real {
  const [x, y] = [fraction(a), fraction(b)];
  return (bits) => floorDivision((x.numerator * y.denominator) << BigInt(bits), x.denominator * y.numerator);
}

/** A finite double, exactly. */
export function ofDouble(x: number): Real {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const word = view.getBigUint64(0);
  const biased = Number((word >> 52n) & 0x7ffn);
  const low = word & 0xfffffffffffffn;
  const magnitude = biased === 0 ? low : low | 0x10000000000000n;
  const mantissa = x < 0 ? -magnitude : magnitude;
  const exponent = (biased === 0 ? 1 : biased) - 1075;
  return (bits) => shifted(mantissa, exponent + bits);
}

export const oneAt = (bits: number): bigint => 1n << BigInt(bits);

export const multiplied = (a: bigint, b: bigint, bits: number): bigint => (a * b) >> BigInt(bits);

const GUARD = 96;
const HALVINGS = 24;

/** e^x by halving the exponent, a Taylor sum and squaring; right to a few units of 2^-bits times max(1, e^x). */
export function expFixed(x: bigint, bits: number): bigint {
  if (x < 0n) {
    // Beyond this e^x is below 2^-bits, and the reciprocal would only grow.
    if (-x > BigInt(bits) << BigInt(bits)) return 0n;
    const extra = 8;
    return oneAt(2 * bits + extra) / expFixed(-x << BigInt(extra), bits + extra);
  }
  const whole = x.toString(2).length - bits;
  const work = bits + GUARD + Math.max(0, whole);
  const halvings = HALVINGS + Math.max(0, whole);
  const small = shifted(x, work - bits - halvings);
  let term = oneAt(work);
  let sum = term;
  for (let n = 1n; term > 0n; n++) {
    term = multiplied(term, small, work) / n;
    sum += term;
  }
  for (let i = 0; i < halvings; i++) sum = multiplied(sum, sum, work);
  return shifted(sum, bits - work);
}

export const exp =
  (x: Real): Real =>
  (bits) =>
    expFixed(x(bits), bits);

export const times =
  (x: Real, factor: bigint, divisor = 1n): Real =>
  (bits) =>
    floorDivision(x(bits) * factor, divisor);

export const minus =
  (x: Real, y: Real): Real =>
  (bits) =>
    x(bits) - y(bits);

/** The value as a double, for estimates and messages. */
export function approximately(x: bigint, bits: number): number {
  if (x === 0n) return 0;
  const magnitude = x < 0n ? -x : x;
  const length = magnitude.toString(2).length;
  const top = Number(shifted(magnitude, 60 - length)) / 2 ** 60;
  const power = length - bits;
  // In two steps, so that results below the normal range are reached.
  const half = Math.trunc(power / 2);
  return Math.sign(Number(x > 0n) - 0.5) * top * 2 ** half * 2 ** (power - half);
}

/** A decimal of 60 digits on [x - slack, x + slack], slack relative. */
export function intervalOf(x: Decimal, slack: number, bits: number): Interval {
  const up = ofDecimal(new Precise(x).times(new Precise(slack).plus(1)))(bits) + 1n;
  const down = ofDecimal(new Precise(x).times(new Precise(1).minus(slack)))(bits);
  return { low: down, high: up, bits };
}
