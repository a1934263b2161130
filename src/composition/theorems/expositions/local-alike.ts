import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../local.ts`. */
export const localAlike: Exposition = {
  statement:
    'Users who answer a server from their own data with the same guarantee, at most k of whom have different data: k of their mechanisms are paid for, however many users there are.',
  formula: ['the composition of k RR(e_i, d_i)'],
  departures: [],
  works: ['henzinger-safavi-vadhan-2025'],
};
