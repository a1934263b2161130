import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../concurrent.ts`. */
export const concurrentFixed: Exposition = {
  statement:
    'Interactive and continual mechanisms that are fixed in advance and run at the same time cost what their randomized responses cost together.',
  formula: [
    'if the composition of RR(e_1, d_1), ..., RR(e_k, d_k) is (e, d)-DP, so is theirs',
    'RR(e_i, d_i) is randomized response with parameters e_i, d_i',
  ],
  departures: [
    'They are also composed with mechanisms that answer once, which is derived: each of them is a post-processing of its randomized response.',
  ],
  works: ['henzinger-safavi-vadhan-2025'],
};
