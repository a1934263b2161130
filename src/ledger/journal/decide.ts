import type { Entry } from '../../privacy/mechanism.ts';
import type { Decision } from '../core/decision.ts';
import { nest } from '../nest.ts';
import { spend } from '../spend.ts';
import { at, isTimed } from '../core/held.ts';
import type { StoreTime } from '../core/hold.ts';
import type { Refusal } from '../core/refusal.ts';
import { commit, release, reserve } from '../reserve.ts';
import type { LedgerState } from '../core/state.ts';
import { unapproved, type Request } from '../records/approval.ts';
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

/** The moment of a decision, and what the approvals of a request have to be of. */
export interface Moment extends Pick<Request, 'ledger' | 'key'> {
  /** By the clock of the store. */
  readonly now: StoreTime;
}

const refuse = (state: LedgerState, refusal: Refusal): Decision => ({ kind: 'refused', refusal, state, halts: false });

/** Why nothing is launched now; null where the window is open, or there is none. */
function outsideWindow({ terms, clock }: LedgerState): Refusal | null {
  const { window } = terms;
  if (window === undefined || clock === null) return null;
  const isOpen = (window.opens === null || window.opens <= clock) && (window.closes === null || clock < window.closes);
  return isOpen ? null : { code: 'outside-window', ...window, now: clock };
}

/** May what is asked be launched, its approvals aside, at this moment? */
export function decideApproved(before: LedgerState, asked: Asked, now: StoreTime): Decision {
  const state = isTimed(before) ? at(before, now) : before;
  const closed = outsideWindow(state);
  if (closed !== null) return refuse(state, closed);
  return 'entries' in asked ? spendAll(state, asked.entries, asked.evidence ?? null) : nestAll(state, asked.nested);
}

/** Why the approvals of a request do not suffice; nested ledgers need none, as those that spend in them need as many. */
function disapproval({ terms }: LedgerState, asked: Asked, { ledger, key }: Moment): Refusal | null {
  if (terms.approvals === undefined || !('entries' in asked)) return null;
  const { entries, evidence = null, approvals } = asked;
  return unapproved(terms.approvals, { ledger, key, entries, evidence }, approvals ?? []);
}

/** May what is asked be launched at this moment? */
export function decide(state: LedgerState, asked: Asked, moment: Moment): Decision {
  const refusal = disapproval(state, asked, moment);
  if (refusal === null) return decideApproved(state, asked, moment.now);
  return refuse(isTimed(state) ? at(state, moment.now) : state, refusal);
}

/** May a part of the budget be held, launched or given back at this moment? */
export function decideHeld(before: LedgerState, asked: Held, moment: Moment): Decision {
  const state = at(before, moment.now);
  if (asked.event === 'release') return release(state, asked.hold);
  const closed = outsideWindow(state);
  if (closed !== null) return refuse(state, closed);
  if (asked.event === 'commit') return commit(state, asked.hold);
  const refusal = disapproval(state, asked, moment);
  if (refusal !== null) return refuse(state, refusal);
  const { hold, until, entries, evidence = null } = asked;
  if (state.halted) return refuse(state, { code: 'halted', because: state.halted });
  return reserve(state, { id: hold, until, entries, evidence });
}
