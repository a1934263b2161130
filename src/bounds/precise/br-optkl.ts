import { concentration, squares, sumOver } from './concentration.ts';
import { totalOf } from './entries.ts';
import { boundedRangeKl } from './kl.ts';
import { pureBound } from './pure-bound.ts';

/** eps = sum (b_i - 1 - ln b_i) + sqrt(sum e_i^2 / 2 ln(1/delta)), b = e / (1 - e^-e), see src/bounds/bounded-range/optkl.ts. */
export const brOptKl = pureBound((groups, a) => {
  const mean = sumOver(groups, a, (epsilon) => boundedRangeKl(epsilon, a));
  return concentration(a, mean, a.divide(squares(groups, a), a.of(2)), totalOf(groups));
});
