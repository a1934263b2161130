import { henzingerSafaviVadhan, type Theorem } from './theorem.ts';

/**
 * Any number of interactive (or noninteractive) mechanisms, at most k of which get different data, at most as many of
 * each (e_i, d_i): if the composition of those k RR(e_i, d_i) is (e, d)-DP, theirs is. Instances whose data do not differ
 * cost neither epsilon nor delta.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Corollary 5.15; noninteractive ones: section 5.3.2.
 */
export const parallelInteractive: Theorem = {
  id: 'parallel-interactive',
  number: 'Cor 5.15',
  name: 'k-sparse parallel composition of (non)interactive mechanisms',
  reference: henzingerSafaviVadhan('Cor 5.15'),
  needs: ['sparsity', 'adaptive-adversary', 'discrete', 'equal-data-allowed'],
};

/**
 * Noninteractive mechanisms of any class, at most k of which get different data, cost what k of them cost. Derived: who
 * creates an instance on data that do not differ can draw its answer alone, so all of it is a post-processing of the
 * adaptive composition of the k others.
 */
export const parallelNoninteractive: Theorem = {
  id: 'parallel-noninteractive',
  number: 'derived',
  name: 'k-sparse parallel composition of noninteractive mechanisms',
  reference: `derived: an answer from data that do not differ is post-processing; (epsilon, delta): ${henzingerSafaviVadhan('Sec 5.3.2')}`,
  needs: ['sparsity', 'answers-once', 'equal-data-allowed'],
};

/**
 * Instances of which none ever gets different data cost nothing, whatever their guarantee: both sides see the same
 * distribution.
 */
export const parallelNoneDiffer: Theorem = {
  id: 'parallel-none-differ',
  number: 'definition',
  name: 'data that never differ',
  reference: henzingerSafaviVadhan('Def 5.1, k = 0'),
  needs: ['sparsity'],
};
