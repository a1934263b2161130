import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../parallel-first-pair-consistent.ts`. */
export const parallelFirstPairConsistent: Exposition = {
  statement:
    'Continual mechanisms cost no more than interactive ones where neighbours that agree on the first message to an instance agree on all that follow.',
  formula: ['if the composition of those k RR(e_i, d_i) is (e, d)-DP, so is theirs'],
  departures: [],
  works: ['henzinger-safavi-vadhan-2025'],
};
