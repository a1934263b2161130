import { henzingerSafaviVadhan, type Theorem } from './theorem.ts';

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
    statement: 'Instances of several mechanisms cost together what the costliest cost that can differ at once.',
    formula: ['for s differing instances: the s largest parameters, rank by rank, with s copies of each mechanism'],
    departures: [
      'The source lets the adversary create any mechanisms (Definition 5.1). That what may differ is dominated by the largest parameters, rank by rank, is derived.',
    ],
    works: ['henzinger-safavi-vadhan-2025'],
  },
};
