import type { Theorem } from './theorem.ts';

const place = 'Henzinger, Safavi, Vadhan 2025, Cor 13.4 and 14.7; of one mechanism Def 14.6';

/**
 * A limited number l of continual mechanisms, at most k of which get different data, however late: delta(eps) is at most
 * C(l, k) times that of k of them.
 *
 * [derived] Every run belongs to a set of k instances that holds all in which it differs. Of the runs of one set, all are
 * runs of an adversary who behaves the same but stops as soon as another instance is about to differ; he runs k mechanisms
 * that may differ, and the others, whose data are the same, are post-processing (k = 1: by definition, no theorem). So P(E) <= e^eps Q(E) + delta_k(eps) for
 * the part of an event in the runs of each set, and there are C(l, k) sets. Nested instances multiply their numbers of sets.
 */
export const parallelSets: Theorem = {
  id: 'parallel-sets',
  number: 'derived',
  name: 'k-sparse parallel composition, set by set',
  reference: `derived; for each set ${place}`,
  needs: ['sparsity', 'bounded-instances', 'adaptive-adversary'],
  exposition: {
    statement:
      'A limited number l of continual mechanisms with Renyi or trade-off guarantees, at most k of which get different data, however late: the delta of k of them, once for each set of k.',
    formula: ['delta(eps) <= C(l, k) delta_k(eps), delta_k the curve of k of the mechanisms'],
    departures: ['Derived: the papers let each of a limited number of instances pay.'],
    works: ['henzinger-safavi-vadhan-2025'],
  },
};

/**
 * A limited number l of continual mechanisms that are (a, e)-RDP, at most one of which gets different data, however late:
 * (a, ln(1 + l (e^((a-1) e) - 1)) / (a - 1))-RDP.
 *
 * [derived] See renyiOfSparse.
 */
export const parallelRenyiOne: Theorem = {
  id: 'parallel-renyi-one',
  number: 'derived',
  name: 'Renyi composition of instances of which one differs',
  reference: 'derived; attained by the construction of Henzinger, Safavi, Vadhan 2025, Thm 13.5',
  needs: ['sparsity', 'bounded-instances', 'adaptive-adversary'],
  exposition: {
    statement:
      'A limited number l of continual mechanisms that are (a, e)-Renyi DP, at most one of which gets different data, however late.',
    formula: ['e_l = ln(1 + l (exp((a - 1) e) - 1)) / (a - 1)'],
    departures: [
      'Derived: the paper lets each of a limited number of instances pay. Its lower bound shows that this is exact.',
    ],
    works: ['henzinger-safavi-vadhan-2025'],
  },
};
