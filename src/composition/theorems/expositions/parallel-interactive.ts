import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../parallel-interactive.ts`. */
export const parallelInteractive: Exposition = {
  statement:
    'Of any number of interactive mechanisms, of which at most k get data in which neighbours differ, only k are paid for.',
  formula: ['if the composition of those k RR(e_i, d_i) is (e, d)-DP, so is theirs'],
  departures: ['The paper prints "l instances" in one place where k is meant.'],
  works: ['henzinger-safavi-vadhan-2025'],
};
