import type { Bracket } from '../numeric/enclosure.ts';
import type { Query } from '../privacy/query.ts';
import { convert } from './convert.ts';
import { appliedToDeclared } from './declared/applied.ts';
import type { Refused } from './core/decision.ts';
import type { LedgerGuarantee, Underlying } from './core/guarantee.ts';
import type { Loss } from './loss.ts';
import type { FilterTerms, OdometerTerms, Terms } from './core/terms.ts';

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
