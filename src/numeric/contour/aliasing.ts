import type { Approximate } from '../enclosure.ts';
import { approximateLogSum } from '../enclosure-arithmetic.ts';
import { logMomentAbout, type ComposedLoss } from './composed-loss.ts';
import { leadingDigits } from '../rounding.ts';
import type { Side } from './line.ts';

/** A moment of the loss at another place than that of the line. */
export interface Elsewhere {
  readonly c: number;
  readonly moment: Approximate;
}

/** A Chernoff bound: the curve at x (below: what it is less than 1) is at most e^(log - c x). */
interface Chernoff {
  readonly c: number;
  readonly log: number;
}

/** ln of 1 / (1 - e^-x), x > 0. */
const logSeries = (x: number): number => -Math.log(-Math.expm1(-x));

/** ln of the largest (1 - e^-y) e^-cy, y >= 0: c^c / (1 + c)^(1 + c). */
export const logKappa = (c: number): number => c * Math.log(c) - (1 + c) * Math.log1p(c);

/** delta(x) <= kappa e^(K(c) - c x), and 1 - delta(x) = E[min(1, e^(x - L))] <= e^(K(c) - c x), -1 <= c <= 0. */
function chernoff(side: Side, { c, moment: { value, error } }: Elsewhere): Chernoff {
  const log = side === 'above' ? value + logKappa(c) : value;
  return { c, log: log + error + 1e-12 * (1 + Math.abs(c) + Math.abs(value)) };
}

/**
 * ln of a bound on the aliases that the trapezoid rule of period Y adds to the curve at an epsilon: the sum over j != 0 of
 * e^(c Y j) D(epsilon + Y j), D the curve (above) or what it is less than 1 (below). D is at most 1, so that to the one side they
 * are at most a geometric series; to either side they are by a Chernoff bound of another exponent.
 */
export function logAliases(
  side: Side,
  c: number,
  elsewhere: readonly Elsewhere[],
): (epsilon: number, period: number) => number {
  const bounds = elsewhere.map((place) => chernoff(side, place)).filter(({ log }) => Number.isFinite(log));
  return (epsilon, period) => {
    // To the side where e^(c Y j) falls D is at most 1.
    let [falling, rising] = [logSeries(Math.abs(c) * period) - Math.abs(c) * period, Infinity];
    for (const bound of bounds) {
      const rate = Math.abs(bound.c - c) * period;
      const rounded = 1e-15 * (Math.abs(bound.c * epsilon) + rate);
      const log = bound.log - bound.c * epsilon - rate + logSeries(rate) + rounded;
      if (Math.abs(bound.c) < Math.abs(c)) falling = Math.min(falling, log);
      else rising = Math.min(rising, log);
    }
    // What is rounded in the exponents is small against 1e-9.
    return approximateLogSum(falling, rising) + 1e-9;
  };
}

const FACTORS = [0.15, 0.4, 0.6, 0.8, 1.03, 1.1, 1.25, 1.5, 2, 3, 5, 10, 30];
const DEVIATIONS = [1, 3, 8, 20];
const PARTS = [0.1, 0.25, 0.5, 0.75];
/** Exponents farther away, over c, have moments of no digits: of a law that is nearly one loss under the tilt. */
const FARTHEST = 1e9;

/** Where a period is laid, and by which other exponents its aliases are bounded. */
export interface Period {
  readonly elsewhere: readonly number[];
  readonly period: number;
}

/**
 * About the least period for which ln of the aliases is at most `logMost` at all of the epsilons, and the exponents that show it.
 *
 * @param logMost - ln of it at each
 */
export function leastPeriod(
  loss: ComposedLoss,
  side: Side,
  c: number,
  deviation: number,
  epsilons: readonly number[],
  logMost: (epsilon: number) => number,
): Period {
  const candidates =
    side === 'above'
      ? [
          ...FACTORS.map((f) => c * f),
          ...DEVIATIONS.map((d) => c + d / leadingDigits(deviation, 2)).filter((far) => far < FARTHEST * c),
        ]
      : [...PARTS.map((part) => c - (1 + c) * part), ...PARTS.map((part) => c * (1 - part)), -1];
  const placeOf = (candidate: number): Elsewhere => {
    const value = candidate === -1 ? 0 : logMomentAbout(loss, candidate);
    return { c: candidate, moment: { value, error: 0 } };
  };
  /** The period that a bound asks for. */
  const demand = (place: Elsewhere): number => {
    const { log } = chernoff(side, place);
    return epsilons.reduce(
      (max, epsilon) => {
        const gap = log - place.c * epsilon - logMost(epsilon) + Math.LN2;
        return Math.max(max, gap / Math.abs(place.c - c));
      },
      1 / Math.abs(place.c - c),
    );
  };
  /** Of exponents that go away from c: the numerator of what a bound asks for is convex in them, so that it falls and then rises. */
  const best = (exponents: readonly number[]): Elsewhere | null => {
    let min: Elsewhere | null = null;
    let least = Infinity;
    for (const exponent of exponents) {
      const next = placeOf(exponent);
      const asked = demand(next);
      if (min !== null && !(asked <= least)) break;
      if (min === null || asked < least) [min, least] = [next, asked];
    }
    return min;
  };
  const away = candidates.toSorted((x, y) => Math.abs(x - c) - Math.abs(y - c));
  const isRising = (exponent: number): boolean => Math.abs(exponent) > Math.abs(c);
  const rising = best(away.filter(isRising));
  const falling = best(away.filter((exponent) => !isRising(exponent)));
  const elsewhere = [rising, falling].filter((place) => place !== null);
  const log = logAliases(side, c, elsewhere);
  let period = 1 / (deviation + Math.abs(c) + 1e-300);
  for (let tries = 0; tries < 400 && epsilons.some((epsilon) => log(epsilon, period) > logMost(epsilon)); tries++) {
    period *= 1.1;
  }
  return { elsewhere: elsewhere.map((place) => place.c), period };
}
