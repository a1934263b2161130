import { lossless } from './curve.ts';
import { heterogeneousOptimum } from './dp-optimal-heterogeneous.ts';
import { homogeneousOptimum } from './dp-optimal-homogeneous.ts';
import { pureBound } from './pure-bound.ts';

/** Optimal composition of (e_i, d_i)-DP mechanisms, see src/bounds/dp-optimal/dp-optimal.ts. */
export const dpOptimal = pureBound((groups, a) => {
  const [first, ...rest] = groups;
  if (!first) return lossless(a);
  return rest.length === 0 ? homogeneousOptimum(first, a) : heterogeneousOptimum(groups, a);
});
