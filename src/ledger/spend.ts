import type { Entry } from '../privacy/mechanism.ts';
import type { Decimal } from '../numeric/decimal.ts';
import type { Caveat } from './core/caveat.ts';
import { budgetCaveats, caveatsOf } from './core/caveats.ts';
import { type Decision, type LedgerState, totalsOf } from './core/state.ts';
import type { Refusal, HaltReason } from './core/refusal.ts';
import { atDistance, otherRelation } from './core/distance.ts';
import { withHolds } from './core/held.ts';
import type { Launch } from './core/rule.ts';
import type { Terms } from './core/terms.ts';
import { hasPurePart, isZeroLoss } from '../privacy/mechanisms/records.ts';
import { muSquaredOf } from './charges/rho.ts';

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
export const tooMany = (launched: number, wanted: Launch): Refusal | null =>
  wanted.count > MOST_AT_ONCE
    ? { code: 'unverified', reason: 'too-many-at-once', limit: MOST_AT_ONCE, asked: wanted.count }
    : countExcess(Number.MAX_SAFE_INTEGER, launched, wanted);

const caveatsOfLaunch = (state: LedgerState): readonly Caveat[] => [...budgetCaveats(state), ...state.rule.caveats];

/** The refusal of what fits in what was not spent, and not beside what is held; null where it fits, with the totals after it. */
function besideHolds(
  state: LedgerState,
  wanted: Launch,
  alone: readonly Decimal[],
): Refusal | { readonly spent: readonly Decimal[] } {
  const { terms, rule, held, spent, launched } = state;
  if (held.length === 0) return { spent: alone };
  const all = withHolds(state);
  const limit = terms.maxMechanisms ?? Number.MAX_SAFE_INTEGER;
  if (wanted.count > limit - all.launched) {
    return { code: 'count-limit', limit, launched, holds: all.launched - launched, asked: wanted.count };
  }
  const added = rule.extend(all.spent, wanted);
  if ('refusal' in added) return added.refusal;
  const excess = rule.excess(added.spent);
  if (excess?.code === 'insufficient-budget') return { ...excess, holds: held.length };
  if (excess) return excess;
  // The slots that are held stay so, where others would be taken without them.
  if (terms.mode !== 'compositor') return { spent: alone };
  return { spent: spent.map((taken, i) => taken.plus(added.spent[i]!).minus(all.spent[i]!)) };
}

/**
 * The decision about a launch, in the order of Haney et al. 2023, Algorithm 3: whether the ledger has halted, whether the
 * number of mechanisms is within its limit and what can be numbered, whether the guarantee is verified (with evidence where the terms ask for it) and
 * says something in the rule's measure, and whether the rule lets it run. What cannot be verified leaves a ledger as it is; where the budget or the number does not suffice, it
 * halts or goes on, as its terms say. What fits, but not beside what is held, is refused and never halts it.
 */
export function launch(state: LedgerState, wanted: Launch): Decision {
  const { terms, rule, launched, halted } = state;
  if (halted) return refuse(state, { code: 'halted', because: halted });
  const excess = countExcess(terms.maxMechanisms ?? Infinity, launched, wanted);
  if (excess) return refuseForGood(state, excess, 'count-limit');
  const uncountable = tooMany(launched, wanted);
  if (uncountable) return refuse(state, uncountable);
  if (wanted.unproven === true && terms.evidence === 'required') {
    return refuse(state, { code: 'unverified', reason: 'no-evidence' });
  }
  const added = rule.extend(state.spent, wanted);
  if ('refusal' in added) return refuse(state, added.refusal);
  const overspent = rule.excess(added.spent);
  if (overspent) return refuseForGood(state, overspent, 'insufficient-budget');
  const beside = besideHolds(state, wanted, added.spent);
  if ('code' in beside) return refuse(state, beside);
  const next = { ...state, spent: beside.spent, launched: launched + wanted.count };
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
  const wanted = launchOf(entry, state.terms);
  return 'code' in wanted ? refuse(state, wanted) : launch(state, { ...wanted, unproven: evidence === null });
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
    const wanted = launchOf(entry, state.terms);
    if ('code' in wanted) return refuse(state, wanted);
    const uncountable = tooMany(next.launched, wanted);
    if (uncountable) return refuse(state, uncountable);
    const added = next.rule.extend(next.spent, wanted);
    if ('refusal' in added) return refuse(state, added.refusal);
    const { launched, incurred } = next;
    next = { ...next, spent: added.spent, launched: launched + wanted.count, incurred: incurred + wanted.count };
  }
  return { kind: 'accepted', state: next, totals: totalsOf(next), caveats: caveatsOf(next) };
}
