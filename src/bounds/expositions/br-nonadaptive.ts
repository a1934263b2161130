import type { BoundExposition } from '../core/exposition.ts';

/** See `../br-nonadaptive.ts`. */
export const brNonadaptive: BoundExposition = {
  statement:
    'The smallest claim for bounded-range (exponential) mechanisms that are all fixed in advance; exact for equal parameters.',
  formula: [
    'd(e) = max over l = 0..k of d_k(t_l),  t_l = (e + (l + 1) e_0) / (k + 1) where that is in [0, e_0]',
    'd_k(t) = sum_i C(k, i) p^(k-i) (1 - p)^i max(0, exp(k t - i e_0) - exp(e))',
    'p = (exp(-t) - exp(-e_0)) / (1 - exp(-e_0))',
  ],
  departures: [
    'For different parameters the optimum is enclosed: one t for each parameter is enough (their Lemma 5.4 given the other losses), a search gives the lower end, the adaptive optimum of one order the upper end; from 500 mechanisms on the t of the best Chernoff bounds, and the Gaussian curve above the adaptive optimum.',
  ],
  works: ['dong-durfee-rogers-2020'],
  slack: 'nothing for equal parameters, the width of its enclosure for different ones',
  coverage: {
    types: ['bounded-range'],
    noninteractive: ['bounded-range'],
    adaptivity: 'nonadaptive',
    conditions: ['one mechanism alone has nothing to adapt to, so that it also holds adaptively'],
  },
};
