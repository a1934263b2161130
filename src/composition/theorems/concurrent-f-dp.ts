import { henzingerSafaviVadhan, type Theorem } from './theorem.ts';

/**
 * Interactive and continual mechanisms with trade-off functions f_i and finite communication, parameters fixed: if every
 * composition of noninteractive f_i-DP mechanisms is f-DP, running them at the same time is.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Corollary 14.7.
 */
export const concurrentFDp: Theorem = {
  id: 'concurrent-f-dp',
  number: 'Cor 14.7',
  name: 'concurrent f-DP composition',
  reference: henzingerSafaviVadhan('Cor 14.7'),
  needs: ['fixed-parameters', 'adaptive-adversary', 'finite-communication'],
  exposition: {
    statement:
      'Interactive and continual mechanisms with trade-off functions compose as noninteractive ones with the same trade-off functions do.',
    formula: ['if every composition of noninteractive f_i-DP mechanisms is f-DP, so is theirs'],
    departures: [],
    works: ['henzinger-safavi-vadhan-2025'],
  },
};
