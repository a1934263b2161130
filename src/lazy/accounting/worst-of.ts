import { Decimal } from '../../numeric/decimal.ts';
import { fromDouble } from '../../numeric/double-double.ts';
import { maximum } from '../../numeric/enclosure-arithmetic.ts';
import { enclosure } from '../../numeric/enclosure.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';

/** The largest of several curves, at every epsilon; `ends`: whether lower ends are known. */
export function worstOf(curves: readonly FiniteLossCurve[], ends: 'both' | 'upper' = 'both'): FiniteLossCurve {
  const [first] = curves;
  if (first === undefined) throw new RangeError('of no curves none is the worst');
  const largest = curves.reduce<Decimal | null>(
    (most, { maximum: of }) => (most === null || of === null ? null : Decimal.max(most, of)),
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
          const known = end < Infinity && (ends === 'upper' || end > 0);
          const settled = known && curve.logDelta(fromDouble(end)).upper <= target.lower;
          return settled ? worst : maximum(worst, curve.epsilon!(target));
        }, first.epsilon!(target)),
    }),
  };
}
