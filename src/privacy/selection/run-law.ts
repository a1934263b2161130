import { decimalAbove, encloseDecimal } from '../../numeric/decimal.ts';
import { enclosure, exactly, midpoint, type Enclosure } from '../../numeric/enclosure.ts';
import {
  add,
  divide,
  expm1,
  exponential,
  log1p,
  logarithm,
  multiply,
  negate,
  subtract,
} from '../../numeric/enclosure-arithmetic.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { RunLaw } from '../mechanism.ts';

/**
 * The law of the number K of runs by its generating function f(x) = E[x^K]: its mean m = f'(1), and how f' rises. With c = 1 - x,
 *
 * - Poisson: ln(f'(x) / m) = -m c;
 * - negative binomial: (1 + shape) ln(gamma / (gamma + (1 - gamma) c));
 * - binomial and fixed (rate 1): (trials - 1) ln(1 - rate c).
 *
 * The gain f(a) - f(a - d) without cancellation, c = 1 - a:
 *
 * - Poisson: e^(-m c) (1 - e^(-m d));
 * - negative binomial, o = (1 - gamma) / gamma and v = 1 + o c: m / o v^-shape (1 - (1 + o d / v)^-shape) / shape;
 * - binomial, b = 1 - rate c: b^trials (1 - (1 - rate d / b)^trials).
 *
 * Source: Papernot, Steinke (2022), Definition 1, for the negative binomial; the others are elementary.
 */
export interface RunCount {
  readonly mean: Enclosure;
  /** ln(f'(1 - c) / m) for 0 <= c <= 1: at most 0. */
  readonly rise: (c: Enclosure) => Enclosure;
  /** f(a) - f(a - d) for 0 <= d <= a <= 1: how likely the best output is among those of mass d that rank just below 1 - a. */
  readonly gain: (a: Enclosure, d: Enclosure) => Enclosure;
  /** About where that is `v`, for choosing cells. */
  readonly place: (v: number) => number;
  /** f(0), the probability that there is no run. */
  readonly none: Enclosure;
  /** (1 + shape, ln(1 / gamma)) of negative binomial laws; else null. */
  readonly truncated: { readonly power: Enclosure; readonly logInverse: Enclosure } | null;
}

const ONE = exactly(1);

/**
 * The mean of a negative binomial law: shape (1 - gamma) / (gamma (1 - gamma^shape)), for shape 0 its limit
 * (1 / gamma - 1) / ln(1 / gamma). It falls as gamma grows.
 */
function meanOf(shape: Enclosure, gamma: Enclosure): Enclosure {
  const odds = divide(subtract(ONE, gamma), gamma);
  const exponent = negate(logarithm(gamma));
  if (shape.lower === 0 && shape.upper === 0) return divide(odds, exponent);
  const product = multiply(shape, exponent);
  // shape / (1 - e^-product), of which numerator and denominator have one sign.
  const fall = expm1(negate(product));
  return product.upper < 0 ? multiply(odds, divide(negate(shape), fall)) : multiply(odds, divide(shape, negate(fall)));
}

/** (1 - e^(-shape w)) / shape, for shape 0 its limit. */
function fallOver(shape: Enclosure, w: Enclosure): Enclosure {
  if (shape.lower === 0 && shape.upper === 0) return w;
  const change = expm1(negate(multiply(shape, w)));
  return shape.upper < 0 ? divide(change, negate(shape)) : divide(negate(change), shape);
}

const HALVINGS = 200;

/** Below the gamma of every mean of at most a million and every shape from -0.97: about (|shape| / mean)^(1 / (1 + shape)). */
const LEAST_GAMMA = 1e-290;
const LARGEST_GAMMA = 1 - 2 ** -40;

/** The gamma of a mean above 1, between two numbers of which the means lie on either side of it; that of 1 is 1. */
function gammaOf(shape: Enclosure, mean: Enclosure): Enclosure {
  let [low, high] = [LEAST_GAMMA, meanOf(shape, exactly(LARGEST_GAMMA)).upper <= mean.lower ? LARGEST_GAMMA : 1];
  if (!(meanOf(shape, exactly(low)).lower >= mean.upper))
    throw new RangeError('No gamma of this law of runs is known.');
  for (let i = 0; i < HALVINGS; i++) {
    const middle = Math.sqrt(low) * Math.sqrt(high);
    const there = meanOf(shape, exactly(middle));
    if (there.lower >= mean.upper) low = middle;
    else if (there.upper <= mean.lower) high = middle;
    else return narrowed(shape, mean, low, middle, high);
  }
  return enclosure(low, high);
}

/** The same around a gamma whose mean cannot be told from the one that is sought. */
function narrowed(shape: Enclosure, mean: Enclosure, low: number, middle: number, high: number): Enclosure {
  const widths = Array.from({ length: 40 }, (_, i) => 2 ** (i - 51));
  const below = widths
    .map((width) => middle * (1 - width))
    .find((gamma) => meanOf(shape, exactly(gamma)).lower >= mean.upper);
  const above = widths
    .map((width) => middle * (1 + width))
    .find((gamma) => meanOf(shape, exactly(gamma)).upper <= mean.lower);
  return enclosure(Math.max(low, below ?? low), Math.min(high, above ?? high));
}

function truncated(shape: Enclosure, gamma: Enclosure, mean: Enclosure): RunCount {
  const [middle, power] = [midpoint(gamma), add(ONE, shape)];
  // (1 - gamma) / gamma: the rise is -power ln(1 + odds c).
  const odds = divide(subtract(ONE, gamma), gamma);
  const rise = (c: Enclosure): Enclosure => negate(multiply(power, log1p(multiply(odds, c))));
  return {
    mean,
    rise,
    gain(a, d) {
      const c = subtract(ONE, a);
      // Of one run, or nearly so, by the slopes at both ends.
      if (!(odds.lower > 0)) {
        return multiply(multiply(mean, d), enclosure(exponential(rise(add(c, d))).lower, exponential(rise(c)).upper));
      }
      const v = add(ONE, multiply(odds, c));
      const shrunk = exponential(negate(multiply(shape, logarithm(v))));
      const fall = fallOver(shape, log1p(divide(multiply(odds, d), v)));
      return multiply(divide(mean, odds), multiply(shrunk, fall));
    },
    place: (v) => Math.min(1, (middle * Math.expm1(-v / midpoint(power))) / (1 - middle)),
    none: exactly(0),
    truncated: { power, logInverse: negate(logarithm(gamma)) },
  };
}

/** -x, at least -1. */
const missed = (x: Enclosure): Enclosure => {
  const { lower, upper } = negate(x);
  return enclosure(Math.max(-1, lower), Math.max(-1, upper));
};

function binomial(trials: number, rate: Enclosure): RunCount {
  const chance = midpoint(rate);
  return {
    mean: multiply(exactly(trials), rate),
    rise: (c) => (trials === 1 ? exactly(0) : multiply(exactly(trials - 1), log1p(missed(multiply(rate, c))))),
    gain(a, d) {
      const b = add(subtract(ONE, rate), multiply(rate, a));
      const left = multiply(exactly(trials), log1p(missed(divide(multiply(rate, d), b))));
      return multiply(exponential(multiply(exactly(trials), logarithm(b))), negate(expm1(left)));
    },
    place: (v) => Math.min(1, -Math.expm1(v / (trials - 1)) / chance),
    none: rate.upper >= 1 ? exactly(0) : exponential(multiply(exactly(trials), log1p(negate(rate)))),
    truncated: null,
  };
}

/** The law of a number of runs. */
export function runCount(runs: RunLaw): RunCount {
  switch (runs.law) {
    case 'poisson': {
      const mean = encloseDecimal(runs.mean);
      const about = midpoint(mean);
      return {
        mean,
        rise: (c) => negate(multiply(mean, c)),
        gain: (a, d) =>
          multiply(exponential(multiply(mean, subtract(a, ONE))), negate(expm1(negate(multiply(mean, d))))),
        place: (v) => Math.min(1, -v / about),
        none: exponential(negate(mean)),
        truncated: null,
      };
    }
    case 'negative-binomial': {
      const shape = encloseDecimal(runs.shape);
      if ('gamma' in runs) {
        const gamma = encloseDecimal(runs.gamma);
        return truncated(shape, gamma, meanOf(shape, gamma));
      }
      const mean = encloseDecimal(runs.mean);
      return truncated(shape, gammaOf(shape, mean), mean);
    }
    case 'binomial':
      return binomial(runs.trials.toNumber(), encloseDecimal(runs.rate));
    case 'fixed':
      return binomial(runs.count.toNumber(), ONE);
  }
}

/**
 * ln E[e^(K x)] for x >= 0, which bounds the log-moments of who sees the outputs of all runs, and their number; null where
 * it is not used, for negative binomial laws.
 */
export function logOfAllRuns(runs: RunLaw, x: Enclosure): Enclosure | null {
  switch (runs.law) {
    case 'poisson':
      return multiply(encloseDecimal(runs.mean), expm1(x));
    case 'binomial':
      return multiply(encloseDecimal(runs.trials), log1p(multiply(encloseDecimal(runs.rate), expm1(x))));
    case 'fixed':
      return multiply(encloseDecimal(runs.count), x);
    case 'negative-binomial':
      return null;
  }
}

/** The mean as a decimal, rounded up where it is no short one. */
export function meanRunsAbove(runs: RunLaw): Decimal {
  if ('mean' in runs) return runs.mean;
  if (runs.law === 'fixed') return runs.count;
  return runs.law === 'binomial' ? runs.trials.times(runs.rate) : decimalAbove(runCount(runs).mean.upper);
}
