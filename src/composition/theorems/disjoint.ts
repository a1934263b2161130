import { theirTheorem, henzingerSafaviVadhan, type Theorem } from './theorem.ts';

/**
 * Mechanisms on disjoint parts of the data, of which neighbours differ in at most s: each part is an instance that gets
 * different data or not, so that the theorems on s-sparse parallel composition cover it. Whichever s parts differ, what
 * they run is dominated by the s largest parameters, rank by rank, and by the s largest sums of a part (derived: RR(e, d) is
 * a post-processing of RR(e, 0) and RR(0, d), and of every RR with larger parameters; a list of them is one of RR with the
 * sum of its epsilons).
 *
 * Source: for one part McSherry (2009), Theorem 4.
 */
export const disjointParts: Theorem = {
  id: 'disjoint-parts',
  number: 'McSherry 2009, Thm 4',
  name: 'disjoint parts: the largest',
  reference: 'McSherry 2009, Thm 4; several differing parts and continual ones derived',
  needs: ['disjoint-parts', 'sparsity'],
  exposition: {
    statement:
      'For mechanisms on disjoint parts of the data, only the parts that can differ at once are composed, at the largest parameters.',
    formula: ['for s differing parts: the s largest parameters, rank by rank, and the s largest sums of a part'],
    departures: [
      'The source covers one differing part and noninteractive mechanisms. Several differing parts and continual mechanisms are derived from the theorems on sparse parallel composition.',
    ],
    works: ['mcsherry-2009', 'henzinger-safavi-vadhan-2025'],
  },
};

/**
 * Instances of several mechanisms, at most s of which, whichever they are, get different data: the theorems on s-sparse
 * parallel composition cover them together, as they let the adversary create any mechanisms. Whichever s instances differ,
 * what they run is dominated by the s largest parameters, rank by rank (derived, see disjointParts, with s copies of each
 * mechanism in place of its instances).
 */
export const families: Theorem = {
  id: 'families',
  number: 'derived',
  name: 'several families of instances: the largest',
  reference: `derived from ${henzingerSafaviVadhan('Def 5.1')}`,
  needs: ['sparsity'],
  exposition: {
    statement:
      'For instances of several mechanisms, only the instances that can differ at once are composed, at the largest parameters.',
    formula: ['for s differing instances: the s largest parameters, rank by rank, with s copies of each mechanism'],
    departures: [
      'The source lets the adversary create any mechanisms (Definition 5.1). Derived: the largest parameters, rank by rank, dominate those that may differ.',
    ],
    works: ['henzinger-safavi-vadhan-2025'],
  },
};

/**
 * Users with the same guarantee, at most k of whom have different data: the protocol costs what k of their mechanisms
 * cost, however many users there are.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Corollary 8.8; that users are honest and do not collude: Remark 8.11.
 */
export const localAlike = theirTheorem({
  id: 'local-alike',
  number: 'Cor 8.8',
  name: 'local model, users alike',
  needs: ['sparsity', 'honest-users', 'equal-data-allowed'],
  statement:
    'At most k of any number of users with the same guarantee have data that differ between neighbors. The total is at most that of k of their mechanisms.',
  formula: ['the composition of k RR(e_i, d_i)'],
});

/**
 * Users with guarantees of their own: the protocol costs what the composition of those who may differ costs, at most the
 * k largest epsilons and the k largest deltas (derived, see disjointParts).
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Theorem 8.7.
 */
export const localDifferent = theirTheorem({
  id: 'local-different',
  number: 'Thm 8.7',
  name: 'local model, users of different guarantees',
  needs: ['sparsity', 'honest-users', 'equal-data-allowed'],
  statement:
    'Users have different guarantees, and the data of at most k of them differ. The total is at most that of the k largest parameters.',
  formula: ['the composition of the k largest epsilons and the k largest deltas'],
  departures: ['Derived: the largest epsilons and deltas, rank by rank, dominate those of any k users.'],
});
