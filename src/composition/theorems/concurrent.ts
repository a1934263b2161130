import { theirTheorem, type Theorem } from './theorem.ts';

/**
 * Mechanisms that each answer once, chosen one after the other: the composition theorems for lists of mechanisms.
 *
 * Source: Dwork, Rothblum, Vadhan (2010); for dominating pairs Zhu, Dong, Wang (2022), Theorem 10.
 */
export const noninteractive: Theorem = {
  id: 'noninteractive',
  number: 'Zhu, Dong, Wang 2022, Thm 10',
  name: 'adaptive composition of noninteractive mechanisms',
  reference: 'Zhu, Dong, Wang 2022, Thm 10',
  needs: ['fixed-parameters', 'answers-once'],
  exposition: {
    statement:
      'The adaptive composition of noninteractive mechanisms is dominated by the product of their dominating pairs, so the theorems for lists of mechanisms apply.',
    formula: ['(P_1 x ... x P_k, Q_1 x ... x Q_k) dominates the adaptive composition'],
    departures: [],
    works: ['zhu-dong-wang-2022', 'dwork-rothblum-vadhan-2010'],
  },
};

/**
 * Interactive and continual mechanisms M_1..M_k, fixed in advance and run at the same time: if the composition of
 * RR(e_1, d_1)..RR(e_k, d_k) is (e, d)-DP, theirs is, against adaptive adversaries. Each of them is a post-processing of
 * its randomized response, so (derived) they compose with mechanisms that answer once, too.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Theorem 4.10.
 */
export const concurrentFixed = theirTheorem({
  id: 'concurrent-fixed',
  number: 'Thm 4.10',
  name: 'concurrent composition of fixed mechanisms',
  needs: ['fixed-parameters', 'adaptive-adversary', 'discrete'],
  statement:
    'The concurrent composition of interactive and continual mechanisms that are fixed in advance has the total (epsilon, delta) of their randomized responses.',
  formula: [
    'if the composition of RR(e_1, d_1), ..., RR(e_k, d_k) is (e, d)-DP, so is that of the mechanisms',
    'RR(e_i, d_i) is randomized response with parameters e_i, d_i',
  ],
  departures: [
    'Derived: noninteractive mechanisms may be composed along with them, as each mechanism is a post-processing of its randomized response.',
  ],
});

/**
 * The same where the mechanisms and their order are chosen adaptively, and only the multiset of (e_i, d_i) is fixed.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Theorem 4.12.
 */
export const concurrentFixedParameters = theirTheorem({
  id: 'concurrent-fixed-parameters',
  number: 'Thm 4.12',
  name: 'concurrent composition with fixed parameters',
  needs: ['fixed-parameters', 'adaptive-adversary', 'discrete'],
  statement:
    'The same holds if the mechanisms and their order are adaptively chosen and only the list of parameters (e_i, d_i) is fixed.',
  formula: ['if the composition of RR(e_1, d_1), ..., RR(e_k, d_k) is (e, d)-DP, so is that of the mechanisms'],
  departures: ['Mechanisms with epsilon 0 are allowed as a limit; the theorem prints e_i > 0.'],
});

/**
 * Interactive and continual mechanisms that are (alpha, e_i)-RDP, parameters fixed: run at the same time they are
 * (alpha, sum e_i)-RDP, 1 < alpha <= infinity; answers need not be discrete. A list of orders is taken order by order.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Corollary 13.4.
 */
export const concurrentRenyi = theirTheorem({
  id: 'concurrent-renyi',
  number: 'Cor 13.4',
  name: 'concurrent Renyi composition',
  needs: ['fixed-parameters', 'adaptive-adversary'],
  statement:
    'Under concurrent composition of interactive and continual mechanisms, Renyi divergences add up at each order.',
  formula: ['(a, sum e_i)-RDP, for 1 < a <= infinity'],
});

/**
 * Interactive and continual mechanisms with trade-off functions f_i and finite communication, parameters fixed: if every
 * composition of noninteractive f_i-DP mechanisms is f-DP, running them at the same time is.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Corollary 14.7.
 */
export const concurrentFDp = theirTheorem({
  id: 'concurrent-f-dp',
  number: 'Cor 14.7',
  name: 'concurrent f-DP composition',
  needs: ['fixed-parameters', 'adaptive-adversary', 'finite-communication'],
  statement:
    'Interactive and continual mechanisms with trade-off functions compose like noninteractive mechanisms with the same trade-off functions.',
  formula: ['if every composition of noninteractive f_i-DP mechanisms is f-DP, so is theirs'],
});
