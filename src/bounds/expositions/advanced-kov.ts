import type { BoundExposition } from '../core/exposition.ts';

/** See `../advanced-kov.ts`. */
export const advancedKov: BoundExposition = {
  statement:
    'The closed form that Kairouz, Oh and Viswanath derive from the optimal composition: the least of three bounds.',
  formula: [
    'm = sum e_i tanh(e_i / 2),  v = sum e_i^2',
    "e = min(sum e_i, m + sqrt(2 v ln(exp(1) + sqrt(v) / d')), m + sqrt(2 v ln(1 / d')))",
    "d = 1 - (1 - d') prod(1 - d_i)",
  ],
  departures: [
    'Where the theorem is quoted with the linear term sum e_i, that is a slip: the term is sum e_i tanh(e_i / 2).',
  ],
  works: ['kairouz-oh-viswanath-2015'],
  slack: 'it knows the mean and the range of each loss only, and bounds the tail of their sum by an inequality',
  coverage: {
    types: ['dp', 'bounded-range', 'laplace', 'discrete-laplace', 'finite-pair'],
    noninteractive: [],
    adaptivity: 'any',
    conditions: [],
  },
};
