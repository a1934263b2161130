import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../local.ts`. */
export const localDifferent: Exposition = {
  statement: 'The same for users with guarantees of their own.',
  formula: ['the composition of the k largest epsilons and the k largest deltas'],
  departures: ['Taking the largest epsilons and deltas, rank by rank, is derived.'],
  works: ['henzinger-safavi-vadhan-2025'],
};
