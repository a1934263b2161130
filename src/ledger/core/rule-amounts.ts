import type { RuleId } from './terms.ts';

/** The numbers of a rule and its budget, by the names that people write. */
export type Amount = 'epsilon' | 'delta' | 'rho' | 'mu' | 'alpha' | 'orders' | 'deltaPrime' | 'deltas';

/** Which numbers belong to a rule: to the budget of a filter, to the rule itself, and those that may be left out. */
export interface RuleAmounts {
  readonly budget: readonly Amount[];
  readonly rule: readonly Amount[];
  readonly optional: readonly Amount[];
}

export const RULE_AMOUNTS: Readonly<Record<RuleId, RuleAmounts>> = {
  pure: { budget: ['epsilon'], rule: [], optional: [] },
  basic: { budget: ['epsilon', 'delta'], rule: [], optional: ['deltas'] },
  'approximate-dp': { budget: ['epsilon'], rule: ['delta'], optional: ['deltaPrime', 'deltas'] },
  'zcdp-optimal': { budget: ['epsilon'], rule: ['delta'], optional: ['deltaPrime', 'deltas'] },
  zcdp: { budget: ['rho'], rule: [], optional: [] },
  'approximate-zcdp': { budget: ['rho', 'delta'], rule: [], optional: ['deltas'] },
  rdp: { budget: ['epsilon'], rule: ['alpha'], optional: [] },
  'approximate-rdp': { budget: ['epsilon', 'delta'], rule: ['alpha'], optional: ['deltas'] },
  'rdp-curve': { budget: ['orders'], rule: ['orders'], optional: [] },
  gdp: { budget: ['mu'], rule: [], optional: [] },
};

/** The rule that the kind of budget leaves no choice about; null where one has to be named. */
export function impliedRule(given: Readonly<Partial<Record<Amount, unknown>>>): RuleId | null {
  const has = (amount: Amount): boolean => given[amount] !== undefined;
  if (has('orders')) return 'rdp-curve';
  if (has('alpha')) return has('delta') ? 'approximate-rdp' : 'rdp';
  if (has('mu')) return 'gdp';
  if (has('rho')) return has('delta') ? 'approximate-zcdp' : 'zcdp';
  return has('epsilon') && !has('delta') ? 'pure' : null;
}
