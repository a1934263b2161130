import { enclosure, meet } from '../../numeric/enclosure.ts';
import { LOSSLESS, solveEpsilon, type FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { logEverSampled } from '../../privacy/sampling/ever-sampled.ts';
import type { Effort } from '../core/bound.ts';
import { contourCurve } from './contour-curve.ts';
import { discretisedMethod } from './discretised-method.ts';
import { fewCombinations } from './few-combinations.ts';
import { withLargestLaplaceLosses } from './largest-laplace-losses.ts';
import type { Pairs } from './pair-entries.ts';
import { tiltedCurve } from './tilted-curve.ts';

/** The relative width of an enclosure where none is asked, and of one with mechanisms on samples. */
export const DEFAULT_TOLERANCE = 1e-6;
export const SAMPLED_TOLERANCE = 1e-7;

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
const cappedAt = (most: number, curve: FiniteLossCurve): FiniteLossCurve => ({
  maximum: curve.maximum,
  logDelta: (epsilon) => meet(curve.logDelta(epsilon), enclosure(-Infinity, most)),
  epsilon: (target) => (target.lower >= most ? enclosure(0, 0) : solveEpsilon(curve, target)),
});

/** By combinations where they are few, by contour integrals, or on lattices. */
function composedAlone({ loss, groups, listed, hasSamples, maximum, key }: Pairs, effort: Effort): FiniteLossCurve {
  const tolerance = effort.tolerance ?? (hasSamples ? SAMPLED_TOLERANCE : DEFAULT_TOLERANCE);
  const composed = loss();
  if (composed.groups.length === 0 && composed.muSquared.upper === 0) return LOSSLESS;
  const lists = listed();
  const few = lists && fewCombinations(lists, maximum);
  if (few) return tiltedCurve(few, tolerance, effort);
  const hasManyTerms = !hasSamples && composed.groups.some(({ transform: { terms = 1 } }) => terms > MANY_TERMS);
  return hasManyTerms
    ? tiltedCurve(discretisedMethod(groups(), maximum, tolerance), tolerance, effort)
    : contourCurve(composed, maximum, tolerance, effort, key);
}
