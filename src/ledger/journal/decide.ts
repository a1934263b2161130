import type { Entry } from '../../privacy/mechanism.ts';
import type { Decision, LedgerState } from '../core/state.ts';
import { nest } from '../conversions.ts';
import { refuse, spend } from '../spend.ts';
import { at, isTimed } from '../core/held.ts';
import type { StoreTime } from '../core/hold.ts';
import { commit, release, reserve } from '../reserve.ts';
import { uncheckedIn } from '../core/terms.ts';
import type { Asked, Held, Nested } from '../records/record.ts';

/** May all of these be run? A refusal is one of all of them: nothing of what fits is kept. */
function spendAll(state: LedgerState, [first, ...rest]: readonly Entry[], evidence: string | null): Decision {
  if (first === undefined) throw new Error('Nothing is asked for.');
  let decision = spend(state, first, evidence);
  for (const entry of rest) {
    if (decision.kind === 'refused') return decision;
    const next = spend(decision.state, entry, evidence);
    if (next.kind === 'accepted') {
      const caveats = [...new Set([...decision.caveats, ...next.caveats])];
      decision = { ...next, caveats };
    } else {
      decision = { ...next, state: { ...state, halted: next.state.halted } };
    }
  }
  return decision;
}

function nestAll(state: LedgerState, { ids, terms }: Nested): Decision {
  const decision = nest(state, [terms, ...ids.slice(1).map(() => terms)]);
  if (decision.kind === 'accepted') return decision.parent;
  return 'halts' in decision ? decision : { ...decision, state, halts: false };
}

/** The refusal of whatever a ledger is asked to launch whose terms ask for what is not checked any more; null where they do not. */
export function uncheckedRefusal(state: LedgerState): Decision | null {
  const term = uncheckedIn(state.terms);
  return term === null ? null : refuse(state, { code: 'unverified', reason: 'unchecked-terms', term });
}

/** May what is asked be launched at this moment by the clock of the store? Terms that are not checked any more are left to who asks. */
export function decide(before: LedgerState, asked: Asked, now: StoreTime): Decision {
  const state = isTimed(before) ? at(before, now) : before;
  return 'entries' in asked ? spendAll(state, asked.entries, asked.evidence ?? null) : nestAll(state, asked.nested);
}

/** May a part of the budget be held, launched or given back at this moment? */
export function decideHeld(before: LedgerState, asked: Held, now: StoreTime): Decision {
  const state = at(before, now);
  if (asked.event === 'release') return release(state, asked.hold);
  if (asked.event === 'commit') return commit(state, asked.hold);
  const { hold, until, entries, evidence = null } = asked;
  if (state.halted) return refuse(state, { code: 'halted', because: state.halted });
  return reserve(state, { id: hold, until, entries, evidence });
}
