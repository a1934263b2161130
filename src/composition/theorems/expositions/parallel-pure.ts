import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../parallel-pure.ts`. */
export const parallelPure: Exposition = {
  statement:
    'Of any number of continual mechanisms with delta 0, of which at most k ever get data in which neighbours differ, only k are paid for.',
  formula: ['if the composition of those k RR(e_i, 0) is (e, d)-DP, so is theirs'],
  departures: ['The corollary prints (e_i, d_i) where (e_i, 0) is meant.'],
  works: ['henzinger-safavi-vadhan-2025'],
};
