import { concentration, squares, sumOver } from './concentration.ts';
import { withFailure, type PreciseBound } from './curve.ts';
import { isHandled, pureGroups, totalOf } from './entries.ts';
import { boundedRangeKl } from './kl.ts';

/** eps = sum (b_i - 1 - ln b_i) + sqrt(sum e_i^2 / 2 ln(1/delta)), b = e / (1 - e^-e), see src/bounds/bounded-range/optkl.ts. */
export const brOptKl: PreciseBound = ({ entries }, a) => {
  const groups = pureGroups(entries, a);
  if (!groups) return 'mechanism-not-covered';
  if (!isHandled(groups)) return 'too-large';
  const mean = sumOver(groups, a, (epsilon) => boundedRangeKl(epsilon, a));
  const half = a.divide(squares(groups, a), a.of(2));
  return withFailure(a, concentration(a, mean, half, totalOf(groups)), a.zero);
};
