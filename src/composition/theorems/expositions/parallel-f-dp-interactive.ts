import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../parallel-f-dp.ts`. */
export const parallelFDpInteractive: Exposition = {
  statement:
    'Of any number of interactive mechanisms with trade-off functions, of which at most k get data in which neighbours differ, only k are paid for.',
  formula: ['f-DP where every composition of those k as noninteractive mechanisms is f-DP'],
  departures: [],
  works: ['henzinger-safavi-vadhan-2025'],
};
