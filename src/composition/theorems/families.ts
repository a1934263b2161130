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
};
