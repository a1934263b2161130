import { henzingerSafaviVadhan, type Theorem } from './theorem.ts';

/**
 * Interactive and continual mechanisms that are (alpha, e_i)-RDP, parameters fixed: run at the same time they are
 * (alpha, sum e_i)-RDP, 1 < alpha <= infinity; answers need not be discrete. A list of orders is taken order by order.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Corollary 13.4.
 */
export const concurrentRenyi: Theorem = {
  id: 'concurrent-renyi',
  number: 'Cor 13.4',
  name: 'concurrent Renyi composition',
  reference: henzingerSafaviVadhan('Cor 13.4'),
  needs: ['fixed-parameters', 'adaptive-adversary'],
  exposition: {
    statement:
      'Renyi divergences of interactive and continual mechanisms that run at the same time add up, order by order.',
    formula: ['(a, sum e_i)-RDP, for 1 < a <= infinity'],
    departures: [],
    works: ['henzinger-safavi-vadhan-2025'],
  },
};
