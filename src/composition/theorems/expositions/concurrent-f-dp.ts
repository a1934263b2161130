import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../concurrent-f-dp.ts`. */
export const concurrentFDp: Exposition = {
  statement:
    'Interactive and continual mechanisms with trade-off functions compose as noninteractive ones with the same trade-off functions do.',
  formula: ['if every composition of noninteractive f_i-DP mechanisms is f-DP, so is theirs'],
  departures: [],
  works: ['henzinger-safavi-vadhan-2025'],
};
