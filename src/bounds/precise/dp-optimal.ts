import { withFailure, type LossCurve, type PreciseBound } from './curve.ts';
import { heterogeneousOptimum } from './dp-optimal-heterogeneous.ts';
import { homogeneousOptimum } from './dp-optimal-homogeneous.ts';
import { failureOf, isHandled, pureGroups } from './entries.ts';
import { Decimal } from '../../numeric/decimal.ts';

/** Optimal composition of (e_i, d_i)-DP mechanisms, see src/bounds/dp-optimal/dp-optimal.ts. */
export const dpOptimal: PreciseBound = ({ entries }, a) => {
  const groups = pureGroups(entries, a);
  if (!groups) return 'mechanism-not-covered';
  if (!isHandled(groups)) return 'too-large';
  const [first, ...rest] = groups;
  const silent: LossCurve = { maximum: new Decimal(0), delta: () => a.zero, epsilon: () => a.zero };
  const curve = !first ? silent : rest.length === 0 ? homogeneousOptimum(first, a) : heterogeneousOptimum(groups, a);
  return curve ? withFailure(a, curve, failureOf(entries, a)) : 'too-large';
};
