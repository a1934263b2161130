import { Decimal, ZERO, productDown } from '../../numeric/decimal.ts';
import { renyiOf, renyiOrder, approximateDpOf, leastMuSquaredOf, muSquaredOf, rhoOf } from './charges.ts';
import type { Refusal } from './refusal.ts';
import type { Guarantee, CompiledRule } from './rule.ts';
import type { Deltas, RuleId, FilterTerms, OdometerTerms, Rule } from './terms.ts';
import {
  summed,
  type Coordinate,
  accumulating,
  type Accumulator,
  type Charge,
  positiveDelta,
  wrongMeasure,
  type FilterRule,
  assumedOf,
} from './accumulator.ts';
import { approximateDpRule, zcdpOptimalRule } from './converting-rules.ts';

/** Why a rule knows no Renyi epsilon of a guarantee at an order. */
const noRenyi = (rule: RuleId, guarantee: Guarantee, alpha: Decimal): { readonly refusal: Refusal } =>
  guarantee.type === 'rdp' || guarantee.type === 'approximate-rdp'
    ? { refusal: { code: 'unverified', reason: 'order-too-high', alpha: alpha.toString() } }
    : wrongMeasure(rule, guarantee);

/** The d of mechanisms, added up as sum d_i or 1 - prod (1 - d_i). */
const failures = (adding: Deltas, budget: { readonly delta: Decimal } | null): Coordinate => ({
  name: 'delta',
  adding,
  initial: ZERO,
  limit: budget?.delta ?? null,
});

/** The charge of a rule without a delta, which does not count mechanisms that have one. */
const withoutDelta = (rule: RuleId, guarantee: Guarantee, amount: Decimal, delta: Decimal): Charge =>
  delta.isZero() ? { parts: [amount] } : positiveDelta(rule, guarantee);

/**
 * Renyi DP at one order alpha > 1, fixed at the start: sum of the mechanisms' epsilons at alpha <= epsilon.
 *
 * Source: Feldman, Zrnic 2021 (noninteractive); concurrently Haney et al. 2023, Thm 4.6 and 4.9.
 */
const rdpRule: FilterRule<'rdp'> = {
  id: 'rdp',
  name: 'Renyi differential privacy at one order',
  reference: 'Feldman, Zrnic 2021; Haney et al. 2023, Thm 4.6 and 4.9; Henzinger, Safavi, Vadhan 2025, Cor 13.8',
  concurrent: 'proved',
  assumes: 'adaptive-adversaries',
  accumulator: ({ alpha }, budget) => ({
    coordinates: [summed('epsilon', budget?.epsilon ?? null)],
    charge(guarantee, { kind }) {
      const behind = renyiOf(guarantee, kind)(renyiOrder(alpha));
      return behind ? withoutDelta('rdp', guarantee, behind.epsilon, behind.delta) : noRenyi('rdp', guarantee, alpha);
    },
    reading: ([epsilon]) => ({ type: 'rdp', orders: [{ alpha, epsilon: epsilon! }] }),
  }),
};

/**
 * d_i-approximate Renyi DP at one order, one mechanism after the other: sums of the epsilons and of the d_i, or
 * 1 - prod (1 - d_i).
 *
 * [derived] As for approximate zCDP, at this one order. Where interactive mechanisms are asked in turns it is an open
 * question (Haney et al. 2023, Sec 4).
 */
const approximateRdpRule: FilterRule<'approximate-rdp'> = {
  id: 'approximate-rdp',
  name: 'approximate Renyi differential privacy at one order',
  reference: 'Feldman, Zrnic 2021; Whitehouse, Ramdas, Rogers, Wu 2023; derived',
  concurrent: 'open',
  assumes: 'adaptive-adversaries',
  accumulator: ({ alpha, deltas }, budget) => ({
    coordinates: [summed('epsilon', budget?.epsilon ?? null), failures(deltas, budget)],
    charge(guarantee, { kind }) {
      const behind = renyiOf(guarantee, kind)(renyiOrder(alpha));
      return behind ? { parts: [behind.epsilon, behind.delta] } : noRenyi('approximate-rdp', guarantee, alpha);
    },
    reading: ([epsilon, total]) => ({
      type: 'approximate-rdp',
      alpha,
      epsilon: epsilon!,
      delta: Decimal.min(1, total!),
    }),
  }),
};

/**
 * rho_i-zCDP: sum rho_i <= rho.
 *
 * Source: Feldman, Zrnic 2021 (noninteractive); concurrently Haney et al. 2023, Thm 4.10 and 4.11.
 */
const zcdpRule: FilterRule<'zcdp'> = {
  id: 'zcdp',
  name: 'zero-concentrated differential privacy',
  reference: 'Haney et al. 2023, Thm 4.10 and 4.11; Henzinger, Safavi, Vadhan 2025, Cor 13.8',
  concurrent: 'proved',
  assumes: 'adaptive-adversaries',
  accumulator: (_, budget) => ({
    coordinates: [summed('rho', budget?.rho ?? null)],
    charge(guarantee, { kind }) {
      const behind = rhoOf(guarantee, kind);
      return behind ? withoutDelta('zcdp', guarantee, behind.rho, behind.delta) : wrongMeasure('zcdp', guarantee);
    },
    reading: ([rho]) => ({ type: 'zcdp', rho: rho! }),
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
const approximateZcdpRule: FilterRule<'approximate-zcdp'> = {
  id: 'approximate-zcdp',
  name: 'approximate zero-concentrated differential privacy',
  reference: 'Whitehouse, Ramdas, Rogers, Wu 2023, Thm 1; product form derived',
  concurrent: 'open',
  assumes: 'adaptive-adversaries',
  accumulator: ({ deltas }, budget) => ({
    coordinates: [summed('rho', budget?.rho ?? null), failures(deltas, budget)],
    charge(guarantee, { kind }) {
      const behind = rhoOf(guarantee, kind);
      return behind ? { parts: [behind.rho, behind.delta] } : wrongMeasure('approximate-zcdp', guarantee);
    },
    reading: ([rho, total]) => ({ type: 'approximate-zcdp', rho: rho!, delta: Decimal.min(1, total!) }),
  }),
};

/**
 * (e_i, d_i)-DP: sum e_i <= epsilon and sum d_i <= delta, in exact decimals; or, in the product form,
 * 1 - prod (1 - d_i) <= delta.
 *
 * Product form [derived]: every (e, d)-DP mechanism is a post-processing of one that reveals everything with probability d
 * and is (e, 0)-DP otherwise, whatever came before. Along a path without revelation the loss is at most sum e_i <=
 * epsilon, so delta(epsilon) is at most the probability of a revelation. The probability that there is none is a mean,
 * over the paths, of prod (1 - d_i) >= 1 - delta.
 *
 * Source: Rogers, Roth, Ullman, Vadhan 2016 (sums); concurrently Haney et al. 2023, Thm 1.20, as both are rules about
 * (e_i, d_i) alone.
 */
const basicRule: FilterRule<'basic'> = {
  id: 'basic',
  name: 'basic composition',
  reference:
    'Rogers, Roth, Ullman, Vadhan 2016; Haney et al. 2023, Thm 1.20; Henzinger, Safavi, Vadhan 2025, Thm 12.4; product form derived',
  concurrent: 'proved',
  assumes: 'discrete-answers',
  accumulator: ({ deltas }, budget) => ({
    coordinates: [summed('epsilon', budget?.epsilon ?? null), failures(deltas, budget)],
    charge(guarantee) {
      const behind = approximateDpOf(guarantee);
      return behind ? { parts: [behind.epsilon, behind.delta] } : wrongMeasure('basic', guarantee);
    },
    reading: ([epsilon, total]) => ({ type: 'dp', epsilon: epsilon!, delta: Decimal.min(1, total!) }),
  }),
};

/**
 * Renyi DP at several orders: at every one of them, the sum of the mechanisms' epsilons is within that order's budget.
 *
 * [derived] The filter of each single order is valid, and this one lets nothing run that one of them would not; so the
 * budget holds at every order, as for zCDP (Haney et al. 2023, proof of Thm 4.10). That it be within budget at *some*
 * order is not enough: which one it is would be chosen adaptively. The curve of budgets is fixed at the start and is
 * what may be converted.
 *
 * Source: Haney et al. 2023, Thm 4.6, at each order.
 */
const rdpCurveRule: FilterRule<'rdp-curve'> = {
  id: 'rdp-curve',
  name: 'Renyi differential privacy at all of several orders',
  reference: 'Haney et al. 2023, Thm 4.6; Henzinger, Safavi, Vadhan 2025, Cor 13.8, at each order',
  concurrent: 'proved',
  assumes: 'adaptive-adversaries',
  accumulator({ alphas }, budget) {
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
      reading: (epsilons) => ({
        type: 'rdp',
        orders: alphas.map((alpha, i) => ({ alpha, epsilon: epsilons[i]! })),
      }),
    };
  },
};

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
const gdpRule: FilterRule<'gdp'> = {
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

/**
 * (e_i, 0)-DP: sum e_i <= epsilon, in exact decimals.
 *
 * Source: Rogers, Roth, Ullman, Vadhan 2016; concurrently Haney et al. 2023, Thm 1.20.
 */
const pureRule: FilterRule<'pure'> = {
  id: 'pure',
  name: 'pure differential privacy',
  reference: 'Rogers, Roth, Ullman, Vadhan 2016; Haney et al. 2023, Thm 1.20; Henzinger, Safavi, Vadhan 2025, Thm 12.4',
  concurrent: 'proved',
  assumes: 'discrete-answers',
  accumulator: (_, budget) => ({
    coordinates: [summed('epsilon', budget?.epsilon ?? null)],
    charge(guarantee) {
      const behind = approximateDpOf(guarantee);
      return behind ? withoutDelta('pure', guarantee, behind.epsilon, behind.delta) : wrongMeasure('pure', guarantee);
    },
    reading: ([epsilon]) => ({ type: 'dp', epsilon: epsilon!, delta: ZERO }),
  }),
};

/** Every theorem about parameters that are chosen adaptively. */
export const FILTER_RULES: { readonly [Id in RuleId]: FilterRule<Id> } = {
  pure: pureRule,
  basic: basicRule,
  'approximate-dp': approximateDpRule,
  'zcdp-optimal': zcdpOptimalRule,
  zcdp: zcdpRule,
  'approximate-zcdp': approximateZcdpRule,
  rdp: rdpRule,
  'approximate-rdp': approximateRdpRule,
  'rdp-curve': rdpCurveRule,
  gdp: gdpRule,
};

/** A rule, with the budget where there is one, ready for decisions. */
export function compileRule(terms: FilterTerms | OdometerTerms): CompiledRule {
  const { rule, concurrency } = terms;
  const budget = terms.mode === 'filter' ? terms.budget : null;
  // The terms' type ties the budget to the rule; an index over both is more than the checker follows.
  const theorem = FILTER_RULES[rule.id] as FilterRule<RuleId> & {
    accumulator: (rule: Rule, budget: unknown, concurrency: FilterTerms['concurrency']) => Accumulator;
  };
  // If no delta is left for the mechanisms, only Renyi divergences add up.
  const isRenyi = rule.id === 'zcdp-optimal' && rule.deltaPrime.gte(rule.delta);
  const assumes = isRenyi ? 'adaptive-adversaries' : theorem.assumes;
  return accumulating(theorem.accumulator(rule, budget, concurrency), assumedOf(assumes, concurrency));
}
