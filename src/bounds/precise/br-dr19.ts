import { concentration, squares } from './concentration.ts';
import { withFailure, type PreciseBound } from './curve.ts';
import { isHandled, pureGroups, totalOf } from './entries.ts';

/** eps = sum e_i^2 / 2 + sqrt(sum e_i^2 / 2 ln(1/delta)), see src/bounds/bounded-range/dr19.ts. */
export const brDr19: PreciseBound = ({ entries }, a) => {
  const groups = pureGroups(entries, a);
  if (!groups) return 'mechanism-not-covered';
  if (!isHandled(groups)) return 'too-large';
  const half = a.divide(squares(groups, a), a.of(2));
  return withFailure(a, concentration(a, half, half, totalOf(groups)), a.zero);
};
