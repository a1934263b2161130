import type { BoundExposition } from '../core/exposition.ts';

/** See `../dp-optimal.ts`. */
export const dpOptimal: BoundExposition = {
  statement:
    'The smallest (e, d) that holds for every choice of (e_i, d_i)-DP mechanisms: that of composed randomized responses, of which each of them is a post-processing.',
  formula: [
    'd(e) = 1 - prod(1 - d_i) (1 - E[max(0, 1 - exp(e - L))])',
    'L = sum of independent losses +-e_i, the sign + with probability exp(e_i) / (1 + exp(e_i))',
  ],
  departures: [
    'A bounded-range, Laplace or finite-pair entry is taken by its (e_i, d_i)-DP guarantee; the bound is then an upper one only.',
    'The sum has exponentially many terms where the e_i differ; where they are few they are added up, else the sum is enclosed by a contour integral.',
  ],
  works: ['kairouz-oh-viswanath-2015', 'murtagh-vadhan-2016', 'henzinger-safavi-vadhan-2025'],
  slack:
    'nothing of (e, d)-DP mechanisms; of bounded-range mechanisms, Laplace noise and finite pairs all but their (e, d)-DP guarantee',
  coverage: {
    types: ['dp', 'bounded-range', 'laplace', 'discrete-laplace', 'finite-pair'],
    noninteractive: [],
    adaptivity: 'any',
    conditions: ['at most 10^12 equal mechanisms; beyond that it claims no more than sum e_i'],
  },
};
