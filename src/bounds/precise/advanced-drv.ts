import { concentration, squares, sumOver } from './concentration.ts';
import { withFailure, type PreciseBound } from './curve.ts';
import { failureOf, isHandled, pureGroups, totalOf } from './entries.ts';
import { pureKl } from './kl.ts';

/** eps = m + sqrt(2 v ln(1/d')), see src/bounds/closed-form/advanced-drv.ts. */
export const advancedDrv: PreciseBound = ({ entries }, a) => {
  const groups = pureGroups(entries, a);
  if (!groups) return 'mechanism-not-covered';
  if (!isHandled(groups)) return 'too-large';
  const mean = sumOver(groups, a, (epsilon) => pureKl(epsilon, a));
  const scale = a.multiply(a.of(2), squares(groups, a));
  return withFailure(a, concentration(a, mean, scale, totalOf(groups)), failureOf(entries, a));
};
