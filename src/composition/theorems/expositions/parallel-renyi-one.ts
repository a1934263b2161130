import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../parallel-sets.ts`. */
export const parallelRenyiOne: Exposition = {
  statement:
    'A limited number l of continual mechanisms that are (a, e)-Renyi DP, at most one of which gets different data, however late.',
  formula: ['e_l = ln(1 + l (exp((a - 1) e) - 1)) / (a - 1)'],
  departures: [
    'Derived: the paper lets each of a limited number of instances pay. Its lower bound shows that this is exact.',
  ],
  works: ['henzinger-safavi-vadhan-2025'],
};
