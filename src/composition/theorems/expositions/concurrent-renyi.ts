import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../concurrent-renyi.ts`. */
export const concurrentRenyi: Exposition = {
  statement:
    'Renyi divergences of interactive and continual mechanisms that run at the same time add up, order by order.',
  formula: ['(a, sum e_i)-RDP, for 1 < a <= infinity'],
  departures: [],
  works: ['henzinger-safavi-vadhan-2025'],
};
