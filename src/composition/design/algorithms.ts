import { Decimal, ZERO } from '../../numeric/decimal.ts';
import { gaussianNoise } from '../../bounds/closed-form/gaussian-noise.ts';

/** Digits of a parameter that is not a finite decimal; more would only make documents hard to read. */
const DIGITS = 20;

const Up = Decimal.clone({ precision: DIGITS, rounding: Decimal.ROUND_UP });
const Down = Decimal.clone({ precision: DIGITS, rounding: Decimal.ROUND_DOWN });

/** whole / parts, both above 0; rounded up at 20 digits where it has more. */
const shareUp = (whole: Decimal, parts: Decimal | number): Decimal => new Decimal(new Up(whole).div(parts));

/** whole / parts, both above 0; rounded down at 20 digits where it has more. */
const shareDown = (whole: Decimal, parts: Decimal | number): Decimal => new Decimal(new Down(whole).div(parts));

/** How an error grows, up to constants that nobody states: never a guarantee. */
export interface ErrorShape {
  /** In words of the parameters: `log n log Delta`. */
  readonly order: string;
  /** The meaning of its letters. */
  readonly where: string;
  /** The value of that at given parameters, up to the same constants; null where they are not all given. */
  readonly value: number | null;
}

/** The budget of a histogram mechanism, and the parameters that it may vary. */
export interface HistogramBudget {
  /** Above 0. */
  readonly epsilon: Decimal;
  /** Of all counters together, from 0 and below 1. */
  readonly delta: Decimal;
  /** How many counters there are. */
  readonly dimension: number;
  /** Of each sparse vector instance; the paper has 0. */
  readonly intervalDelta: Decimal;
  /** Of each check, which then has Gaussian noise; null for Laplace noise, as in the paper. */
  readonly checkDelta: Decimal | null;
}

/** Parameters of the sub-mechanisms of Algorithm 4, and the noise that gives them. */
interface HistogramNoise {
  readonly counter: { readonly epsilon: Decimal; readonly delta: Decimal };
  /** SVT with parameter e/6: its threshold gets noise once, and each comparison gets noise. */
  readonly interval: {
    readonly epsilon: Decimal;
    readonly delta: Decimal;
    readonly threshold: Decimal;
    readonly comparison: Decimal;
  };
  readonly check: {
    readonly epsilon: Decimal;
    readonly delta: Decimal;
    readonly distribution: 'laplace' | 'gaussian';
    readonly scale: Decimal;
  };
}

/**
 * How Algorithm 4 divides epsilon: a third to the sparse vector instances, which are run with e/6 (Laplace noise of scale
 * 6/e on the threshold, 12/e on each comparison), a third to the checks (scale 3/e), a third to the d counters (e/(3d)
 * and delta/d each).
 *
 * Rounding: where these are not finite decimals, noise scales are rounded up and so are the thirds that they give, at 20
 * digits; the counters get what is left of epsilon, rounded down. Every sub-mechanism has the guarantee that is named for
 * it, and they add up to epsilon at most.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Algorithm 4, Lemma 7.4 and section 7.2; Gaussian checks and approximate
 * sparse vector instances are derived variants.
 */
export function histogramNoise(budget: HistogramBudget): HistogramNoise {
  const { epsilon, delta, dimension, intervalDelta, checkDelta } = budget;
  const third = shareUp(epsilon, 3);
  const scale = (parts: number): Decimal => shareUp(new Decimal(parts), epsilon);
  const rest = epsilon.minus(third.times(2));
  return {
    counter: {
      epsilon: shareDown(rest, dimension),
      delta: delta.isZero() ? ZERO : shareDown(delta, dimension),
    },
    interval: { epsilon: third, delta: intervalDelta, threshold: scale(6), comparison: scale(12) },
    check:
      checkDelta === null
        ? { epsilon: third, delta: ZERO, distribution: 'laplace', scale: scale(3) }
        : { epsilon: third, delta: checkDelta, distribution: 'gaussian', scale: gaussianNoise(third, checkDelta) },
  };
}

/** The sizes with which the error of the histogram grows. */
interface HistogramSize {
  readonly epsilon: number;
  /** 0 for pure counters. */
  readonly delta: number;
  readonly dimension: number;
  /** The largest value of the query over all time. */
  readonly largestQuery: number;
  /** The probability that the error is larger. */
  readonly beta: number;
  /** The number of steps. */
  readonly horizon: number;
}

/**
 * The order in which the error of the histogram grows, up to constants (which the paper does not state) and in natural
 * logarithms: (d log^2(d q / beta) + log T) / e with pure counters, (d log^1.5(d q / beta) + log T) log(1 / delta) / e with
 * approximate ones. Never a guarantee.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), section 7, after Henzinger, Sricharan, Steiner (2023).
 */
export function histogramErrorShape(size: HistogramSize): number {
  const { epsilon, delta, dimension, largestQuery, beta, horizon } = size;
  const logarithm = Math.log((dimension * largestQuery) / beta);
  return delta === 0
    ? (dimension * logarithm ** 2 + Math.log(horizon)) / epsilon
    : ((dimension * logarithm ** 1.5 + Math.log(horizon)) * Math.log(1 / delta)) / epsilon;
}

/** The users of a core decomposition whose answers differ between graphs that differ in one edge: its two ends. */
export const DIFFERING_USERS = 2;

/** The parameters of each user, and the noise that gives them. */
interface CoreNoise {
  readonly epsilon: Decimal;
  readonly threshold: Decimal;
  readonly comparison: Decimal;
}

/**
 * How the core decomposition in the local model divides epsilon: one edge changes what two users hold, so that each user
 * is a sparse vector mechanism that is (e/2, 0)-DP: run with e/4, it has Laplace noise of scale 4/e on the threshold and
 * 8/e on each comparison. Half of epsilon is exact; noise scales are rounded up at 20 digits.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Lemma 9.1; the noise is derived from Algorithm 3 and Lemma 7.4.
 */
export function coreNoise(epsilon: Decimal): CoreNoise {
  return {
    epsilon: epsilon.div(2),
    threshold: shareUp(new Decimal(4), epsilon),
    comparison: shareUp(new Decimal(8), epsilon),
  };
}

/**
 * The order in which the error of each coreness grows with n vertices of degree at most Delta, up to constants and in
 * natural logarithms: log n log Delta, at epsilon of order 1. Never a guarantee.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Lemma 9.1.
 */
export const coreErrorShape = (vertices: number, largestDegree: number): number =>
  Math.log(vertices) * Math.log(largestDegree);
