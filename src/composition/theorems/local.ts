import { henzingerSafaviVadhan, type Theorem } from './theorem.ts';

/**
 * Users with the same guarantee, at most k of whom have different data: the protocol costs what k of their mechanisms
 * cost, however many users there are.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Corollary 8.8; that users are honest and do not collude: Remark 8.11.
 */
export const localAlike: Theorem = {
  id: 'local-alike',
  number: 'Cor 8.8',
  name: 'local model, users alike',
  reference: henzingerSafaviVadhan('Cor 8.8'),
  needs: ['sparsity', 'honest-users', 'equal-data-allowed'],
  exposition: {
    statement:
      'Users who answer a server from their own data with the same guarantee, at most k of whom have different data: k of their mechanisms are paid for, however many users there are.',
    formula: ['the composition of k RR(e_i, d_i)'],
    departures: [],
    works: ['henzinger-safavi-vadhan-2025'],
  },
};

/**
 * Users with guarantees of their own: the protocol costs what the composition of those who may differ costs, at most the
 * k largest epsilons and the k largest deltas (derived, see disjointParts).
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Theorem 8.7.
 */
export const localDifferent: Theorem = {
  id: 'local-different',
  number: 'Thm 8.7',
  name: 'local model, users of different guarantees',
  reference: henzingerSafaviVadhan('Thm 8.7'),
  needs: ['sparsity', 'honest-users', 'equal-data-allowed'],
  exposition: {
    statement: 'The same for users with guarantees of their own.',
    formula: ['the composition of the k largest epsilons and the k largest deltas'],
    departures: ['Taking the largest epsilons and deltas, rank by rank, is derived.'],
    works: ['henzinger-safavi-vadhan-2025'],
  },
};
