import { Decimal } from '../numeric/decimal.ts';
import type { Entry } from '../privacy/mechanism.ts';
import { entryForm } from '../document/structure/normal-form.ts';
import { type Decision, totalsOf, type LedgerState } from './core/state.ts';
import { amountsOf, namedAmounts } from './core/held.ts';
import type { Hold, StoreTime } from './core/hold.ts';
import { launchOf, refuse, spend } from './spend.ts';

/** A request to hold a part of the budget for mechanisms, all of them or none. */
export interface Reservation {
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
  let amounts: readonly Decimal[] = rule.names.map(() => new Decimal(0));
  for (const entry of entries) {
    const wanted = launchOf(entry, terms);
    const added = 'code' in wanted ? wanted : rule.extend(amounts, wanted);
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
export function reserve(state: LedgerState, { id, until, entries, evidence }: Reservation): Decision {
  if (state.clock === null || until <= state.clock) {
    return refuse(state, {
      code: 'invalid-terms',
      path: '--until',
      allowed: 'a time to come, by the clock of the store',
    });
  }
  if (state.held.some((hold) => hold.id === id)) {
    return refuse(state, { code: 'invalid-terms', path: 'hold', allowed: 'a name that no open hold has' });
  }
  let next = state;
  for (const entry of entries) {
    const decision = spend(next, entry, evidence);
    if (decision.kind === 'refused') return refuse(state, decision.refusal);
    next = decision.state;
  }
  const amounts =
    state.terms.mode === 'compositor'
      ? next.spent.map((taken, i) => taken.minus(state.spent[i]!))
      : addedBy(state, entries);
  const hold: Hold = {
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
export const holdOf = ({ held }: LedgerState, id: string): Hold | null => held.find((hold) => hold.id === id) ?? null;

const without = ({ held }: LedgerState, id: string): readonly Hold[] => held.filter((hold) => hold.id !== id);

/**
 * Launches what is held under this id: the decision is the filter's, whether the total with it is within the budget, and authorises.
 *
 * The ledger must be as it is now (see `at`): what has expired cannot be committed. Refused where there is no such hold
 * (`no-such-hold`), where the ledger has halted, and where something was counted meanwhile that had not been granted and has left too little.
 */
export function commit(state: LedgerState, id: string): Decision {
  const { terms, rule, halted, launched } = state;
  if (halted) return refuse(state, { code: 'halted', because: halted });
  const hold = holdOf(state, id);
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
  holdOf(state, id) === null
    ? refuse(state, { code: 'no-such-hold', hold: id })
    : accept({ ...state, held: without(state, id) }, state);
