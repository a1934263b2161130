import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../parallel-renyi.ts`. */
export const parallelRenyiFirstPairConsistent: Exposition = {
  statement:
    'The same for continual mechanisms where neighbours that agree on the first message to an instance agree on all that follow.',
  formula: ['(a, sum of those k e_i)-RDP'],
  departures: [
    'Without that, the counterexample of Theorem 13.5 has to be taken with other constants than those printed, which miss the target from about 2.3 on at order 2 (see dpcompose attack renyi).',
  ],
  works: ['henzinger-safavi-vadhan-2025'],
};
