import { type Bracket, asUpper } from '../numeric/enclosure.ts';
import type { Query } from '../privacy/query.ts';
import { appliedToDeclared } from './declared/compositor.ts';
import type { Refused } from './core/state.ts';
import type { LedgerGuarantee, Underlying } from './core/rule.ts';
import type { Loss } from './loss.ts';
import type { FilterTerms, OdometerTerms, Terms } from './core/terms.ts';
import type { Bound } from '../bounds/core/bound.ts';
import { dpOptimal } from '../bounds/dp-optimal/dp-optimal.ts';
import { gaussian } from '../bounds/closed-form/gaussian.ts';
import { logConversionFactor, momentCurve } from '../bounds/core/moment-curve.ts';
import { orderBreakpoints } from '../bounds/renyi/entries.ts';
import type { PrivacyCurve } from '../privacy/curve.ts';
import type { Failure } from '../privacy/failure.ts';
import { curveWithFailure } from '../privacy/finite-loss-curve.ts';
import type { Mechanism, Rdp, Zcdp } from '../privacy/mechanism.ts';
import { momentOf } from '../privacy/mechanisms/records.ts';
import { launchedEntry } from './charges/charges.ts';
import { Decimal } from '../numeric/decimal.ts';

const ZERO = new Decimal(0);

/** The curve of one bound for one guarantee. */
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

/** The privacy curve that a guarantee of finite loss implies, by the best conversion known. */
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
  const read = convert(guarantee, query);
  if (underlying === null) return read;
  const behind = convertUnderlying(underlying, query);
  return { ...(behind.upper < read.upper ? behind : read), lower: null };
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
    return { kind: 'refused', refusal: { code: 'no-theorem', reason: 'several-coordinates', rule: terms.rule.id } };
  }
  return convertBoth(spent, underlying.spent, query);
}

/** The guarantee of the whole ledger, converted likewise; null for an odometer. */
export const convertGuarantee = ({ guarantee, underlying }: Loss, query: Query): Bracket | null =>
  guarantee && convertBoth(guarantee, underlying.guarantee, query);
