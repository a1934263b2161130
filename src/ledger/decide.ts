import type { Entry } from '../privacy/mechanism.ts';
import { type Decimal, ZERO } from '../numeric/decimal.ts';
import type { Caveat, Launch } from './rules/rule.ts';
import {
  budgetCaveats,
  caveatsOf,
  type Decision,
  type LedgerState,
  totalsOf,
  withReservations,
  amountsOf,
  namedAmounts,
  type Reservation,
} from './state.ts';
import type { Refusal, HaltReason } from './rules/refusal.ts';
import { atDistance, otherRelation } from './rules/distance.ts';
import type { StoreTime, Terms } from './rules/terms.ts';
import { hasPurePart, isZeroLoss } from '../privacy/mechanisms/records.ts';
import { muSquaredOf } from './rules/charges.ts';
import { entryForm } from '../document/structure/normal-form.ts';

/** A mechanism at a ledger's distance, ready to be launched. */
export function launchOf(
  entry: Entry,
  { distance, neighbours }: Pick<Terms, 'distance' | 'neighbours'>,
): Launch | Refusal {
  const { mechanism, kind, count } = entry;
  const refusal = otherRelation(entry, { neighbours });
  if (refusal !== null) return refusal;
  const guarantee = atDistance(mechanism, distance);
  if (guarantee) return { guarantees: [guarantee], kind, count };
  return { code: 'no-theorem', reason: 'no-map', found: mechanism.type, distance: distance.toString() };
}

export const refuse = (state: LedgerState, refusal: Refusal): Decision => ({
  kind: 'refused',
  refusal,
  state,
  halts: false,
});

function refuseForGood(state: LedgerState, refusal: Refusal, because: HaltReason): Decision {
  const halts = state.terms.mode !== 'odometer' && state.terms.onExcess === 'halt';
  return { kind: 'refused', refusal, state: halts ? { ...state, halted: because } : state, halts };
}

/** The most mechanisms of one launch: 9,007 as large ones fit into what numbers them, so that none blocks a ledger. */
const MOST_AT_ONCE = 1e12;

const countExcess = (limit: number, launched: number, { count }: Launch): Refusal | null =>
  count > limit - launched ? { code: 'count-limit', limit, launched, asked: count } : null;

/** Why mechanisms cannot be numbered, which whole numbers up to 2^53 - 1 do: they are too many at once, or all together. */
const tooMany = (launched: number, newLaunch: Launch): Refusal | null =>
  newLaunch.count > MOST_AT_ONCE
    ? { code: 'unverified', reason: 'too-many-at-once', limit: MOST_AT_ONCE, asked: newLaunch.count }
    : countExcess(Number.MAX_SAFE_INTEGER, launched, newLaunch);

const caveatsOfLaunch = (state: LedgerState): readonly Caveat[] => [...budgetCaveats(state), ...state.rule.caveats];

/** The refusal of what fits in what was not spent, and not beside what is held; null where it fits, with the totals after it. */
function besideReservations(
  state: LedgerState,
  newLaunch: Launch,
  alone: readonly Decimal[],
): Refusal | { readonly spent: readonly Decimal[] } {
  const { terms, rule, held, spent, launched } = state;
  if (held.length === 0) return { spent: alone };
  const all = withReservations(state);
  const limit = terms.maxMechanisms ?? Number.MAX_SAFE_INTEGER;
  if (newLaunch.count > limit - all.launched) {
    return { code: 'count-limit', limit, launched, holds: all.launched - launched, asked: newLaunch.count };
  }
  const added = rule.extend(all.spent, newLaunch);
  if ('refusal' in added) return added.refusal;
  const excess = rule.excess(added.spent);
  if (excess?.code === 'insufficient-budget') return { ...excess, holds: held.length };
  if (excess) return excess;
  // The slots that are held stay so, where others would be taken without them.
  if (terms.mode !== 'compositor') return { spent: alone };
  return { spent: spent.map((amount, i) => amount.plus(added.spent[i]!).minus(all.spent[i]!)) };
}

/**
 * The decision about a launch, in the order of Haney et al. 2023, Algorithm 3: whether the ledger has halted, whether the
 * number of mechanisms is within its limit and what can be numbered, whether the guarantee is verified (with evidence where the terms ask for it) and
 * says something in the rule's measure, and whether the rule lets it run. What cannot be verified leaves a ledger as it is; where the budget or the number does not suffice, it
 * halts or goes on, as its terms say. What fits, but not beside what is held, is refused and never halts it.
 */
export function launch(state: LedgerState, newLaunch: Launch): Decision {
  const { terms, rule, launched, halted } = state;
  if (halted) return refuse(state, { code: 'halted', because: halted });
  const excess = countExcess(terms.maxMechanisms ?? Infinity, launched, newLaunch);
  if (excess) return refuseForGood(state, excess, 'count-limit');
  const uncountable = tooMany(launched, newLaunch);
  if (uncountable) return refuse(state, uncountable);
  if (newLaunch.unproven === true && terms.evidence === 'required') {
    return refuse(state, { code: 'unverified', reason: 'no-evidence' });
  }
  const added = rule.extend(state.spent, newLaunch);
  if ('refusal' in added) return refuse(state, added.refusal);
  const overspent = rule.excess(added.spent);
  if (overspent) return refuseForGood(state, overspent, 'insufficient-budget');
  const beside = besideReservations(state, newLaunch, added.spent);
  if ('code' in beside) return refuse(state, beside);
  const next = { ...state, spent: beside.spent, launched: launched + newLaunch.count };
  return { kind: 'accepted', state: next, totals: totalsOf(next), caveats: caveatsOfLaunch(state) };
}

/**
 * May these `entry.count` mechanisms be run? All of them or none. The price is paid here, when they are launched; what an
 * interactive one is asked afterwards is free.
 *
 * `evidence` is what the guarantee was verified by, such as the hash of a proof or of the code that was reviewed; a ledger
 * whose terms ask for it refuses what has none (`unverified`). It is not looked into.
 *
 * The decision depends on the terms, the totals, the entry and whether there is evidence alone, never on an answer. A caller that acts on it must
 * have kept its totals first, and must not have acted on another decision about the same state.
 *
 * Errors: none; everything that is wrong with a request is a refusal with a code.
 */
export function spend(state: LedgerState, entry: Entry, evidence: string | null = null): Decision {
  const newLaunch = launchOf(entry, state.terms);
  return 'code' in newLaunch ? refuse(state, newLaunch) : launch(state, { ...newLaunch, unproven: evidence === null });
}

/**
 * The decision of {@link spend}, without halting: the state of a refusal is the one given, that of an acceptance only
 * says what the totals would be. It authorises nothing: two callers can both be answered yes where only one may go on.
 */
export function check(state: LedgerState, entry: Entry, evidence: string | null = null): Decision {
  const decision = spend(state, entry, evidence);
  return decision.kind === 'refused' ? { ...decision, state, halts: false } : decision;
}

/**
 * Whether a ledger covers an interactive or continual mechanism only where its communication is finite.
 *
 * (e, d)-DP mechanisms with discrete answers are post-processings of noninteractive ones, and Renyi divergences add up
 * anyway; of a trade-off function that is known under finite communication only (Haney et al. 2023, Theorem 3.4; Henzinger,
 * Safavi, Vadhan 2025, Theorem 12.4, Corollaries 13.8 and 14.10). The rule gdp adds up such functions. Beside mechanisms
 * with d > 0, zcdp-optimal takes noise for what such a function makes of it; known by its rho alone, it is an open question.
 */
export function needsFiniteCommunication({ mechanism, kind }: Entry, terms: Terms): boolean {
  if (kind === 'noninteractive' || isZeroLoss(mechanism)) return false;
  if (terms.concurrency === 'sequential' || terms.mode === 'compositor') return false;
  const { rule } = terms;
  if (rule.id === 'gdp') return muSquaredOf(mechanism) !== null && !hasPurePart(mechanism);
  const isBesideFailures = rule.id === 'zcdp-optimal' && rule.deltaPrime.lt(rule.delta);
  return isBesideFailures && !['dp', 'zcdp', 'rdp'].includes(mechanism.type);
}

/**
 * The ledger with mechanisms that ran without having been granted: they count, also beyond the budget, the number of
 * mechanisms and the end of a ledger, and beside what is held.
 *
 * A filter guarantees its budget because it enforces it on every path, and it did not enforce this. Within the budget, the
 * guarantee still stands if what ran would have kept within the budget whatever had been answered: then the filter would have
 * granted it (`not-granted-beforehand`). Beyond it, the path itself refutes that: the budget guarantees nothing (`budget-exceeded`),
 * and what is left is the sum, as an odometer reads it, against a threshold that was fixed before the first launch
 * [Haney et al. 2023, Sec 1.3]. A compositor beyond what was declared has no such reading: its bound is for what was declared.
 * From then on nothing fits.
 *
 * Refused is only what the rule cannot count (`unverified`, `no-theorem`).
 */
export function incur(state: LedgerState, entries: readonly Entry[]): Decision {
  let next = state;
  for (const entry of entries) {
    const newLaunch = launchOf(entry, state.terms);
    if ('code' in newLaunch) return refuse(state, newLaunch);
    const uncountable = tooMany(next.launched, newLaunch);
    if (uncountable) return refuse(state, uncountable);
    const added = next.rule.extend(next.spent, newLaunch);
    if ('refusal' in added) return refuse(state, added.refusal);
    const { launched, incurred } = next;
    next = { ...next, spent: added.spent, launched: launched + newLaunch.count, incurred: incurred + newLaunch.count };
  }
  return { kind: 'accepted', state: next, totals: totalsOf(next), caveats: caveatsOf(next) };
}

/** A request to hold a part of the budget for mechanisms, all of them or none. */
interface ReserveRequest {
  readonly id: string;
  readonly until: StoreTime;
  readonly entries: readonly Entry[];
  readonly evidence: string | null;
}

const accept = (next: LedgerState, before: LedgerState): Decision => ({
  kind: 'accepted',
  state: next,
  totals: totalsOf(next),
  caveats: before.rule.caveats,
});

/** The amounts that entries add to totals of nothing: all that is added, whatever was spent before. */
function addedBy({ terms, rule }: LedgerState, entries: readonly Entry[]): readonly Decimal[] {
  let amounts: readonly Decimal[] = rule.names.map(() => ZERO);
  for (const entry of entries) {
    const newLaunch = launchOf(entry, terms);
    const added = 'code' in newLaunch ? newLaunch : rule.extend(amounts, newLaunch);
    if (!('spent' in added)) throw new Error('What was accepted is not counted.');
    amounts = added.spent;
  }
  return amounts;
}

/**
 * Holds a part of the budget: what is asked for later has to fit beside it, until it is committed, released or has expired.
 *
 * It authorises nothing, which is why it can be given back. What was launched is what was spent and committed, and every
 * one of these decisions is that of the filter: the total with the new mechanism is within the budget. That the
 * filter also refuses what does not fit beside open holds only makes it refuse more; the ids, the clock and who commits are
 * choices of the one who runs it, and the theorem holds for every strategy of choosing what to ask for and when, of which
 * not to ask is one. The amounts are of parameters as they were declared, never of answers.
 *
 * Where nothing was counted meanwhile without having been granted, a hold that is open can always be committed: every decision
 * since has kept the total, with all open holds, within the budget (the rounding of products of deltas at 120 digits aside).
 *
 * The ledger must be as it is now (see `at`). Refused as {@link spend} refuses, and where the time is not to come or the id is in use
 * (`invalid-terms`); a refusal never halts.
 */
export function reserve(state: LedgerState, { id, until, entries, evidence }: ReserveRequest): Decision {
  if (state.clock === null || until <= state.clock) {
    return refuse(state, {
      code: 'invalid-terms',
      path: '--until',
      allowed: 'in the future, by the clock of the store',
    });
  }
  if (state.held.some((hold) => hold.id === id)) {
    return refuse(state, { code: 'invalid-terms', path: 'hold', allowed: 'a name that no open reservation has' });
  }
  let next = state;
  for (const entry of entries) {
    const decision = spend(next, entry, evidence);
    if (decision.kind === 'refused') return refuse(state, decision.refusal);
    next = decision.state;
  }
  const amounts =
    state.terms.mode === 'compositor'
      ? next.spent.map((amount, i) => amount.minus(state.spent[i]!))
      : addedBy(state, entries);
  const hold: Reservation = {
    id,
    until,
    launched: next.launched - state.launched,
    spent: namedAmounts(state, amounts),
    mechanisms: entries.map(entryForm),
    ...(evidence !== null && { evidence }),
  };
  return accept({ ...state, held: [...state.held, hold] }, state);
}

/** The open hold of this id. */
export const reservationOf = ({ held }: LedgerState, id: string): Reservation | null =>
  held.find((hold) => hold.id === id) ?? null;

const without = ({ held }: LedgerState, id: string): readonly Reservation[] => held.filter((hold) => hold.id !== id);

/**
 * Launches what is held under this id: the decision is the filter's, whether the total with it is within the budget, and authorises.
 *
 * The ledger must be as it is now (see `at`): what has expired cannot be committed. Refused where there is no such hold
 * (`no-such-hold`), where the ledger has halted, and where something was counted meanwhile that had not been granted and has left too little.
 */
export function commit(state: LedgerState, id: string): Decision {
  const { terms, rule, halted, launched } = state;
  if (halted) return refuse(state, { code: 'halted', because: halted });
  const hold = reservationOf(state, id);
  if (hold === null) return refuse(state, { code: 'no-such-hold', hold: id });
  const limit = terms.maxMechanisms ?? Number.MAX_SAFE_INTEGER;
  if (hold.launched > limit - launched) {
    return refuse(state, { code: 'count-limit', limit, launched, asked: hold.launched });
  }
  const spent = rule.combine(state.spent, amountsOf(state, hold));
  const excess = rule.excess(spent);
  if (excess) return refuse(state, excess);
  return accept({ ...state, spent, launched: launched + hold.launched, held: without(state, id) }, state);
}

/** Gives back what is held under this id; refused where there is no such hold. */
export const release = (state: LedgerState, id: string): Decision =>
  reservationOf(state, id) === null
    ? refuse(state, { code: 'no-such-hold', hold: id })
    : accept({ ...state, held: without(state, id) }, state);
