import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../parallel-interactive.ts`. */
export const parallelNoninteractive: Exposition = {
  statement:
    'Of any number of noninteractive mechanisms, of which at most k get data in which neighbours differ, only k are paid for.',
  formula: ['the cost of k of them, the costliest'],
  departures: [
    'Not printed: an answer from data that do not differ can be drawn by the adversary alone, so all others are post-processing.',
  ],
  works: ['henzinger-safavi-vadhan-2025'],
};
