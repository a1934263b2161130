import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../parallel-interactive.ts`. */
export const parallelNoneDiffer: Exposition = {
  statement: 'Instances of which none ever gets data in which neighbours differ cost nothing.',
  formula: ['(0, 0)-DP'],
  departures: [],
  works: ['henzinger-safavi-vadhan-2025'],
};
