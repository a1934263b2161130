import { Decimal } from '../../src/numeric/decimal.ts';
import type { Decision, LedgerState } from '../../src/ledger/state.ts';
import type { Refusal } from '../../src/ledger/rules/refusal.ts';
import type { LedgerGuarantee } from '../../src/ledger/rules/rule.ts';
import { loss, remaining, type OpenMechanism } from '../../src/ledger/loss.ts';
import { open, type Opened } from '../../src/ledger/open.ts';
import { check, spend } from '../../src/ledger/decide.ts';
import type {
  ApproximateDpRule,
  Budgets,
  CompositorTerms,
  Deltas,
  FilterTerms,
  FixedParameterTerms,
  OdometerTerms,
  Rule,
  RuleId,
  Terms,
  ZcdpOptimalRule,
} from '../../src/ledger/rules/terms.ts';
import type { Entry } from '../../src/privacy/mechanism.ts';
import { decimal, type Text } from '../mechanisms.ts';

type Changes = Partial<Pick<FilterTerms, 'onExcess' | 'concurrency' | 'maxMechanisms' | 'distance' | 'neighbours'>>;

const COMMON = {
  concurrency: 'concurrent',
  maxMechanisms: null,
  distance: new Decimal(1),
  neighbours: null,
} as const;

export const filterTerms = <Id extends RuleId>(
  rule: Extract<Rule, { id: Id }>,
  budget: Budgets[Id],
  changes: Changes = {},
): FilterTerms => ({ ...COMMON, mode: 'filter', onExcess: 'refuse', rule, budget, ...changes }) as FilterTerms;

export const odometerTerms = (rule: Rule, changes: Omit<Changes, 'onExcess'> = {}): OdometerTerms => ({
  ...COMMON,
  mode: 'odometer',
  rule,
  ...changes,
});

export const compositorTerms = (
  bound: CompositorTerms['bound'],
  declared: readonly Entry[],
  [epsilon, delta]: readonly [Text, Text],
  changes: Changes = {},
): CompositorTerms => ({
  ...COMMON,
  mode: 'compositor',
  onExcess: 'refuse',
  bound,
  declared,
  budget: { epsilon: decimal(epsilon), delta: decimal(delta) },
  ...changes,
});

/** A ledger of terms that must be sound. */
export function opened(terms: Terms): LedgerState {
  const result: Opened | { readonly kind: 'refused'; readonly refusal: Refusal } = open(terms);
  if (result.kind === 'refused') throw new Error(`not opened: ${JSON.stringify(result.refusal)}`);
  return result.state;
}

/** Why terms are not opened. */
export function refusalOf(terms: Terms | FixedParameterTerms): Refusal {
  const result = open(terms);
  if (result.kind !== 'refused') throw new Error('opened');
  return result.refusal;
}

export const pure = (epsilon: Text, changes?: Changes): LedgerState =>
  opened(filterTerms({ id: 'pure' }, { epsilon: decimal(epsilon) }, changes));

export const basic = (epsilon: Text, delta: Text, deltas: Deltas = 'sum', changes?: Changes): LedgerState =>
  opened(filterTerms({ id: 'basic', deltas }, { epsilon: decimal(epsilon), delta: decimal(delta) }, changes));

export const zcdpFilter = (rho: Text, changes?: Changes): LedgerState =>
  opened(filterTerms({ id: 'zcdp' }, { rho: decimal(rho) }, changes));

export const approximateDpRule = (
  delta: Text,
  deltaPrime: Text = delta,
  deltas: Deltas = 'sum',
): ApproximateDpRule => ({
  id: 'approximate-dp',
  delta: decimal(delta),
  deltaPrime: decimal(deltaPrime),
  deltas,
});

export const zcdpOptimalRule = (delta: Text, deltaPrime: Text = delta, deltas: Deltas = 'sum'): ZcdpOptimalRule => ({
  ...approximateDpRule(delta, deltaPrime, deltas),
  id: 'zcdp-optimal',
});

/** The filter of Whitehouse et al. with a budget of (epsilon, delta). */
export const approximateDp = (epsilon: Text, delta: Text, deltaPrime: Text = delta, changes?: Changes): LedgerState =>
  opened(filterTerms(approximateDpRule(delta, deltaPrime), { epsilon: decimal(epsilon) }, changes));

export const zcdpOptimal = (epsilon: Text, delta: Text, deltaPrime: Text = delta, changes?: Changes): LedgerState =>
  opened(filterTerms(zcdpOptimalRule(delta, deltaPrime), { epsilon: decimal(epsilon) }, changes));

/** The state after a launch that must be accepted. */
export function launched(state: LedgerState, ...entries: readonly Entry[]): LedgerState {
  return entries.reduce((before, entry) => {
    const decision = spend(before, entry);
    if (decision.kind === 'refused') throw new Error(`refused: ${JSON.stringify(decision.refusal)}`);
    return decision.state;
  }, state);
}

/** The refusal of a launch that must not be accepted. */
export function refused(decision: Decision): Extract<Decision, { kind: 'refused' }> {
  if (decision.kind === 'accepted') throw new Error('accepted');
  return decision;
}

export const codeOf = (decision: Decision): string =>
  decision.kind === 'accepted' ? 'accepted' : decision.refusal.code;

/** Whether a launch would be accepted. */
export const fits = (state: LedgerState, entry: Entry): boolean => check(state, entry).kind === 'accepted';

/** How many of `entry` are accepted one after the other, at most `most`. */
export function acceptedInARow(start: LedgerState, entry: Entry, most = 10_000): number {
  let state = start;
  for (let n = 0; n < most; n++) {
    const decision = spend(state, entry);
    if (decision.kind === 'refused') return n;
    ({ state } = decision);
  }
  return most;
}

/** What was spent, in the rule's measure. */
export const spentOf = (state: LedgerState): LedgerGuarantee => loss(state).spent;

/** The epsilon that was spent, as a rule about (epsilon, delta) reads it. */
export function epsilonSpent(state: LedgerState): number {
  const spent = spentOf(state);
  if (spent.type !== 'dp') throw new Error(spent.type);
  return spent.epsilon.toNumber();
}

export function howMany(state: LedgerState, entry: Entry): string {
  const answer = remaining(state, { form: 'how-many', entry });
  if (!('form' in answer) || answer.form !== 'how-many') throw new Error(JSON.stringify(answer));
  return answer.count.toString();
}

export function largestNext(state: LedgerState, mechanism: OpenMechanism): Decimal {
  const answer = remaining(state, { form: 'next', mechanism, kind: 'noninteractive' });
  if (!('form' in answer) || answer.form !== 'next' || answer.value === 'any') throw new Error(JSON.stringify(answer));
  return answer.value;
}
