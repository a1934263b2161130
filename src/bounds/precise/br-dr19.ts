import { concentration, squares } from './concentration.ts';
import { totalOf } from './entries.ts';
import { pureBound } from './pure-bound.ts';

/** eps = sum e_i^2 / 2 + sqrt(sum e_i^2 / 2 ln(1/delta)), see src/bounds/bounded-range/dr19.ts. */
export const brDr19 = pureBound((groups, a) => {
  const half = a.divide(squares(groups, a), a.of(2));
  return concentration(a, half, half, totalOf(groups));
});
