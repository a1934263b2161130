import { bracketRoot } from '../../numeric/bracket-root.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { fromDouble } from '../../numeric/double-double.ts';
import { enclosure, exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { maximum, minimum } from '../../numeric/enclosure-arithmetic.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';

/** The smaller of two upper bounds on one curve, at every epsilon; it says nothing from below. */
export const bestOf = (a: FiniteLossCurve, b: FiniteLossCurve): FiniteLossCurve => ({
  maximum: a.maximum,
  logDelta: (x) => enclosure(-Infinity, minimum(a.logDelta(x), b.logDelta(x)).upper),
  epsilon: (target) => enclosure(0, minimum(a.epsilon!(target), b.epsilon!(target)).upper),
});

/** A curve whose upper ends are no worse than an upper bound on it. */
export const atMost = (curve: FiniteLossCurve, bound: FiniteLossCurve): FiniteLossCurve => ({
  maximum: curve.maximum,
  logDelta(x) {
    const { lower, upper } = curve.logDelta(x);
    return enclosure(lower, Math.min(upper, bound.logDelta(x).upper));
  },
  epsilon(target) {
    const { lower, upper } = curve.epsilon!(target);
    return enclosure(lower, Math.min(upper, bound.epsilon!(target).upper));
  },
});

/** The largest of several curves, at every epsilon; `ends`: whether lower ends are known. */
export function worstOf(curves: readonly FiniteLossCurve[], ends: 'both' | 'upper' = 'both'): FiniteLossCurve {
  const [first] = curves;
  if (first === undefined) throw new RangeError('of no curves none is the worst');
  const largest = curves.reduce<Decimal | null>(
    (max, { maximum: of }) => (max === null || of === null ? null : Decimal.max(max, of)),
    first.maximum,
  );
  return {
    maximum: largest,
    logDelta: (epsilon) =>
      curves.map((curve) => curve.logDelta(epsilon)).reduce(maximum, enclosure(-Infinity, -Infinity)),
    ...(curves.every(({ epsilon }) => epsilon !== undefined) && {
      epsilon: (target) =>
        curves.slice(1).reduce((worst, curve) => {
          // A curve that is certainly at most the target there does not move that end, nor a larger one.
          const end: number = ends === 'upper' ? worst.upper : worst.lower;
          const isKnown = end < Infinity && (ends === 'upper' || end > 0);
          const settled = isKnown && curve.logDelta(fromDouble(end)).upper <= target.lower;
          return settled ? worst : maximum(worst, curve.epsilon!(target));
        }, first.epsilon!(target)),
    }),
  };
}

/** Where does one end of a decreasing function cross a target? */
interface CertainCrossing {
  /** Whether x is certainly on the side that is looked for. */
  readonly holds: (x: number) => boolean;
  /** About how far the function is above its target. */
  readonly excess: (x: number) => number;
  /** `holds` at the end that is returned where nothing better is found: `to` for 'upper', `from` for 'lower'. */
  readonly from: number;
  readonly to: number;
}

/** The first step from where doubles have the crossing, relatively, and how it grows. */
const FIRST_STEP = 2 ** -46;
const GROWTH = 8;

/** A step that had to be larger than this is halved again: doubles were far from the crossing. */
const LARGE_STEP = 2 ** -36;
const HALVINGS = 24;

/**
 * The least x found at which the function is certainly at most the target ('upper'), or the largest at which it is
 * certainly above ('lower'): from the crossing in doubles, which may be anywhere, steps outward until it is certain.
 */
export function certainCrossing({ holds, excess, from, to }: CertainCrossing, end: 'upper' | 'lower'): number {
  const evaluate = (x: number): Enclosure => exactly(excess(x));
  const about = bracketRoot({ evaluate, target: exactly(0), from, to, start: (from + to) / 2 });
  const [outward, limit] = end === 'upper' ? [1, to] : [-1, from];
  const centre = Math.max(from, Math.min(to, end === 'upper' ? about.upper : about.lower));
  const scale = Math.max(centre, to * Number.EPSILON, Number.MIN_VALUE);
  let inside = centre;
  for (let step = FIRST_STEP; ; step *= GROWTH) {
    const x = centre + outward * step * scale;
    const beyond = outward > 0 ? x >= limit : x <= limit;
    if (!beyond && !holds(x)) {
      inside = x;
      continue;
    }
    let outside = beyond ? limit : x;
    for (let i = 0; step > LARGE_STEP && i < HALVINGS; i++) {
      const middle = inside + (outside - inside) / 2;
      if (holds(middle)) outside = middle;
      else inside = middle;
    }
    return outside;
  }
}
