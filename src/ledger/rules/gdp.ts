import { Decimal } from '../../numeric/decimal.ts';
import { productDown } from '../../numeric/round-up.ts';
import { leastMuSquaredOf, muSquaredOf } from '../charges/mu-squared.ts';
import type { Guarantee } from '../core/guarantee.ts';
import { summed, type Charge } from './accumulate.ts';
import { wrongMeasure, type FilterRule } from './filter-rule.ts';

const DIGITS = 60;
const SHOWN_DIGITS = 20;
const ShortUp = Decimal.clone({ precision: SHOWN_DIGITS, rounding: 0 });
const ShortDown = Decimal.clone({ precision: DIGITS, rounding: 1 });

const chargeOf = (guarantee: Guarantee, muSquared: Decimal | null): Charge =>
  muSquared ? { parts: [muSquared] } : wrongMeasure('gdp', guarantee);

/**
 * mu_i-Gaussian DP: sum mu_i^2 <= mu^2, in decimals that are exact up to 2,500 digits and rounded to the safe side beyond.
 *
 * Source: Smith, Thakurta 2022; concurrently Haney et al. 2023, Thm 1.21.
 */
export const gdpRule: FilterRule<'gdp'> = {
  id: 'gdp',
  name: 'Gaussian differential privacy',
  reference: 'Smith, Thakurta 2022; Haney et al. 2023, Thm 1.21; Henzinger, Safavi, Vadhan 2025, Cor 14.10',
  concurrent: 'proved',
  assumes: 'finite-communication',
  accumulator: (_, budget) => ({
    coordinates: [summed('muSquared', budget && productDown(budget.mu, budget.mu))],
    charge: (guarantee, { kind }) => chargeOf(guarantee, leastMuSquaredOf(guarantee, kind)),
    // Of finite pairs by their largest losses.
    earlierCharge: (guarantee) => chargeOf(guarantee, muSquaredOf(guarantee)),
    reading: ([muSquared]) => ({ type: 'gdp', mu: new Decimal(new ShortUp(muSquared!).sqrt()) }),
    guarantee: budget && { type: 'gdp', mu: budget.mu },
    leftOf: ([muSquared]) => ({ type: 'gdp', mu: new Decimal(new ShortDown(muSquared!).sqrt()) }),
  }),
};
