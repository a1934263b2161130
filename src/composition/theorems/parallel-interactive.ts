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
  exposition: {
    statement:
      'Of any number of interactive mechanisms, of which at most k get data in which neighbours differ, only k are paid for.',
    formula: ['if the composition of those k RR(e_i, d_i) is (e, d)-DP, so is theirs'],
    departures: ['The paper prints "l instances" in one place where k is meant.'],
    works: ['henzinger-safavi-vadhan-2025'],
  },
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
  needs: ['sparsity', 'answers-once', 'equal-data-allowed', 'same-order'],
  exposition: {
    statement:
      'Of any number of noninteractive mechanisms, of which at most k get data in which neighbours differ, only k are paid for.',
    formula: ['the cost of k of them, the costliest'],
    departures: [
      'Not printed: an answer from data that do not differ can be drawn by the adversary alone, so all others are post-processing.',
    ],
    works: ['henzinger-safavi-vadhan-2025'],
  },
};

/**
 * Any number of interactive mechanisms, or first-pair consistent continual ones, at most one of which gets different
 * data: its own curve, whatever its class.
 *
 * [derived] Until an instance is created on different data, all answers have the same law for both neighbours. Given
 * these, who asks on is one adaptive adversary of that instance, as he can run all others by himself. So delta(eps) is at
 * most an average of what one instance has by definition (Henzinger, Safavi, Vadhan 2025, Definition 14.6).
 */
export const parallelOne: Theorem = {
  id: 'parallel-one',
  number: 'derived',
  name: 'parallel composition of instances of which one differs at once',
  reference: `derived: one adversary of one mechanism; (epsilon, delta): ${henzingerSafaviVadhan('Cor 5.15')}`,
  needs: ['sparsity', 'adaptive-adversary', 'equal-data-allowed'],
  exposition: {
    statement:
      'Of any number of interactive mechanisms, at most one of which gets data in which neighbours differ, that one is paid for by its own curve.',
    formula: ['delta(eps) of one of them, the costliest'],
    departures: [
      'Not printed: until one differs all answers have the same law, and from then on there is one adversary of one mechanism.',
    ],
    works: ['henzinger-safavi-vadhan-2025'],
  },
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
  exposition: {
    statement: 'Instances of which none ever gets data in which neighbours differ cost nothing.',
    formula: ['(0, 0)-DP'],
    departures: [],
    works: ['henzinger-safavi-vadhan-2025'],
  },
};
