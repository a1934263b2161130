import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../parallel-renyi.ts`. */
export const parallelRenyiInteractive: Exposition = {
  statement:
    'Of any number of interactive mechanisms with Renyi guarantees, of which at most k get data in which neighbours differ, only k are paid for.',
  formula: ['(a, sum of those k e_i)-RDP'],
  departures: [],
  works: ['henzinger-safavi-vadhan-2025'],
};
