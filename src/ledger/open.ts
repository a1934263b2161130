import { adaptiveCounterexample } from './rules/adaptive-counterexample.ts';
import type { Caveat, CompiledRule } from './rules/rule.ts';
import { refused, caveatsOf, type Refused, type LedgerState, type Provenance, type Totals } from './state.ts';
import type { Refusal, InvalidTerms } from './rules/refusal.ts';
import { BOUNDS } from '../bounds/all.ts';
import { compileSlots, declaredAtDistance, appliedToDeclared } from './rules/compositor.ts';
import { compileRule, FILTER_RULES } from './rules/filter-rules.ts';
import type { FixedParameterTerms, RuleId, Terms, Rule, CompositorTerms } from './rules/terms.ts';
import { Decimal, exactUpper } from '../numeric/decimal.ts';
import type { Entry } from '../privacy/mechanism.ts';
import { ABOVE_ZERO, DELTA, EPSILON, MU, ORDER, RHO, type Range } from '../privacy/mechanisms/parameters.ts';
import { LruCache } from '../numeric/lru-cache.ts';

/**
 * Why a compositor's budget is not what its bound certifies for all that is declared; null where it is. The mechanisms
 * are chosen adaptively, in any order, and a bound covers here what it covers where they are composed.
 *
 * Interactive mechanisms that are asked in turns need no more than that, also where some are known by Renyi guarantees
 * and others have d > 0 [derived]. An (e, d)-DP one is, for two given neighbours, a post-processing of randomized response
 * RR(e, d), run once (Henzinger, Safavi, Vadhan 2025, Theorems 4.10 and 4.12): it reveals everything with probability d,
 * whatever the neighbour, and is (e, 0)-DP otherwise. Where nothing is revealed all are mechanisms of which the Renyi
 * divergences add up (there, Corollary 13.4), so that 1 - prod (1 - d_i) comes on top, as these bounds have it. Open is
 * only what is known as approximate zCDP or Renyi DP itself, which no declared mechanism is.
 */
function excessOfDeclared(terms: CompositorTerms, declared: readonly Entry[]): Refusal | null {
  const applied = appliedToDeclared({ bound: terms.bound, entries: declared });
  if ('reason' in applied) {
    return { code: 'no-theorem', reason: 'bound-does-not-apply', inapplicability: applied.reason };
  }
  const { epsilon, delta } = terms.budget;
  const certified = exactUpper(applied.curve.delta(epsilon));
  if (certified.lte(delta)) return null;
  return {
    code: 'insufficient-budget',
    coordinate: 'delta',
    total: certified.toString(),
    limit: delta.toString(),
  };
}

/** The path of a number in the terms, whether it is allowed, and what is. */
type Check = readonly [path: string, holds: boolean, allowed: string];

const isWithin = (x: Decimal, { contains }: Range): boolean => x.isFinite() && contains(x);
const within = (path: string, x: Decimal, range: Range): Check => [path, isWithin(x, range), range.allowed];

function ruleChecks(rule: Rule): Check[] {
  switch (rule.id) {
    case 'approximate-dp':
    case 'zcdp-optimal': {
      const { delta, deltaPrime } = rule;
      return [
        within('rule.delta', delta, DELTA),
        ['rule.deltaPrime', deltaPrime.gt(0) && deltaPrime.lte(delta), 'a number above 0 and at most delta'],
      ];
    }
    case 'rdp':
    case 'approximate-rdp':
      return [within('rule.alpha', rule.alpha, ORDER)];
    case 'rdp-curve': {
      const ascending = rule.alphas.every(
        (alpha, i) => alpha.isFinite() && alpha.gt(i === 0 ? 1 : rule.alphas[i - 1]!),
      );
      return [['rule.alphas', rule.alphas.length > 0 && ascending, 'at least one order, ascending and each above 1']];
    }
    case 'pure':
    case 'basic':
    case 'zcdp':
    case 'approximate-zcdp':
    case 'gdp':
      return [];
  }
}

function budgetChecks(terms: Exclude<Terms, { mode: 'odometer' }>): Check[] {
  const { budget } = terms;
  const checks: Check[] = [];
  if ('epsilon' in budget) checks.push(within('budget.epsilon', budget.epsilon, EPSILON));
  if ('delta' in budget) checks.push(within('budget.delta', budget.delta, DELTA));
  if ('rho' in budget) checks.push(within('budget.rho', budget.rho, RHO));
  if ('mu' in budget) checks.push(within('budget.mu', budget.mu, MU));
  if ('epsilons' in budget && terms.mode === 'filter' && terms.rule.id === 'rdp-curve') {
    const { epsilons } = budget;
    const holds =
      epsilons.length === terms.rule.alphas.length && epsilons.every((epsilon) => isWithin(epsilon, EPSILON));
    checks.push(['budget.epsilons', holds, 'one number of at least 0 for each order']);
  }
  return checks;
}

const commonChecks = ({ maxMechanisms, distance }: Terms): Check[] => [
  [
    'maxMechanisms',
    maxMechanisms === null || (Number.isSafeInteger(maxMechanisms) && maxMechanisms >= 1),
    'a whole number from 1 to 2^53 - 1, or null',
  ],
  within('distance', distance, ABOVE_ZERO),
];

/** The first thing in the terms that no ledger can have; null where there is none. */
function invalidTerms(terms: Terms): InvalidTerms | null {
  const own: Check[] =
    terms.mode === 'compositor'
      ? [['declared', terms.declared.length > 0, 'at least one mechanism']]
      : ruleChecks(terms.rule);
  const ofBudget = terms.mode === 'odometer' ? [] : budgetChecks(terms);
  const checks = [...commonChecks(terms), ...own, ...ofBudget];
  const failed = checks.find(([, holds]) => !holds);
  return failed ? { path: failed[0], allowed: failed[2] } : null;
}

export interface Opened {
  readonly kind: 'opened';
  readonly state: LedgerState;
  readonly caveats: readonly Caveat[];
}

const isOpenConcurrently = (id: RuleId): id is 'approximate-zcdp' | 'approximate-rdp' =>
  FILTER_RULES[id].concurrent === 'open';

const atStart = (terms: Terms, rule: CompiledRule): LedgerState => ({
  terms,
  rule,
  launched: 0,
  spent: rule.initial,
  halted: null,
  provenance: 'opened',
  incurred: 0,
  clock: null,
  held: [],
});

const opened = (state: LedgerState): Opened => ({ kind: 'opened', state, caveats: caveatsOf(state) });

/** Why terms cannot be those of a ledger, as far as that is seen without composing what a compositor declares. */
export function refusalOfTerms(terms: Terms): Refusal | null {
  const invalid = invalidTerms(terms);
  if (invalid) return { code: 'invalid-terms', ...invalid };
  if (terms.mode === 'compositor' || terms.concurrency === 'sequential') return null;
  const { id } = terms.rule;
  return isOpenConcurrently(id) ? { code: 'no-theorem', reason: 'open-question', measure: id } : null;
}

/**
 * A new ledger: a filter, which lets mechanisms run while its rule finds them within the budget; an odometer, which only
 * counts; or a compositor, in which whatever was declared at the start may run.
 *
 * Refused are terms that contradict themselves (`invalid-terms`); a bound for fixed parameters (optimal composition, its
 * closed forms, loss distributions) as the rule of a filter or an odometer, with a run in which it would let the budget be
 * exceeded, and concurrent approximate zCDP or Renyi DP, an open question (`no-theorem`); and a compositor whose bound does
 * not certify the budget for all that is declared (`insufficient-budget`).
 *
 * Nothing of the terms may change afterwards: that they do not depend on answers is what every theorem here asks for.
 */
export function open(terms: Terms | FixedParameterTerms): Opened | Refused {
  if (terms.mode !== 'compositor' && 'bound' in terms) {
    return refused({
      code: 'no-theorem',
      reason: 'adaptive-parameters',
      bound: terms.bound,
      counterexample: adaptiveCounterexample(),
    });
  }
  const refusal = refusalOfTerms(terms);
  if (refusal) return refused(refusal);
  if (terms.mode === 'compositor') {
    const declared = declaredAtDistance(terms);
    if ('code' in declared) return refused(declared);
    const excess = excessOfDeclared(terms, declared);
    return excess ? refused(excess) : opened(atStart(terms, compileSlots(terms, declared)));
  }
  return opened(atStart(terms, compileRule(terms)));
}

function total(text: string): Decimal | null {
  if (!/^\d+(\.\d+)?(e[+-]?\d+)?$/.test(text)) return null;
  return new Decimal(text);
}

/** The totals by their names, those that are left out at their start; null where some name is not of the rule. */
function spentOf({ names, initial }: CompiledRule, { spent }: Totals): readonly Decimal[] | null {
  const texts = new Map(Object.entries(spent));
  const all = names.map((name, i) => {
    const text = texts.get(name);
    texts.delete(name);
    return text === undefined ? initial[i]! : total(text);
  });
  const amounts = all.filter((amount) => amount !== null);
  return texts.size === 0 && amounts.length === names.length ? amounts : null;
}

/** The ledgers of the same terms, of which only the first is made ready for decisions; see {@link resume}. */
export function resumingMany(capacity = 1000): typeof resume {
  const cache = new LruCache<LedgerState | null>(capacity);
  const none: Totals = { launched: 0, spent: {}, halted: null };
  return (terms, totals, provenance) => {
    const ready = cache.get(JSON.stringify(terms), () => resume(terms, none));
    return ready === null ? null : resumed(ready.rule, terms, totals, provenance ?? 'opened');
  };
}

/**
 * A ledger that was opened with these terms, as it was when it had these totals; null where they are not totals of such a
 * ledger. `provenance` must be that of the state the totals were of: it keeps a nested ledger within what was paid for it.
 * That the terms were opened and the totals came from decisions is taken on trust: nothing is certified again.
 */
export function resume(terms: Terms, totals: Totals, provenance: Provenance = 'opened'): LedgerState | null {
  const declared = terms.mode === 'compositor' ? declaredAtDistance(terms) : [];
  if ('code' in declared) return null;
  const rule = terms.mode === 'compositor' ? compileSlots(terms, declared) : compileRule(terms);
  return resumed(rule, terms, totals, provenance);
}

function resumed(rule: CompiledRule, terms: Terms, totals: Totals, provenance: Provenance): LedgerState | null {
  const spent = spentOf(rule, totals);
  const { launched, halted, incurred = 0, clock = null, held = [] } = totals;
  if (!spent || !Number.isSafeInteger(launched) || launched < 0) return null;
  const names = new Set(rule.names);
  const isHeld = held.every((hold) =>
    Object.entries(hold.spent).every(([name, amount]) => names.has(name) && total(amount) !== null),
  );
  if (!isHeld) return null;
  return { terms, rule, launched, spent, halted, provenance, incurred, clock, held };
}

/** The theorem behind a ledger. */
export function theoremOf(terms: Terms): { readonly name: string; readonly reference: string } {
  const { name, reference } = terms.mode === 'compositor' ? BOUNDS[terms.bound] : FILTER_RULES[terms.rule.id];
  return { name, reference };
}
