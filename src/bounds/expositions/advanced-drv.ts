import type { BoundExposition } from '../core/exposition.ts';

/** See `../advanced-drv.ts`. */
export const advancedDrv: BoundExposition = {
  statement:
    'The privacy loss of many small mechanisms concentrates around its mean, so that it grows with the square root of their number.',
  formula: [
    'm = sum e_i tanh(e_i / 2),  v = sum e_i^2',
    "e = min(sum e_i, m + sqrt(2 v ln(1 / d')))",
    "d = 1 - (1 - d') prod(1 - d_i)",
  ],
  departures: [
    'The printed mean e_i (exp(e_i) - 1) is larger; e_i tanh(e_i / 2), the largest expected loss of an (e_i, 0)-DP mechanism, is that of Kairouz, Oh and Viswanath.',
    'Epsilons and deltas may differ, and deltas are joined as 1 - prod(1 - d_i), not summed.',
  ],
  works: ['dwork-rothblum-vadhan-2010', 'kairouz-oh-viswanath-2015'],
  slack: 'it knows the mean and the range of each loss only, and bounds the tail of their sum by an inequality',
  coverage: {
    types: ['dp', 'bounded-range', 'laplace', 'discrete-laplace', 'finite-pair'],
    noninteractive: [],
    adaptivity: 'any',
    conditions: [],
  },
};
