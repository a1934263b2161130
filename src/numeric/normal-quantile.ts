import { negate } from './enclosure-arithmetic.ts';
import { enclosure, midpoint, type Enclosure } from './enclosure.ts';
import { logNormalTail, normalTail } from './normal.ts';

const NEWTON_STEPS = 8;
const LOG_SQRT_TWO_PI = 0.9189385332046728;

/** About the x >= 0 of which Phi(-x) is p, at most 1/2. */
function near(p: number): number {
  const target = Math.log(p);
  let x = Math.max(0, Math.sqrt(Math.max(0, -2 * target - Math.log(1 - 2 * target))) - 0.7);
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const value = midpoint(logNormalTail(x));
    x = Math.max(0, x + (value - target) * Math.exp(value + 0.5 * x * x + LOG_SQRT_TWO_PI));
  }
  return x;
}

/** Encloses the x with Phi(-x) = p, 1e-300 <= p <= 1/2. */
function tailPlace({ lower, upper }: Enclosure): Enclosure {
  const [from, to] = [near(upper), near(lower)];
  let [least, most] = [Math.max(0, from), to];
  for (let step = Number.EPSILON; least > 0 && normalTail(least).lower < upper; step *= 4) {
    least = Math.max(0, from - step * (1 + from));
  }
  for (let step = Number.EPSILON; normalTail(most).upper > lower; step *= 4) most = to + step * (1 + to);
  return enclosure(least, most);
}

const HALF = 0.5;

/** About the x with Phi(x) = p, for 1e-300 <= p < 1. */
export const approximateQuantile = (p: number): number => (p <= HALF ? -near(p) : near(1 - p));

/**
 * Encloses the x with Phi(x) = p, for an enclosure of p whose ends are within (0, 1): by Newton's method, whose result is
 * moved until Phi says that it is on the right side.
 *
 * @param complement - encloses 1 - p
 */
export function normalQuantile(p: Enclosure, complement: Enclosure): Enclosure {
  const end = (value: number, rest: number): Enclosure => {
    if (value <= HALF) {
      return negate(tailPlace(enclosure(value, value)));
    }
    return tailPlace(enclosure(rest, Math.min(HALF, rest)));
  };
  return enclosure(end(p.lower, complement.upper).lower, end(p.upper, complement.lower).upper);
}
