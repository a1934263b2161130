import { decimal } from '../mechanisms.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { expFixed, multiplied, ofDecimal, oneAt, type Interval, type Real } from './fixed-point.ts';
import type { Atom } from './atoms.ts';

const BITS = 640;
const ONE = oneAt(BITS);
const Wide = Decimal.clone({ precision: 230 });
const HALF_PI_ROOT = ofDecimal(Wide.acos(-1).div(2).sqrt())(BITS);
const TWO_PI_ROOT = ofDecimal(Wide.acos(-1).times(2).sqrt())(BITS);
const FROM_FRACTION = 4n * ONE;
const FRACTIONS = 400;

const times = (a: bigint, b: bigint): bigint => multiplied(a, b, BITS);
const over = (a: bigint, b: bigint): bigint => (a << BigInt(BITS)) / b;

/**
 * Phi(-x) / phi(x) for x >= 0, to 70 digits: the series sqrt(pi/2) e^(x^2/2) - sum x^(2n+1)/(2n+1)!! below 4, and from there
 * on 400 steps of Laplace's continued fraction 1/(x + 1/(x + 2/(x + ...))), whose convergents lie on either side of it.
 */
function millsRatio(x: bigint): bigint {
  if (x >= FROM_FRACTION) {
    let value = x;
    for (let n = BigInt(FRACTIONS); n >= 1n; n--) value = x + over(n * ONE, value);
    return over(ONE, value);
  }
  const square = times(x, x);
  let [term, sum] = [x, 0n];
  for (let n = 1n; term > 0n; n++) {
    sum += term;
    term = times(term, square) / (2n * n + 1n);
  }
  return times(HALF_PI_ROOT, expFixed(square / 2n, BITS)) - sum;
}

/** mu^2 = sum count (s / sigma)^2, and its root, to 200 digits. */
export function composedMu(parts: readonly { sigma: string; sensitivity: string; count: number }[]): Decimal {
  return parts
    .reduce(
      (sum, { sigma, sensitivity, count }) =>
        sum.plus(new Wide(decimal(sensitivity)).div(decimal(sigma)).pow(2).times(count)),
      new Wide(0),
    )
    .sqrt();
}

/** Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2), by the Mills ratio of either tail: phi is common to both. */
function gaussianAt(mu: bigint, epsilon: bigint): { value: bigint; error: bigint } {
  const middle = over(epsilon, mu);
  const [a, b] = [mu / 2n - middle, -mu / 2n - middle];
  const density = over(expFixed(-times(a, a) / 2n, BITS), TWO_PI_ROOT);
  const growth = expFixed(epsilon, BITS);
  const first = a >= 0n ? ONE - times(density, millsRatio(a)) : times(density, millsRatio(-a));
  const second = b <= 0n ? times(density, millsRatio(-b)) : growth - times(density, millsRatio(b));
  // 70 digits of each ratio, and the rounding of a^2/2 that the density carries.
  const error = (density >> 225n) + (growth >> BigInt(BITS - 64)) + (1n << 64n);
  return { value: first - second, error };
}

/** The delta of Gaussian noise beside the given outcomes. */
export function gaussianDelta(mu: Decimal, atoms: readonly Atom[], bits: number): (epsilon: Real) => Interval {
  const muFixed = ofDecimal(mu)(BITS);
  // The loss of each outcome, from its likelihood ratio.
  const shifts = atoms.map(({ p, q }) => {
    if (p === 0n || q === 0n) return null;
    const ratio = new Wide(p.toString()).div(q.toString());
    return ofDecimal(ratio.ln())(BITS);
  });
  return (epsilon) => {
    const at = epsilon(BITS);
    let [value, error] = [0n, 0n];
    atoms.forEach(({ p }, i) => {
      const weight = bits <= BITS ? p << BigInt(BITS - bits) : p >> BigInt(bits - BITS);
      const shift = shifts[i];
      if (weight === 0n) return;
      if (shift === null || shift === undefined) {
        value += weight;
        error += 1n << 64n;
        return;
      }
      const own = gaussianAt(muFixed, at - shift);
      value += times(weight, own.value);
      error += times(weight, own.error) + (1n << 200n);
    });
    return { low: value - error, high: value + error, bits: BITS };
  };
}
