import { Decimal } from '../../numeric/decimal.ts';
import { rhoOf } from '../charges/rho.ts';
import { summed, type Coordinate } from './accumulate.ts';
import { positiveDelta, wrongMeasure, type FilterRule } from './filter-rule.ts';

const ZERO = new Decimal(0);

/**
 * rho_i-zCDP: sum rho_i <= rho.
 *
 * Source: Feldman, Zrnic 2021 (noninteractive); concurrently Haney et al. 2023, Thm 4.10 and 4.11.
 */
export const zcdpRule: FilterRule<'zcdp'> = {
  id: 'zcdp',
  name: 'zero-concentrated differential privacy',
  reference: 'Haney et al. 2023, Thm 4.10 and 4.11; Henzinger, Safavi, Vadhan 2025, Cor 13.8',
  concurrent: 'proved',
  assumes: 'adaptive-adversaries',
  accumulator: (_, budget) => ({
    coordinates: [summed('rho', budget?.rho ?? null)],
    charge(guarantee, { kind }) {
      const behind = rhoOf(guarantee, kind);
      if (!behind) return wrongMeasure('zcdp', guarantee);
      return behind.delta.isZero() ? { parts: [behind.rho] } : positiveDelta('zcdp', guarantee);
    },
    reading: ([rho]) => ({ type: 'zcdp', rho: rho! }),
    guarantee: budget && { type: 'zcdp', rho: budget.rho },
    leftOf: ([rho]) => ({ type: 'zcdp', rho: rho! }),
  }),
};

/**
 * d_i-approximate rho_i-zCDP, one mechanism after the other: sum rho_i <= rho and sum d_i <= delta, or
 * 1 - prod (1 - d_i) <= delta.
 *
 * [derived] Each pair of output distributions is a mixture that with probability d_i, the same for both, is arbitrary and
 * otherwise rho_i-zCDP. The paths on which no part is arbitrary weigh prod (1 - d_i) >= 1 - delta, and given that they are
 * those of a zCDP filter; so the whole is such a mixture with delta and rho. Where interactive mechanisms are asked in
 * turns this is an open question (Haney et al. 2023, Sec 4).
 *
 * Source: Whitehouse, Ramdas, Rogers, Wu 2023, Thm 1 (sum).
 */
export const approximateZcdpRule: FilterRule<'approximate-zcdp'> = {
  id: 'approximate-zcdp',
  name: 'approximate zero-concentrated differential privacy',
  reference: 'Whitehouse, Ramdas, Rogers, Wu 2023, Thm 1; product form derived',
  concurrent: 'open',
  assumes: 'adaptive-adversaries',
  accumulator({ deltas }, budget) {
    const delta: Coordinate = { name: 'delta', adding: deltas, initial: ZERO, limit: budget?.delta ?? null };
    return {
      coordinates: [summed('rho', budget?.rho ?? null), delta],
      charge(guarantee, { kind }) {
        const behind = rhoOf(guarantee, kind);
        return behind ? { parts: [behind.rho, behind.delta] } : wrongMeasure('approximate-zcdp', guarantee);
      },
      reading: ([rho, total]) => ({ type: 'approximate-zcdp', rho: rho!, delta: Decimal.min(1, total!) }),
      guarantee: budget && { type: 'approximate-zcdp', ...budget },
      leftOf: ([rho, rest]) => ({ type: 'approximate-zcdp', rho: rho!, delta: rest! }),
    };
  },
};
