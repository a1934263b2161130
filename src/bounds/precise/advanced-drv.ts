import { concentration, squares, sumOver } from './concentration.ts';
import { totalOf } from './entries.ts';
import { pureKl } from './kl.ts';
import { pureBound } from './pure-bound.ts';

/** eps = m + sqrt(2 v ln(1/d')), see src/bounds/closed-form/advanced-drv.ts. */
export const advancedDrv = pureBound((groups, a) => {
  const mean = sumOver(groups, a, (epsilon) => pureKl(epsilon, a));
  return concentration(a, mean, a.multiply(a.of(2), squares(groups, a)), totalOf(groups));
});
