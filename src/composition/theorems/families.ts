import type { Theorem } from './theorem.ts';

/**
 * Instances of several mechanisms, at most s of which, whichever they are, get different data: each instance is one that
 * differs or not, so that the theorems on s-sparse parallel composition cover them together. Whichever s instances differ,
 * what they run is dominated by the s largest parameters, rank by rank (derived, see disjointParts, with s copies of each
 * mechanism in place of its instances).
 */
export const families: Theorem = {
  id: 'families',
  number: 'derived',
  name: 'several families of instances: the largest',
  reference: 'derived from Henzinger, Safavi, Vadhan 2025, Sec 5',
  needs: ['sparsity'],
  exposition: {
    statement: 'Instances of several mechanisms cost together what the costliest cost that can differ at once.',
    formula: ['for s differing instances: the s largest parameters, rank by rank, with s copies of each mechanism'],
    departures: [
      'The source counts the instances of one mechanism; that a mechanism may be another one in each instance is derived, as its theorems treat every instance on its own.',
    ],
    works: ['henzinger-safavi-vadhan-2025'],
  },
};
