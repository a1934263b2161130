import type { FilterTerms, OdometerTerms, Rule, RuleId } from '../core/terms.ts';
import { accumulating, type Accumulator } from './accumulate.ts';
import { approximateDpRule } from './approximate-dp.ts';
import { basicRule } from './basic.ts';
import { assumedOf, type FilterRule } from './filter-rule.ts';
import { gdpRule } from './gdp.ts';
import { pureRule } from './pure.ts';
import { rdpCurveRule } from './rdp-curve.ts';
import { approximateRdpRule, rdpRule } from './rdp.ts';
import type { CompiledRule } from '../core/rule.ts';
import { zcdpOptimalRule } from './zcdp-optimal.ts';
import { approximateZcdpRule, zcdpRule } from './zcdp.ts';

/** Every theorem about parameters that are chosen along the way. */
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
