import type { ComposedLoss } from '../../numeric/contour/composed-loss.ts';
import { enclosure, meet, width, type Enclosure } from '../../numeric/enclosure.ts';
import { unlessInterrupted } from '../../numeric/watch.ts';
import { LOSSLESS, solveEpsilon, vacuousCurve, type FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { logEverSampled } from '../../privacy/sampling/ever-sampled.ts';
import { hasFarTails } from '../../privacy/sampling/meshed-law.ts';
import type { Effort } from '../core/bound.ts';
import { contourCurve } from './contour-curve.ts';
import { discretisedMethod } from './discretised-method.ts';
import { fewCombinations } from './few-combinations.ts';
import { meshCurve, widthOfEpsilon, type LawGroup } from './mesh-curve.ts';
import type { Pairs } from './pair-entries.ts';
import { tiltedCurve } from './tilted-curve.ts';

/** The relative width of an enclosure where none is asked. */
export const DEFAULT_TOLERANCE = 1e-6;

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
    const { alone: closedForm, laws } = pairs;
    if (closedForm !== null) return closedForm;
    const curve = composedAlone(pairs, effort);
    return laws === null || laws.length === 0 ? curve : cappedAt(logEverSampled(laws), curve);
  };

/** A curve of which a bound is known that holds at every epsilon. */
const cappedAt = (most: number, curve: FiniteLossCurve): FiniteLossCurve => ({
  maximum: curve.maximum,
  logDelta: (epsilon) => meet(curve.logDelta(epsilon), enclosure(-Infinity, most)),
  epsilon: (target) => (target.lower >= most ? enclosure(0, 0) : solveEpsilon(curve, target)),
});

function composedAlone(pairs: Pairs, effort: Effort): FiniteLossCurve {
  const { laws, maximum } = pairs;
  const tolerance = effort.tolerance ?? DEFAULT_TOLERANCE;
  const usual = (asked: Effort): FiniteLossCurve => withoutMesh(pairs, tolerance, asked);
  if (laws === null || !laws.some(({ law }) => hasFarTails(law)) || countOf(laws) > FEW_SAMPLES) return usual(effort);
  const asked = effort.tolerance ?? FEW_STEPS;
  const first = fadingOf(pairs.loss()) === 'none' ? vacuousCurve(maximum) : usual({ ...effort, exhausted: () => true });
  return promising(
    first,
    asked,
    () => usual(effort),
    () => meshCurve(laws, maximum, asked, effort),
    effort,
  );
}

const countOf = (laws: readonly LawGroup[]): number => laws.reduce((sum, { count }) => sum + count, 0);

/** Of so many steps on samples integrals may be too long, and a mesh is quick. */
const FEW_SAMPLES = 32;

/** By combinations where they are few, by contour integrals, or on lattices. */
function withoutMesh(
  { loss, groups, listed, laws, maximum, key }: Pairs,
  tolerance: number,
  effort: Effort,
): FiniteLossCurve {
  const composed = loss();
  if (composed.groups.length === 0 && composed.muSquared.upper === 0) return LOSSLESS;
  const lists = listed();
  const few = lists && fewCombinations(lists, maximum);
  if (few) return tiltedCurve(few, tolerance, effort);
  const hasManyTerms = composed.groups.some(
    ({ transform: { terms = 1, isSlowToDecay } }) => terms > MANY_TERMS && isSlowToDecay !== true,
  );
  const byLattices = (): FiniteLossCurve =>
    tiltedCurve(discretisedMethod(groups(), maximum, tolerance), tolerance, effort);
  const byContours = (asked: number, within = effort): FiniteLossCurve =>
    contourCurve(composed, maximum, asked, within, key);
  if (hasManyTerms) return byLattices();
  const fading = fadingOf(composed);
  if (fading === 'all') return byContours(tolerance);
  // Of far tails lattices take longer still.
  if (laws?.some(({ law }) => hasFarTails(law))) return byContours(effort.tolerance ?? FEW_STEPS);
  if (fading === 'none') return byLattices();
  const first = byContours(tolerance, { ...effort, exhausted: () => true });
  return promising(first, FEW_STEPS, () => byContours(tolerance), byLattices, effort);
}

/** Whether the losses are as many as contours of them need to end soon: none, some, or all of those that are alike. */
function fadingOf({ groups, muSquared }: ComposedLoss): 'none' | 'some' | 'all' {
  const many = groups.filter(({ transform, count }) => count >= (transform.fewest ?? 0));
  if (many.length === groups.length || muSquared.upper > 0) return 'all';
  return many.length === 0 ? 'none' : 'some';
}

/** The width, relative or absolute, asked of a few steps on samples, of which integrals may be too long. */
export const FEW_STEPS = 1e-3;

/** Where a first look is as narrow as asked `further`, else `otherwise`, and what they have in common. */
function promising(
  first: FiniteLossCurve,
  asked: number,
  further: () => FiniteLossCurve,
  otherwise: () => FiniteLossCurve,
  effort: Effort,
): FiniteLossCurve {
  const [one, other] = [lazily(further), lazily(otherwise)];
  const both = (read: (curve: FiniteLossCurve) => Enclosure, widthOf: (value: Enclosure) => number): Enclosure => {
    const value = read(first);
    if (effort.exhausted()) return value;
    const better = unlessInterrupted(() => read(widthOf(value) <= asked ? one() : other()));
    return better === null ? value : meet(value, better);
  };
  return {
    maximum: first.maximum,
    logDelta: (epsilon) => both((curve) => curve.logDelta(epsilon), width),
    epsilon: (target) => both((curve) => solveEpsilon(curve, target), widthOfEpsilon),
  };
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
