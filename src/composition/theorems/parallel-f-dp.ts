import { henzingerSafaviVadhan, type Theorem } from './theorem.ts';

/**
 * Any number of interactive f_i-DP mechanisms with finite communication, at most k of which get different data: f-DP
 * where every composition of those k as noninteractive mechanisms is.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Corollary 14.9.
 */
export const parallelFDpInteractive: Theorem = {
  id: 'parallel-f-dp-interactive',
  number: 'Cor 14.9',
  name: 'k-sparse parallel f-DP composition of interactive mechanisms',
  reference: henzingerSafaviVadhan('Cor 14.9'),
  needs: ['sparsity', 'adaptive-adversary', 'finite-communication', 'equal-data-allowed'],
  exposition: {
    statement:
      'Of any number of interactive mechanisms with trade-off functions, of which at most k get data in which neighbours differ, only k are paid for.',
    formula: ['f-DP where every composition of those k as noninteractive mechanisms is f-DP'],
    departures: [],
    works: ['henzinger-safavi-vadhan-2025'],
  },
};

/** The same for first-pair consistent continual mechanisms. Source: Corollary 14.8 there. */
export const parallelFDpFirstPairConsistent: Theorem = {
  id: 'parallel-f-dp-first-pair-consistent',
  number: 'Cor 14.8',
  name: 'k-sparse parallel f-DP composition, first-pair consistent',
  reference: henzingerSafaviVadhan('Cor 14.8'),
  needs: ['sparsity', 'first-pair-consistent', 'adaptive-adversary', 'finite-communication', 'equal-data-allowed'],
  exposition: {
    statement:
      'The same for continual mechanisms where neighbours that agree on the first message to an instance agree on all that follow.',
    formula: ['f-DP where every composition of those k as noninteractive mechanisms is f-DP'],
    departures: [],
    works: ['henzinger-safavi-vadhan-2025'],
  },
};
