import type { BoundExposition } from '../core/exposition.ts';

/** See `../br-optkl.ts`. */
export const brOptkl: BoundExposition = {
  statement: 'Concentration of the loss of bounded-range mechanisms around the largest mean that it can have.',
  formula: ['e = min(sum e_i, sum (b_i - 1 - ln b_i) + sqrt(sum e_i^2 / 2 ln(1 / d)))', 'b_i = e_i / (1 - exp(-e_i))'],
  departures: ['It is cut off at sum e_i.'],
  works: ['dong-durfee-rogers-2020'],
  slack:
    'it knows the mean and the range of each loss only, and a Chernoff bound counts a loss above epsilon as if all of it were failure',
  coverage: { types: ['bounded-range'], noninteractive: ['bounded-range'], adaptivity: 'any', conditions: [] },
};
