import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../concurrent.ts`. */
export const concurrentFixedParameters: Exposition = {
  statement:
    'The same where the mechanisms and their order are chosen along the way, and only the list of parameters (e_i, d_i) is fixed.',
  formula: ['if the composition of RR(e_1, d_1), ..., RR(e_k, d_k) is (e, d)-DP, so is theirs'],
  departures: ['Mechanisms with epsilon 0 are allowed as a limit; the theorem prints e_i > 0.'],
  works: ['henzinger-safavi-vadhan-2025'],
};
