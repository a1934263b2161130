import type { BoundExposition } from '../core/exposition.ts';

/** See `../gaussian.ts`. */
export const gaussian: BoundExposition = {
  statement:
    'Gaussian mechanisms compose to one Gaussian mechanism; the curve is exact. A mu-GDP guarantee is dominated by that pair.',
  formula: [
    'mu^2 = sum (s_i / sigma_i)^2, and mu_i^2 for mu_i-GDP',
    'd(e) = Phi(-e / mu + mu / 2) - exp(e) Phi(-e / mu - mu / 2)',
  ],
  departures: [],
  works: ['balle-wang-2018', 'dong-roth-su-2022'],
  slack: 'nothing',
  coverage: { types: ['gaussian', 'gdp'], noninteractive: ['gaussian', 'gdp'], adaptivity: 'any', conditions: [] },
};
