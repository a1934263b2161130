import type { Entry } from '../../privacy/mechanism.ts';
import type { Decision } from '../core/decision.ts';
import { nest } from '../nest.ts';
import { spend } from '../spend.ts';
import type { LedgerState } from '../core/state.ts';
import type { Asked, Nested } from './record.ts';

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

/** May what is asked be launched? */
export const decide = (state: LedgerState, asked: Asked): Decision =>
  'entries' in asked ? spendAll(state, asked.entries, asked.evidence ?? null) : nestAll(state, asked.nested);
