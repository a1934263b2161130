import type { Entry } from '../privacy/mechanism.ts';
import { budgetCaveats } from './core/caveats.ts';
import type { Caveat } from './core/caveat.ts';
import type { Decision } from './core/decision.ts';
import type { Refusal } from './core/refusal.ts';
import { atDistance } from './core/distance.ts';
import { otherRelation } from './core/relation.ts';
import type { Launch } from './core/rule.ts';
import type { HaltReason } from './core/halt-reason.ts';
import type { LedgerState } from './core/state.ts';
import { totalsOf } from './core/state.ts';
import type { Terms } from './core/terms.ts';

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

const refuse = (state: LedgerState, refusal: Refusal): Decision => ({ kind: 'refused', refusal, state, halts: false });

function refuseForGood(state: LedgerState, refusal: Refusal, because: HaltReason): Decision {
  const halts = state.terms.mode !== 'odometer' && state.terms.onExcess === 'halt';
  return { kind: 'refused', refusal, state: halts ? { ...state, halted: because } : state, halts };
}

const caveatsOf = (state: LedgerState): readonly Caveat[] => [...budgetCaveats(state), ...state.rule.caveats];

/**
 * The decision about a launch, in the order of Haney et al. 2023, Algorithm 3: whether the ledger has halted, whether the
 * number of mechanisms is within its limit, whether the guarantee is verified (with evidence where the terms ask for it) and
 * says something in the rule's measure, and whether the rule lets it run. What cannot be verified leaves a ledger as it is; where the budget or the number does not suffice, it
 * halts or goes on, as its terms say.
 */
export function launch(state: LedgerState, wanted: Launch): Decision {
  const { terms, rule, launched, halted } = state;
  if (halted) return refuse(state, { code: 'halted', because: halted });
  const limit = terms.maxMechanisms ?? Number.MAX_SAFE_INTEGER;
  if (wanted.count > limit - launched) {
    const refusal: Refusal = { code: 'count-limit', limit, launched, asked: wanted.count };
    return refuseForGood(state, refusal, 'count-limit');
  }
  if (wanted.unproven === true && terms.evidence === 'required') {
    return refuse(state, { code: 'unverified', reason: 'no-evidence' });
  }
  const added = rule.extend(state.spent, wanted);
  if ('refusal' in added) return refuse(state, added.refusal);
  const excess = rule.excess(added.spent);
  if (excess) return refuseForGood(state, excess, 'insufficient-budget');
  const next = { ...state, spent: added.spent, launched: launched + wanted.count };
  return { kind: 'accepted', state: next, totals: totalsOf(next), caveats: caveatsOf(state) };
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
