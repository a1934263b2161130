import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../families.ts`. */
export const families: Exposition = {
  statement: 'Instances of several mechanisms cost together what the costliest cost that can differ at once.',
  formula: ['for s differing instances: the s largest parameters, rank by rank, with s copies of each mechanism'],
  departures: [
    'The source counts the instances of one mechanism; that a mechanism may be another one in each instance is derived, as its theorems treat every instance on its own.',
  ],
  works: ['henzinger-safavi-vadhan-2025'],
};
