import type { Decimal } from '../../numeric/decimal.ts';
import type { Rdp } from '../../privacy/mechanism.ts';
import { renyiOf, renyiOrder } from '../charges/renyi.ts';
import { summed } from './accumulate.ts';
import { positiveDelta, type FilterRule } from './filter-rule.ts';
import { noRenyi } from './rdp.ts';

/**
 * Renyi DP at several orders: at every one of them, the sum of the mechanisms' epsilons is within that order's budget.
 *
 * [derived] The filter of each single order is valid, and this one lets nothing run that one of them would not; so the
 * budget holds at every order, as for zCDP (Haney et al. 2023, proof of Thm 4.10). That it be within budget at *some*
 * order is not enough: which one it is would be chosen along the way. The curve of budgets is fixed at the start and is
 * what may be converted.
 *
 * Source: Haney et al. 2023, Thm 4.6, at each order.
 */
export const rdpCurveRule: FilterRule<'rdp-curve'> = {
  id: 'rdp-curve',
  name: 'Renyi differential privacy at all of several orders',
  reference: 'Haney et al. 2023, Thm 4.6; Henzinger, Safavi, Vadhan 2025, Cor 13.8, at each order',
  concurrent: 'proved',
  assumes: 'adaptive-adversaries',
  accumulator({ alphas }, budget) {
    const curve = (epsilons: readonly Decimal[]): Rdp => ({
      type: 'rdp',
      orders: alphas.map((alpha, i) => ({ alpha, epsilon: epsilons[i]! })),
    });
    const orders = alphas.map(renyiOrder);
    return {
      coordinates: alphas.map((alpha, i) => summed(`epsilon@${alpha.toString()}`, budget?.epsilons[i] ?? null)),
      charge(guarantee, { kind }) {
        const at = renyiOf(guarantee, kind);
        const parts: Decimal[] = [];
        for (const order of orders) {
          const behind = at(order);
          if (!behind) return noRenyi('rdp-curve', guarantee, order.alpha);
          if (!behind.delta.isZero()) return positiveDelta('rdp-curve', guarantee);
          parts.push(behind.epsilon);
        }
        return { parts };
      },
      reading: curve,
      guarantee: budget && curve(budget.epsilons),
      leftOf: curve,
    };
  },
};
