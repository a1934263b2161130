import { encloseDecimal } from '../../numeric/decimal.ts';
import { exactly } from '../../numeric/enclosure.ts';
import { add, multiply } from '../../numeric/enclosure-arithmetic.ts';
import { boundedRangeKl } from '../../privacy/bounded-range.ts';
import { totalEpsilon } from '../../privacy/pure.ts';
import { meanAndSquares, half, subgaussianCurve } from '../closed-form/advanced.ts';
import type { Bound } from '../core/bound.ts';
import { onRanges, RANGES_ALONE } from './closed-form.ts';

/**
 * eps = sum (b_i - 1 - ln b_i) + sqrt(sum e_i^2 / 2 ln(1/delta)), b = e / (1 - e^-e), never above sum e_i; adaptive.
 *
 * Source: Dong, Durfee, Rogers (2020), Corollary 3.1.
 */
export const brOptKl: Bound = {
  id: 'br-optkl',
  name: 'bounded range, optimal KL',
  reference: 'Dong, Durfee, Rogers 2020, Cor 3.1',
  exposition: {
    statement: 'Concentration of the loss of bounded-range mechanisms around the largest mean that it can have.',
    formula: [
      'e = min(sum e_i, sum (b_i - 1 - ln b_i) + sqrt(sum e_i^2 / 2 ln(1 / d)))',
      'b_i = e_i / (1 - exp(-e_i))',
    ],
    departures: [],
    works: ['dong-durfee-rogers-2020'],
    slack:
      'it uses only the mean and range of each loss; the Chernoff bound counts every loss above epsilon as total failure',
    coverage: RANGES_ALONE,
  },
  apply: onRanges((groups) => {
    const mean = groups.reduce(
      (sum, { epsilon, count }) => add(sum, multiply(exactly(count), boundedRangeKl(encloseDecimal(epsilon)))),
      exactly(0),
    );
    return subgaussianCurve(mean, half(meanAndSquares(groups).squares), totalEpsilon(groups));
  }),
};
