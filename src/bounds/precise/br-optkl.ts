import type { Decimal } from '../../numeric/decimal.ts';
import { concentration, squares, sumOver } from './concentration.ts';
import { withFailure, type PreciseBound } from './curve.ts';
import { isHandled, pureGroups, totalOf } from './entries.ts';
import type { Interval } from './interval.ts';

/** eps = sum (b_i - 1 - ln b_i) + sqrt(sum e_i^2 / 2 ln(1/delta)), b = e / (1 - e^-e), see src/bounds/br-optkl.ts. */
export const brOptKl: PreciseBound = ({ entries }, a) => {
  const groups = pureGroups(entries, a);
  if (!groups) return 'mechanism-not-covered';
  if (!isHandled(groups)) return 'too-large';
  const divergence = (epsilon: Decimal): Interval => {
    const e = a.of(epsilon);
    const b = a.divide(e, a.subtract(a.one, a.exponential(a.negate(e))));
    return a.subtract(a.subtract(b, a.one), a.logarithm(b));
  };
  const half = a.divide(squares(groups, a), a.of(2));
  return withFailure(a, concentration(a, sumOver(groups, a, divergence), half, totalOf(groups)), a.zero);
};
