import { approximateLogSum } from '../log-sum.ts';
import { composedMoment, type ComposedLoss } from './composed-loss.ts';
import type { Side } from './line.ts';

/** The error of the trapezoid rule: the curve's aliases, which it adds to the curve. */
export interface Aliasing {
  /** ln of a bound on it, at an epsilon and for a period Y. */
  readonly logBound: (epsilon: number, period: number) => number;
  /** A period for which that is at most `most`. */
  readonly period: (epsilon: number, most: number) => number;
}

/** ln of 1 / (1 - e^-x), x > 0. */
const logSeries = (x: number): number => -Math.log(-Math.expm1(-x));

/** A Chernoff bound: the curve at x is at most e^(log - c x). */
interface Chernoff {
  readonly c: number;
  readonly log: number;
}

/** delta(x) <= kappa e^(K(c) - c x), kappa = c^c / (1 + c)^(1+c). */
function above(loss: ComposedLoss, c: number): Chernoff {
  const { value, error } = composedMoment(loss, c);
  const kappa = c * Math.log(c) - (1 + c) * Math.log1p(c);
  return { c, log: value + error + kappa + 1e-12 * (1 + c + Math.abs(value)) };
}

/** 1 - delta(x) = E[min(1, e^(x - L))] <= e^(K(c) - c x), -1 <= c <= 0; E[e^-L] is at most 1. */
function below(loss: ComposedLoss, c: number): Chernoff {
  if (c === -1) return { c, log: 0 };
  const { value, error } = composedMoment(loss, c);
  return { c, log: value + error + 1e-12 * (1 + Math.abs(value)) };
}

const FACTORS = [1.15, 1.4, 2, 3, 5, 10];
const DEVIATIONS = [1, 3, 8, 20];
const PARTS = [0.1, 0.25, 0.5, 0.75, 1];

/**
 * The sum over j != 0 of e^(c Y j) D(x + Y j), D the curve (above) or 1 less it (below), which are at most 1: to the one
 * side a geometric series, to the other too by a Chernoff bound of another exponent.
 */
export function aliasing(loss: ComposedLoss, side: Side, c: number, deviation: number): Aliasing {
  const bounds =
    side === 'above'
      ? [...FACTORS.map((f) => c * f), ...DEVIATIONS.map((d) => c + d / deviation)].map((each) => above(loss, each))
      : PARTS.map((part) => below(loss, part === 1 ? -1 : c - (1 + c) * part));
  const known = bounds.filter(({ log }) => Number.isFinite(log));
  const logBound = (epsilon: number, period: number): number => {
    const near = Math.abs(c) * period;
    const flat = -near + logSeries(near);
    const steep = known.reduce((least, bound) => {
      const rate = Math.abs(bound.c - c) * period;
      const rounded = 1e-15 * (Math.abs(bound.c * epsilon) + rate);
      return Math.min(least, bound.log - bound.c * epsilon - rate + logSeries(rate) + rounded);
    }, Infinity);
    // What is rounded in the exponents is small against 1e-9.
    return approximateLogSum(flat, steep) + 1e-9;
  };
  return {
    logBound,
    period(epsilon, most) {
      let period = 1 / (deviation + Math.abs(c) + 1e-300);
      for (let tries = 0; tries < 400 && logBound(epsilon, period) > most; tries++) period *= 1.1;
      return period;
    },
  };
}
