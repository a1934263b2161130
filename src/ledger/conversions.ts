import { refused, caveatsOf, type Refused, carriedOver, type LedgerState, type Decision } from './state.ts';
import { open, type Opened } from './open.ts';
import type {
  Budgets,
  FilterTerms,
  OnExcess,
  RuleId,
  OdometerTerms,
  Terms,
  FixedParameterTerms,
} from './rules/terms.ts';
import type { Refusal } from './rules/refusal.ts';
import type { Guarantee, LedgerGuarantee, Underlying } from './rules/rule.ts';
import { launch } from './decide.ts';
import { type Bracket, asUpper } from '../numeric/enclosure.ts';
import type { Query, PrivacyCurve } from '../privacy/curve.ts';
import { appliedToDeclared } from './rules/compositor.ts';
import type { Loss } from './loss.ts';
import type { Bound } from '../bounds/core/bound.ts';
import { dpOptimal } from '../bounds/dp-optimal/dp-optimal.ts';
import { gaussian } from '../bounds/closed-form/gaussian.ts';
import { logConversionFactor, momentCurve } from '../bounds/core/moment-curve.ts';
import { orderBreakpoints } from '../bounds/renyi/renyi.ts';
import type { Failure } from '../privacy/failure.ts';
import { curveWithFailure } from '../privacy/finite-loss-curve.ts';
import type { Mechanism, Rdp, Zcdp } from '../privacy/mechanism.ts';
import { momentOf } from '../privacy/mechanisms/records.ts';
import { launchedEntry } from './rules/charges.ts';
import { type Decimal, ZERO } from '../numeric/decimal.ts';

/**
 * The filter that lets an odometer's mechanisms run while its reading is within the budget [Haney et al. 2023, Lemma
 * 2.19]. Mechanisms launched before count, by the same rule with the same parameters; the budget must be of that rule.
 *
 * The filter's guarantee is the budget only if that was fixed before the run, or does not depend on its answers: the caveat
 * `threshold-fixed-before` says so where something was launched.
 *
 * Refused where the reading is beyond the budget already (`insufficient-budget`), for anything but an odometer and for a
 * nested ledger (`invalid-query`), and where the terms are not sound.
 */
export function toFilter<Id extends RuleId>(
  odometer: LedgerState,
  id: Id,
  budget: Budgets[Id],
  onExcess: OnExcess,
  conversions?: FilterTerms['conversions'],
): Opened | Refused {
  const { terms, spent, provenance } = odometer;
  if (terms.mode !== 'odometer') return refused({ code: 'invalid-query', reason: 'wrong-mode' });
  if (provenance === 'nested') return refused({ code: 'invalid-query', reason: 'nested' });
  if (terms.rule.id !== id) {
    return refused({ code: 'invalid-terms', path: 'budget', allowed: `a budget of ${terms.rule.id}` });
  }
  const opened = open({
    ...terms,
    mode: 'filter',
    budget,
    onExcess,
    ...(conversions && { conversions }),
  } as FilterTerms);
  if (opened.kind === 'refused') return opened;
  const { rule } = opened.state;
  const excess = rule.excess(spent);
  if (excess) return refused(excess);
  const state: LedgerState = { ...opened.state, ...carriedOver(odometer) };
  return { kind: 'opened', state, caveats: caveatsOf(state) };
}

/**
 * The odometer that reads a filter's loss: the same rule with the same parameters and totals, and no budget any more
 * [Haney et al. 2023, Lemma 2.19]. From here on nothing enforces the budget, which the caveat
 * `budget-no-longer-enforced` says; a threshold that was fixed before the run gives a reading its meaning.
 *
 * Refused for anything but a filter, for a nested one, whose budget is what was paid for it, and for one whose terms forbid it
 * (`invalid-query`), and for one that has halted (`halted`).
 */
export function toOdometer(filter: LedgerState): Opened | Refused {
  const { terms, halted, provenance } = filter;
  if (terms.mode !== 'filter') return refused({ code: 'invalid-query', reason: 'wrong-mode' });
  if (provenance === 'nested') return refused({ code: 'invalid-query', reason: 'nested' });
  if (halted) return refused({ code: 'halted', because: halted });
  if (terms.conversions === 'forbidden') {
    return refused({ code: 'invalid-query', reason: 'fixed-budget' });
  }
  const { rule, concurrency, maxMechanisms, distance, neighbours, evidence, window, approvals, refusals } = terms;
  const extras = { ...(evidence && { evidence }), ...(window && { window }), ...(approvals && { approvals }) };
  const common = { rule, concurrency, maxMechanisms, distance, neighbours, ...extras, ...(refusals && { refusals }) };
  const odometer: OdometerTerms = { mode: 'odometer', ...common };
  const opened = open(odometer);
  if (opened.kind === 'refused') return opened;
  return {
    kind: 'opened',
    state: { ...opened.state, ...carriedOver(filter) },
    caveats: [...opened.caveats, 'budget-no-longer-enforced'],
  };
}

/** The ledger that another becomes which ends for one of these terms; refused where it cannot become it. */
export function successorOf(state: LedgerState, terms: Terms): Opened | Refused {
  if (terms.mode !== 'filter') return toOdometer(state);
  const { rule, budget, onExcess, conversions }: FilterTerms = terms;
  return toFilter(state, rule.id, budget, onExcess, conversions);
}

export type Nested =
  | {
      readonly kind: 'accepted';
      /** The parent's decision, whose totals must be kept first. */
      readonly parent: Extract<Decision, { kind: 'accepted' }>;
      /** The new ledgers, in the order of their terms. */
      readonly children: readonly LedgerState[];
    }
  | Extract<Decision, { kind: 'refused' }>
  /** A child that cannot be opened; the parent is as it was. */
  | Refused;

/** Why a child has no place in its parent. */
function mismatch(parent: Terms, child: Terms): Refusal | null {
  if (parent.concurrency === 'sequential') return { code: 'no-theorem', reason: 'nested-in-sequential' };
  if (!child.distance.eq(parent.distance)) return { code: 'unverified', reason: 'other-distance' };
  if (child.neighbours !== parent.neighbours) return { code: 'unverified', reason: 'other-neighbours' };
  const isLaxer = parent.evidence === 'required' && child.evidence !== 'required';
  return isLaxer ? { code: 'unverified', reason: 'no-evidence-in-child' } : null;
}

/**
 * Opens ledgers inside a ledger. Each child is an interactive mechanism with its budget for a guarantee, and the parent
 * pays for it at once, whatever is spent in it [Haney et al. 2023, Algorithm 12]. Nested sums cost what a flat ledger
 * would; nested rules that convert to (epsilon, delta)-DP cost more.
 *
 * Several children are parallel: each sees a part of the data, the parts are disjoint, and neighbours differ in one part
 * only. For two given neighbours all but one of them can be simulated, so the parent pays the largest charge, coordinate by
 * coordinate [derived; Haney et al. 2023, Sec 5]. Where neighbours may differ in two parts, as when a record is replaced by
 * one that belongs elsewhere, they are not parallel: the caveat `disjoint-parts` says so.
 *
 * Refused: an odometer as a child, which has no budget, and any child of a sequential ledger, as what is spent in a child
 * is a query to it that nothing keeps from coming after the next launch (`no-theorem`); a child at another distance or with other
 * neighbours, or without the evidence that its parent asks for (`unverified`), terms that cannot be opened, and what the parent refuses.
 */
export function nest(
  parent: LedgerState,
  children: readonly [Terms | FixedParameterTerms, ...(Terms | FixedParameterTerms)[]],
): Nested {
  const states: LedgerState[] = [];
  const guarantees: Guarantee[] = [];
  for (const terms of children) {
    const child = open(terms);
    if (child.kind === 'refused') return child;
    const { rule, terms: opened } = child.state;
    if (!rule.guarantee) return refused({ code: 'no-theorem', reason: 'unbounded-child' });
    const other = mismatch(parent.terms, opened);
    if (other) return refused(other);
    states.push({ ...child.state, provenance: 'nested' });
    guarantees.push(rule.guarantee);
  }
  const [first, ...rest] = guarantees;
  if (!first) return refused({ code: 'invalid-terms', path: 'children', allowed: 'at least one ledger' });
  const decision = launch(parent, { guarantees: [first, ...rest], kind: 'interactive', count: 1 });
  if (decision.kind === 'refused') return decision;
  const caveats = rest.length === 0 ? decision.caveats : [...decision.caveats, 'disjoint-parts' as const];
  return { kind: 'accepted', parent: { ...decision, caveats }, children: states };
}

function curveOfBound(bound: Bound, mechanism: Mechanism): PrivacyCurve {
  const entries = [launchedEntry(mechanism, 'noninteractive')];
  const applied = bound.apply({ entries, adaptivity: 'adaptive', order: 'any' }, { exhausted: () => false });
  if ('reason' in applied) throw new Error(`${bound.id} does not apply: ${applied.reason.code}`);
  return applied.curve;
}

/** The optimal conversion of a Renyi guarantee that fails with probability delta. */
function curveOfMoments(mechanism: Zcdp | Rdp, delta: Decimal): PrivacyCurve {
  const entry = launchedEntry(mechanism, 'noninteractive');
  const failure: Failure = { lower: delta, upper: delta };
  const curve = momentCurve({
    logMoment: momentOf(entry),
    logFactor: logConversionFactor,
    maximum: mechanism.type === 'zcdp' && mechanism.rho.isZero() ? ZERO : null,
    breakpoints: orderBreakpoints([entry]),
  });
  return curveWithFailure(curve, failure, 'upper-only');
}

function curveOf(guarantee: LedgerGuarantee): PrivacyCurve {
  switch (guarantee.type) {
    case 'dp':
      return curveOfBound(dpOptimal, guarantee);
    case 'gdp':
      return curveOfBound(gaussian, guarantee);
    case 'rdp':
      return curveOfMoments(guarantee, ZERO);
    case 'zcdp':
    case 'approximate-zcdp':
      return curveOfMoments({ type: 'zcdp', rho: guarantee.rho }, guarantee.delta ?? ZERO);
    case 'approximate-rdp': {
      const { alpha, epsilon, delta } = guarantee;
      return curveOfMoments({ type: 'rdp', orders: [{ alpha, epsilon }] }, delta);
    }
  }
}

const isUnbounded = (guarantee: LedgerGuarantee): boolean =>
  guarantee.type === 'dp' && !(guarantee.epsilon.isFinite() && guarantee.delta.lt(1));

/**
 * The (epsilon, delta)-DP behind a guarantee that was fixed at the start, such as a ledger's budget: the smallest
 * epsilon at a delta, or delta at an epsilon; `upper` is the claim, rounded up, and Infinity where no epsilon will do.
 *
 * zCDP and Renyi DP by the optimal conversion, delta = inf over a > 1 of e^((a-1)(R(a) - eps)) / (a-1) (1 - 1/a)^a
 * [Canonne, Kamath, Steinke 2020, Cor 13], over the orders that are known; approximate ones with their delta on top, as
 * delta + (1 - delta) of it; Gaussian DP exactly; (epsilon, delta)-DP by its own curve.
 *
 * The loss so far depends on the answers: it is for `convertSpent`, which refuses what no theorem covers.
 */
export function convert(guarantee: LedgerGuarantee, query: Query): Bracket {
  if (isUnbounded(guarantee)) {
    const none = query.solveFor === 'epsilon' && query.delta.lt(1) ? Infinity : query.solveFor === 'epsilon' ? 0 : 1;
    return { lower: null, upper: asUpper(none) };
  }
  const curve = curveOf(guarantee);
  return query.solveFor === 'epsilon' ? curve.epsilon(query.delta) : curve.delta(query.epsilon);
}

/** Whether the budget leaves mechanisms no delta at all. */
const isWithoutDelta = (terms: FilterTerms | OdometerTerms): boolean =>
  terms.mode === 'filter' && 'delta' in terms.budget && terms.budget.delta.isZero();

/**
 * Whether the loss of a ledger of these terms is one number, however it goes on; a delta that is fixed at the start is
 * none. Of such losses one is always within the other, so that a conversion is the choice of a threshold, and nothing else.
 */
export function isOneNumber(terms: Terms): boolean {
  if (terms.mode === 'compositor') return true;
  switch (terms.rule.id) {
    case 'pure':
    case 'approximate-dp':
    case 'zcdp-optimal':
    case 'zcdp':
    case 'rdp':
    case 'gdp':
      return true;
    case 'rdp-curve':
      return terms.rule.alphas.length === 1;
    case 'basic':
    case 'approximate-zcdp':
    case 'approximate-rdp':
      return isWithoutDelta(terms);
  }
}

function convertUnderlying(underlying: Underlying, query: Query): Bracket {
  if (underlying.type !== 'declared') return convert(underlying, query);
  const applied = appliedToDeclared(underlying);
  if ('reason' in applied) throw new Error(`${underlying.bound} does not apply: ${applied.reason.code}`);
  return query.solveFor === 'epsilon' ? applied.curve.epsilon(query.delta) : applied.curve.delta(query.epsilon);
}

/** The smaller claim of a guarantee and of what it was read off from, which both hold; no lower bound is known for the two. */
function convertBoth(guarantee: LedgerGuarantee, underlying: Underlying | null, query: Query): Bracket {
  const claim = convert(guarantee, query);
  if (underlying === null) return claim;
  const behind = convertUnderlying(underlying, query);
  return { ...(behind.upper < claim.upper ? behind : claim), lower: null };
}

/**
 * The loss so far in a ledger of these terms, as {@link convert} converts a guarantee; where it was read off from another one,
 * as rho is in a ledger of optimal conversion, the smaller claim of the two, which is finite at deltas below the ledger's.
 *
 * Refused (`no-theorem`, `several-coordinates`) where the loss is several numbers at once: Renyi epsilons at several
 * orders, or one with a delta that grows. The conversion would take the order, or the share of delta, that is best on
 * the path that was taken, which is a choice after the fact: a run can have a third more delta than is reported on each
 * of its paths. What a filter guarantees was fixed before, and can be converted.
 */
export function convertSpent(terms: Terms, { spent, underlying }: Loss, query: Query): Bracket | Refused {
  if (terms.mode !== 'compositor' && !isOneNumber(terms)) {
    return refused({ code: 'no-theorem', reason: 'several-coordinates', rule: terms.rule.id });
  }
  return convertBoth(spent, underlying.spent, query);
}

/** The guarantee of the whole ledger, converted likewise; null for an odometer. */
export const convertGuarantee = ({ guarantee, underlying }: Loss, query: Query): Bracket | null =>
  guarantee && convertBoth(guarantee, underlying.guarantee, query);
