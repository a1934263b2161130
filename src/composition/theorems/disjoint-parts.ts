import type { Theorem } from './theorem.ts';

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
    statement: 'Mechanisms on disjoint parts of the data cost what the costliest cost that can differ at once.',
    formula: ['for s differing parts: the s largest parameters, rank by rank, and the s largest sums of a part'],
    departures: [
      'The source has one differing part and noninteractive mechanisms; several differing parts and continual mechanisms are derived from the theorems on sparse parallel composition.',
    ],
    works: ['mcsherry-2009', 'henzinger-safavi-vadhan-2025'],
  },
};
