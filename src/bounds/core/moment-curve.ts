import { goldenSection } from '../../numeric/convex/minimum.ts';
import { minimumNear } from '../../numeric/convex/minimum-near.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { enclosure, exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { add, divide, multiply, subtract } from '../../numeric/enclosure-arithmetic.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import type { LogMoment } from '../../privacy/log-moment.ts';

export { logConversionFactor } from '../../privacy/log-moment.ts';

const SMALLEST_LAMBDA = 1e-12;
/** Where it is looked first, and how closely: a smooth minimum is flat, and a corner is not. */
const [USUAL_LAMBDA, LAMBDA_TOLERANCE] = [8, 1e-11];
/** Beyond it a moment of a bounded loss is that loss times lambda, to the last digit. */
export const LARGEST_LAMBDA = 1e15;
/** So far up zCDP is looked into, whose moment is quadratic: its best lambda is about epsilon / (2 rho). */
export const LARGEST_ZCDP_LAMBDA = 1e150;

/** No factor: the plain Chernoff bound. */
export const noFactor = (): Enclosure => exactly(0);

export interface MomentBound {
  /** Bounds ln E[e^(lambda L)] of the whole composition. */
  readonly logMoment: LogMoment;
  /** ln of what multiplies e^(logMoment - lambda eps). */
  readonly logFactor: (lambda: number) => Enclosure;
  /** No loss exceeds this, where that is known. */
  readonly maximum: Decimal | null;
  /** Where the moment jumps: it is smooth on (0, b_1], (b_1, b_2], ... and infinite beyond the last; empty: smooth. */
  readonly breakpoints: readonly number[];
}

/** x, or Infinity where infinities cancelled: there nothing is claimed. */
export const orInfinity = (x: number): number => (Number.isNaN(x) ? Infinity : x);

/**
 * The best end of a smooth piece, or the minimum inside one of the pieces beside it; every candidate is sound, so a
 * search that misses only loosens.
 */
function bestLambda(objective: (lambda: number) => number, breakpoints: readonly number[]): number {
  const ends = breakpoints.length > 0 ? breakpoints : [LARGEST_LAMBDA];
  const values = ends.map(objective);
  const best = values.reduce((lowest, value, i) => (value < values[lowest]! ? i : lowest), 0);
  const inside = [best - 1, best, best + 1].flatMap((i) => {
    const to = ends[i];
    if (to === undefined) return [];
    const from = i === 0 ? SMALLEST_LAMBDA : ends[i - 1]! * (1 + 2 ** -50);
    return [minimumNear(objective, USUAL_LAMBDA, { from: Math.min(from, to), to, tolerance: LAMBDA_TOLERANCE })];
  });
  return [ends[best]!, ...inside].reduce((lowest, lambda) => (objective(lambda) < objective(lowest) ? lambda : lowest));
}

/** What is minimised over lambda, by lambda and by the exponent there: the logarithm of the moment and its factor. */
type Objective = (lambda: number, exponent: Enclosure) => Enclosure;

/** logMoment + ln factor - lambda eps, which is at least ln delta(eps). */
const logDeltaAt =
  (epsilon: Enclosure): Objective =>
  (lambda, exponent) =>
    subtract(exponent, multiply(exactly(lambda), epsilon));

/** (logMoment + ln factor - ln delta) / lambda, which is at least eps(delta). */
const epsilonAt =
  (logDelta: Enclosure): Objective =>
  (lambda, exponent) =>
    divide(subtract(exponent, logDelta), exactly(lambda));

/** A lambda, and the upper end of what is minimised there: any is sound. */
export interface Minimum {
  readonly lambda: number;
  readonly value: number;
}

/** About the least value; where the moment is slow, by about where it is least. */
function minimum({ logMoment, logFactor, breakpoints }: MomentBound, of: Objective): Minimum {
  const at = (lambda: number, moment: Enclosure): number =>
    orInfinity(of(lambda, add(moment, logFactor(lambda))).upper);
  const { about } = logMoment;
  const objective = (lambda: number): number => at(lambda, about ? exactly(about(lambda)) : logMoment(lambda));
  const lambda = bestLambda(objective, breakpoints);
  return { lambda, value: at(lambda, logMoment(lambda)) };
}

/** The lambda at which {@link momentCurve} claims an epsilon at delta = e^logDelta, and that epsilon. */
export const minimumOfEpsilon = (bound: MomentBound, logDelta: Enclosure): Minimum =>
  minimum(bound, epsilonAt(logDelta));

/** The lambda at which {@link momentCurve} claims a delta at epsilon, and the logarithm of that delta. */
export const minimumOfLogDelta = (bound: MomentBound, epsilon: Enclosure): Minimum =>
  minimum(bound, logDeltaAt(epsilon));

/**
 * delta(eps) <= inf over lambda > 0 of factor(lambda) e^(logMoment(lambda) - lambda eps), and its inverse
 * eps(delta) = inf of (logMoment + ln factor - ln delta) / lambda. Any lambda is sound, so the two searches need no
 * proof; the value at the lambda found is rounded up.
 */
export const momentCurve = (bound: MomentBound): FiniteLossCurve => ({
  maximum: bound.maximum,
  logDelta: ({ high, low }) =>
    enclosure(-Infinity, Math.min(0, minimumOfLogDelta(bound, add(exactly(high), exactly(low))).value)),
  epsilon: (logDelta) => enclosure(0, Math.max(0, minimumOfEpsilon(bound, logDelta).value)),
});

/** sum of count times moment. */
export function sumOfMoments(parts: readonly { readonly moment: LogMoment; readonly count: number }[]): LogMoment {
  const sum = (lambda: number): Enclosure =>
    parts.reduce((total, { moment, count }) => add(total, multiply(exactly(count), moment(lambda))), exactly(0));
  if (parts.every(({ moment }) => moment.about === undefined)) return sum;
  const about = (lambda: number): number =>
    parts.reduce((total, { moment, count }) => total + count * (moment.about?.(lambda) ?? moment(lambda).upper), 0);
  return Object.assign(sum, { about });
}

/** About ln E[e^(tilt L)], in doubles: for choosing a tilt, where any choice is sound. */
export type ApproximateLogMoment = (tilt: number) => number;

/** The exponential tilt under which losses gather around the asked tail, with a first guess of epsilon there. */
export interface SaddlePoint {
  readonly tilt: number;
  readonly epsilon: number;
}

const SMALLEST_TILT = 1e-9;

/** ln of the best factor in delta <= factor E[e^(tilt L)] e^(-tilt eps). */
const logFactor = (tilt: number): number => tilt * Math.log(tilt) - (1 + tilt) * Math.log1p(tilt);

/**
 * The saddle point of the tail of size e^logDelta: minimises (ln M(t) + factor - ln delta) / t.
 *
 * @param sections - each costs a moment, and narrows where the minimum is by 0.62
 */
export function saddlePointOfDelta(
  logMoment: ApproximateLogMoment,
  largest: number,
  logDelta: number,
  sections = 48,
): SaddlePoint {
  const epsilonBy = (t: number): number => (logMoment(t) + logFactor(t) - logDelta) / t;
  const tilt = goldenSection(epsilonBy, SMALLEST_TILT, largest, sections);
  return { tilt, epsilon: epsilonBy(tilt) };
}

/**
 * The saddle point of the tail beyond epsilon: minimises ln M(t) + factor - t epsilon.
 *
 * @param sections - as of {@link saddlePointOfDelta}
 */
export function saddlePointOfEpsilon(
  logMoment: ApproximateLogMoment,
  largest: number,
  epsilon: number,
  sections = 48,
): SaddlePoint {
  const tilt = goldenSection((t) => logMoment(t) + logFactor(t) - t * epsilon, SMALLEST_TILT, largest, sections);
  return { tilt, epsilon };
}
