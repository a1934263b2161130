import type { BoundExposition } from '../core/exposition.ts';

/** See `../rdp.ts`. */
export const rdp: BoundExposition = {
  statement: 'Renyi divergences add up, order by order; the best order is converted to (e, d).',
  formula: [
    'd(e) = inf over a > 1 of exp((a - 1)(R(a) - e)) / (a - 1) (1 - 1 / a)^a',
    'R(a) = sum R_i(a), the largest Renyi divergence of order a of each mechanism',
    'd = 1 - (1 - d(e)) prod(1 - d_i) where mechanisms are (e_i, d_i)-DP',
  ],
  departures: [
    'The conversion is that of Canonne, Kamath and Steinke, which is smaller than the printed one of Mironov.',
    'Guarantees of different orders are taken at the orders where they are given, lowered to the smallest common one.',
  ],
  works: ['mironov-2017', 'canonne-kamath-steinke-2020', 'henzinger-safavi-vadhan-2025'],
  slack: 'one order of Renyi divergence stands for the whole distribution of the loss',
  coverage: {
    types: [
      'dp',
      'bounded-range',
      'laplace',
      'discrete-laplace',
      'gaussian',
      'discrete-gaussian',
      'finite-pair',
      'zcdp',
      'rdp',
      'gdp',
    ],
    noninteractive: [],
    adaptivity: 'any',
    conditions: [],
  },
};
