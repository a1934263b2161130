import type { BoundExposition } from '../core/exposition.ts';

/** See `../basic.ts`. */
export const basic: BoundExposition = {
  statement:
    'Mechanisms that are (e_i, d_i)-DP are together (sum e_i, sum d_i)-DP, however they are chosen and interleaved.',
  formula: [
    'e = sum e_i',
    'd = sum d_i',
    'computed in exact decimals; below sum e_i it claims nothing, nor below sum d_i',
  ],
  departures: [],
  works: ['dwork-2006'],
  slack: 'it adds up the worst cases, as if every mechanism lost its most at once',
  coverage: {
    types: ['dp', 'bounded-range', 'laplace', 'discrete-laplace', 'finite-pair'],
    noninteractive: [],
    adaptivity: 'any',
    conditions: [],
  },
};
