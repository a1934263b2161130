import type { BoundExposition } from '../core/exposition.ts';

/** See `../br-adaptive.ts`. */
export const brAdaptive: BoundExposition = {
  statement:
    'The smallest claim for bounded-range (exponential) mechanisms that are chosen adaptively, enclosed to the tolerance.',
  formula: [
    'V_0(x) = max(0, 1 - exp(x))',
    'V_j(x) = sup over t in [0, e_j] of q V_(j-1)(x - t) + (1 - q) V_(j-1)(x - t + e_j),  q = (1 - exp(t - e_j)) / (1 - exp(-e_j))',
    'd(e) = V_k(e)',
  ],
  departures: [
    'The paper gives the recursion for equal parameters and calls it intractable. In y = exp(x) each step is the largest chord of a convex function, which is solved from below and above on a grid; different parameters and orders are derived.',
    'For many mechanisms the upper end is a Gaussian curve: one step of the recursion on that of mu^2 = s lies below that of s + u (1 + 0.26 u / s + 0.06 (u / s)^5) and a little, of s^2 / (s - u), and anywhere of s + (pi / 2) u, with u = e^2 / 4.',
  ],
  works: ['dong-durfee-rogers-2020'],
  slack: 'the width of its enclosure',
  coverage: {
    types: ['bounded-range'],
    noninteractive: ['bounded-range'],
    adaptivity: 'adaptive',
    conditions: ['tables of a size that can be computed, or 500 mechanisms and more, none above epsilon 4.8'],
  },
};
