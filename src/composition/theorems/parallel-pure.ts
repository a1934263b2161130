import { henzingerSafaviVadhan, type Theorem } from './theorem.ts';

/**
 * Any number of continual (e_i, 0)-DP mechanisms, at most k of which ever get different data: if the composition of
 * those k RR(e_i, 0) is (e, d)-DP, theirs is.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Corollary 5.5.
 */
export const parallelPure: Theorem = {
  id: 'parallel-pure',
  number: 'Cor 5.5',
  name: 'k-sparse parallel composition of pure continual mechanisms',
  reference: henzingerSafaviVadhan('Cor 5.5'),
  needs: ['sparsity', 'pure', 'discrete'],
  exposition: {
    statement:
      'Of any number of continual mechanisms with delta 0, of which at most k ever get data in which neighbours differ, only k are paid for.',
    formula: ['if the composition of those k RR(e_i, 0) is (e, d)-DP, so is theirs'],
    departures: ['The corollary prints (e_i, d_i) where (e_i, 0) is meant.'],
    works: ['henzinger-safavi-vadhan-2025'],
  },
};
