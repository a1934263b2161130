import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../disjoint-parts.ts`. */
export const disjointParts: Exposition = {
  statement: 'Mechanisms on disjoint parts of the data cost what the costliest cost that can differ at once.',
  formula: ['for s differing parts: the s largest parameters, rank by rank, and the s largest sums of a part'],
  departures: [
    'The source has one differing part and noninteractive mechanisms; several differing parts and continual mechanisms are derived from the theorems on sparse parallel composition.',
  ],
  works: ['mcsherry-2009', 'henzinger-safavi-vadhan-2025'],
};
