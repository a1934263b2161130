import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../parallel-sets.ts`. */
export const parallelSets: Exposition = {
  statement:
    'A limited number l of continual mechanisms with Renyi or trade-off guarantees, at most k of which get different data, however late: the delta of k of them, once for each set of k.',
  formula: ['delta(eps) <= C(l, k) delta_k(eps), delta_k the curve of k of the mechanisms'],
  departures: ['Derived: the papers let each of a limited number of instances pay.'],
  works: ['henzinger-safavi-vadhan-2025'],
};
