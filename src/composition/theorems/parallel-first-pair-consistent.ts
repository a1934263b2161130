import { henzingerSafaviVadhan, type Theorem } from './theorem.ts';

/**
 * The same as for interactive mechanisms where the instances are continual, but neighbours that agree on the first
 * message to an instance agree on all that follow.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Theorem 5.14.
 */
export const parallelFirstPairConsistent: Theorem = {
  id: 'parallel-first-pair-consistent',
  number: 'Thm 5.14',
  name: 'k-sparse parallel composition, first-pair consistent',
  reference: henzingerSafaviVadhan('Thm 5.14'),
  needs: ['sparsity', 'first-pair-consistent', 'adaptive-adversary', 'discrete', 'equal-data-allowed'],
  exposition: {
    statement:
      'Continual mechanisms cost no more than interactive ones where neighbours that agree on the first message to an instance agree on all that follow.',
    formula: ['if the composition of those k RR(e_i, d_i) is (e, d)-DP, so is theirs'],
    departures: [],
    works: ['henzinger-safavi-vadhan-2025'],
  },
};
