import type { BoundExposition } from '../core/exposition.ts';

/** See `../mixed.ts`. */
export const mixed: BoundExposition = {
  statement:
    'Bounded-range mechanisms together with mechanisms that have a dominating pair: the worst adversary plays the single pairs first, then the bounded-range game.',
  formula: [
    'd(e) = E[V(e - L)]',
    'L = the loss of all single pairs together',
    'V = the adaptive optimum of the bounded-range mechanisms (see br-adaptive)',
  ],
  departures: [
    'The result is not in print: it answers a question of Dong, Durfee and Rogers (their Section 8). Playing a single pair first is optimal, as a supremum of expectations is at most the expectation of the supremum.',
    'In a declared order, single pairs stay in their turn; fixed in advance, the enclosure is an upper bound and a search.',
  ],
  works: ['dong-durfee-rogers-2020', 'zhu-dong-wang-2022'],
  slack: 'the width of its enclosure, and in one declared order or fixed in advance more than that',
  coverage: {
    types: ['bounded-range'],
    beside: ['dp', 'laplace', 'gaussian', 'discrete-laplace', 'discrete-gaussian', 'finite-pair', 'gdp'],
    together: true,
    noninteractive: [
      'bounded-range',
      'laplace',
      'gaussian',
      'discrete-laplace',
      'discrete-gaussian',
      'finite-pair',
      'gdp',
    ],
    adaptivity: 'any',
    conditions: ['both bounded-range mechanisms and others; tables of a size that can be computed'],
  },
};
