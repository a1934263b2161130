import type { ParallelBoundId } from '../../composition/attack/verify/parallel-bounds.ts';

/** The names of the bounds on several copies, and the theorems they are from. */
export const PARALLEL_BOUNDS: Readonly<Record<ParallelBoundId, { readonly name: string; readonly place: string }>> = {
  'first-pair': { name: 'only those that differ', place: 'Thm 5.14' },
  product: { name: 'product form', place: 'Thm 5.4 with Lemma 5.11' },
  doubled: {
    name: 'product form, twice delta',
    place: 'Thm 5.4 with Lemma 5.11 for pairs in both directions (derived)',
  },
  fixed: { name: 'as if all may differ', place: 'Thm 4.10' },
};
