import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../concurrent.ts`. */
export const noninteractive: Exposition = {
  statement:
    'Mechanisms that each answer once, chosen one after the other, are together dominated by the product of their dominating pairs: the theorems for lists of mechanisms apply.',
  formula: ['(P_1 x ... x P_k, Q_1 x ... x Q_k) dominates the adaptive composition'],
  departures: [],
  works: ['zhu-dong-wang-2022', 'dwork-rothblum-vadhan-2010'],
};
