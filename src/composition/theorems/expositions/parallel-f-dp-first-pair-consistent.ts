import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../parallel-f-dp.ts`. */
export const parallelFDpFirstPairConsistent: Exposition = {
  statement:
    'The same for continual mechanisms where neighbours that agree on the first message to an instance agree on all that follow.',
  formula: ['f-DP where every composition of those k as noninteractive mechanisms is f-DP'],
  departures: [],
  works: ['henzinger-safavi-vadhan-2025'],
};
