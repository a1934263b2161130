import type { BoundExposition } from '../core/exposition.ts';

/** See `../br-dr19.ts`. */
export const brDr19: BoundExposition = {
  statement: 'The first composition theorem for bounded-range mechanisms.',
  formula: ['e = min(sum e_i, sum e_i^2 / 2 + sqrt(sum e_i^2 / 2 ln(1 / d)))'],
  departures: ['It is cut off at sum e_i.'],
  works: ['durfee-rogers-2019'],
  slack:
    'it takes a larger mean than the loss can have, and a Chernoff bound counts a loss above epsilon as if all of it were failure',
  coverage: { types: ['bounded-range'], noninteractive: ['bounded-range'], adaptivity: 'any', conditions: [] },
};
