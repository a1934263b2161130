import type { BoundExposition } from '../core/exposition.ts';

/** See `../zcdp.ts`. */
export const zcdp: BoundExposition = {
  statement: 'Zero-concentrated privacy adds up, and is converted to (e, d) at the best order.',
  formula: [
    'd(e) = inf over a > 1 of exp((a - 1)(a rho - e)) / (a - 1) (1 - 1 / a)^a',
    'rho = sum rho_i: e_i tanh(e_i / 2) of (e_i, 0)-DP, e_i^2 / 8 of bounded range, mu^2 / 2 of Gaussian noise',
  ],
  departures: ['The rho of (e_i, 0)-DP, e_i tanh(e_i / 2), is derived; in print it is e_i^2 / 2, which is larger.'],
  works: ['bun-steinke-2016', 'canonne-kamath-steinke-2020', 'cesar-rogers-2021'],
  slack:
    'a line through all orders stands for the Renyi divergence of each mechanism, and one order for the distribution of the loss',
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
      'gdp',
    ],
    noninteractive: [],
    adaptivity: 'any',
    conditions: [],
  },
};
