import { Decimal } from '../numeric/decimal.ts';
import { fromDouble } from '../numeric/double-double.ts';
import { maximum } from '../numeric/enclosure-arithmetic.ts';
import { enclosure } from '../numeric/enclosure.ts';
import type { FiniteLossCurve } from '../privacy/finite-loss-curve.ts';

/** The largest of several curves, at every epsilon. */
export function worstOf(curves: readonly FiniteLossCurve[]): FiniteLossCurve {
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
        curves.reduce(
          (worst, curve) => {
            const settled = curve.logDelta(fromDouble(worst.lower)).upper <= target.lower;
            return settled && worst.lower > 0 ? worst : maximum(worst, curve.epsilon!(target));
          },
          enclosure(0, 0),
        ),
    }),
  };
}
