import { aboutComposed } from '../../numeric/contour/composed-loss.ts';
import { Decimal, decimalFromDouble, toUpper } from '../../numeric/decimal.ts';
import { enclosure, exactly, meet, type Enclosure } from '../../numeric/enclosure.ts';
import {
  add,
  expm1,
  exponential,
  logarithm,
  multiply,
  negate,
  subtract,
  times,
} from '../../numeric/enclosure-arithmetic.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { LOSSLESS, solveEpsilon, type FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { totalEpsilon, type PureGroup } from '../../privacy/pure.ts';
import { besideLargestLoss } from '../core/curve-maximum.ts';
import { logEverSampled } from '../../privacy/sampling/rate.ts';
import type { Effort } from '../core/bound.ts';
import { sessionOf } from '../core/session.ts';
import { allocatedCurve } from './allocated-curve.ts';
import { areNearlyNormal, areSmall, besideSmallLosses } from './beside-small-losses.ts';
import { contourCurve, withComplement } from './contour-curve.ts';
import { discretisedMethod } from './discretised-method.ts';
import { fewCombinations } from './few-combinations.ts';
import type { Pairs } from './pair-entries.ts';
import { tiltedCurve } from './tilted-curve.ts';

const HALF = exactly(0.5);

/** The sum over k >= 1 of C(n, k) 2^-k x^(k+1) / (k+1)!, rounded up, and what of it is certain. */
function seriesAt(n: number, { lower, upper }: Enclosure): Enclosure {
  const sumAt = (x: number): { sum: number; error: number } => {
    let [term, ratio, sum, k] = [(n / 4) * x * x, 1, 0, 1];
    for (; k <= n && (ratio > 0.5 || term > U * sum); k++) {
      sum += term;
      ratio = ((n - k) / (k + 1)) * (x / (2 * (k + 2)));
      term *= ratio;
    }
    // From here on terms fall by half at least.
    return { sum, error: 16 * (k + 4) * U * sum + 2 * term };
  };
  const [lowerSum, upperSum] = [sumAt(lower), sumAt(upper)];
  return enclosure(Math.max(0, lowerSum.sum - lowerSum.error), upperSum.sum + upperSum.error);
}

/**
 * The curve of n equal Laplace mechanisms next to their largest loss n e. Each loss is e - t with t = 0 of probability 1/2,
 * of density e^(-t/2) / 4 below 2e, and 2e with the rest. For a distance x <= 2e only losses with all t below 2e count:
 *     delta = 2^-n (1 - e^-x) + sum over k of C(n, k) 2^-(n + k) int_0^x t^(k-1) / (k-1)! e^(-t/2) (1 - e^(t - x)) dt.
 * Each integral lies between e^(-x/2) (1 - x/2) times and once x^(k+1) / (k+1)!. Up to x^2 = tolerance / n all of them
 * together vary by less than the tolerance; up to half of the largest loss epsilon does too.
 *
 * Source: derived.
 */
function withLargestLaplaceLosses(group: PureGroup, tolerance: number, curve: FiniteLossCurve): FiniteLossCurve {
  const { epsilon, count } = group;
  const logDelta = (x: Enclosure): Enclosure => {
    const damped = multiply(exponential(negate(multiply(HALF, x))), subtract(exactly(1), multiply(HALF, x)));
    const others = multiply(enclosure(damped.lower, 1), seriesAt(count, x));
    return subtract(logarithm(add(negate(expm1(negate(x))), others)), times(count, logarithm(exactly(2))));
  };
  const maximum = totalEpsilon([group]);
  const reach = Decimal.min(maximum.div(2), epsilon.times(2), decimalFromDouble(Math.sqrt(tolerance / count)));
  return besideLargestLoss({ maximum, reach, logDelta }, curve);
}

/** The relative width of an enclosure where none is asked, and of one with mechanisms on samples. */
export const DEFAULT_TOLERANCE = 1e-6;
export const SAMPLED_TOLERANCE = 1e-7;

/** Of shuffled reports, whose cells cost more than this. */
const REPORTS_TOLERANCE = 1e-5;

/** How the losses of pairs become a curve: alone, or together with other mechanisms. */
export type CurveOfPairs = (pairs: Pairs) => FiniteLossCurve;

/**
 * Sums of more terms than this at every node take longer than a lattice: of finite pairs of so many outcomes, as those are
 * that stand for a sampled curve. Only for these losses lattices stay here.
 */
const MANY_TERMS = 24;

/** The pairs alone. */
export const alone =
  (effort: Effort): CurveOfPairs =>
  (pairs) => {
    const { alone: closed, laplace, samples } = pairs;
    const curve = closed ?? composedAlone(pairs, effort);
    if (laplace !== null) {
      const beside = withLargestLaplaceLosses(laplace, effort.tolerance ?? DEFAULT_TOLERANCE, curve);
      return closed === null ? beside : meetOf(closed, beside);
    }
    return closed !== null || samples === null || samples.length === 0
      ? curve
      : cappedAt(logEverSampled(samples), curve);
  };

/** One curve that was computed in two ways. */
const meetOf = (a: FiniteLossCurve, b: FiniteLossCurve): FiniteLossCurve => ({
  maximum: a.maximum,
  logDelta: (epsilon) => meet(a.logDelta(epsilon), b.logDelta(epsilon)),
  epsilon: (target) => meet(solveEpsilon(a, target), solveEpsilon(b, target)),
});

/** A curve of which a bound is known that holds at every epsilon. */
const cappedAt = (cap: number, curve: FiniteLossCurve): FiniteLossCurve => ({
  maximum: curve.maximum,
  logDelta: (epsilon) => meet(curve.logDelta(epsilon), enclosure(-Infinity, cap)),
  epsilon: (target) => (target.lower >= cap ? enclosure(0, 0) : solveEpsilon(curve, target)),
});

/** Losses that are infinite with no larger probability are as if none were. */
const NEVER = 1e-90;
/** A largest loss of a smaller probability, by its logarithm, makes no corner of the curve that is asked for; looked at under such a tilt. */
const RARE = -16;
const TILT = 30;

/** Bounded losses beside those of noise on samples: apart where these are small, together elsewhere. */
function apartWhereSmall(
  { apart }: Pairs,
  together: () => FiniteLossCurve,
  tolerance: number,
  effort: Effort,
): FiniteLossCurve {
  if (apart === null) return together();
  const [bounded, others] = [apart.bounded(), apart.others('own')];
  const small = others.loss(sessionOf(effort));
  const deviation = Math.sqrt(aboutComposed(small, 0).variance);
  const swapped = apart.others('swapped');
  const losses = bounded.loss(sessionOf(effort));
  if (!areSmall(deviation, bounded.maximum)) return together();
  // Beside losses that have places those of allocations are quick to compute alone, and slow at all nodes of a sum.
  const isNormal = areNearlyNormal(small, deviation);
  if (others.allocated.length > 0 ? !isNormal || losses.lattice === null : isNormal) return together();
  if ([others, swapped].some(({ failure }) => failure.upper.gt(NEVER))) return together();
  const c = TILT / deviation;
  const logLargest = aboutComposed(losses, c).value - c * toUpper(bounded.maximum!);
  if (logLargest < RARE) return together();
  const curveOf = alone({ ...effort, tolerance });
  return besideSmallLosses({
    bounded: curveOf(bounded),
    small: curveOf(others),
    swapped: curveOf(swapped),
    deviation,
    together: together(),
    tolerance,
  });
}

/** By combinations where they are few, by contour integrals, or on lattices. */
function composedAlone(pairs: Pairs, effort: Effort): FiniteLossCurve {
  const { loss, groups, listed, hasSamples, hasReports, maximum, key, allocated } = pairs;
  const usual = hasSamples ? SAMPLED_TOLERANCE : DEFAULT_TOLERANCE;
  const tolerance = effort.tolerance ?? (hasReports ? REPORTS_TOLERANCE : usual);
  const composed = loss(sessionOf(effort));
  if (composed.groups.length === 0 && composed.muSquared.upper === 0) return LOSSLESS;
  const lists = listed();
  const few = lists && fewCombinations(lists, maximum);
  const contour = (): FiniteLossCurve => contourCurve(composed, maximum, tolerance, effort, key);
  if (few) return withComplement(tiltedCurve(few, tolerance, effort), contour);
  const hasManyTerms = !hasSamples && composed.groups.some(({ transform: { terms = 1 } }) => terms > MANY_TERMS);
  return hasManyTerms
    ? tiltedCurve(discretisedMethod(groups(sessionOf(effort)), maximum, tolerance), tolerance, effort)
    : apartWhereSmall(
        pairs,
        () => (allocated.length > 0 ? allocatedCurve(contour, pairs, tolerance, effort) : contour()),
        tolerance,
        effort,
      );
}
