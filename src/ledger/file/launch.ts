import type { Decision } from '../core/decision.ts';
import { totalsOf } from '../core/state.ts';
import { append, type AppendOptions, type Appended } from './append.ts';
import { decide } from './decide.ts';
import type { Failed } from './fault.ts';
import type { Fields } from './line.ts';
import { presentOf, type Present } from './present.ts';
import { recordFields, type Asked, type Event } from './record.ts';

/** The ledger goes on in another one. */
export interface Ended {
  readonly kind: 'ended';
  readonly successor: string;
}

/** The result of a request to launch: the decision, and the ledger before it. */
export interface Launched {
  readonly before: Present;
  readonly decision: Decision | Ended;
}

/** Options of an authorisation. */
export interface LaunchOptions extends AppendOptions {
  /** When it is asked for, for people to read; null for no time. */
  readonly at: string | null;
}

const granted = (asked: Asked): Event =>
  'entries' in asked ? { event: 'spend', ...asked } : { event: 'nest', ...asked };

/** The event that a decision leaves to be recorded: the launch, or the end of the ledger; null for nothing. */
function eventOf(decision: Decision, asked: Asked): Event | null {
  if (decision.kind === 'accepted') return granted(asked);
  return decision.halts ? { event: 'halt', asked } : null;
}

/** May this be launched as things stand? It authorises nothing. */
export function decideIn({ state, successor }: Present, asked: Asked): Decision | Ended {
  return successor === null ? decide(state, asked) : { kind: 'ended', successor };
}

/** The fields of the record that a decision leaves behind; null where it leaves none. */
function fieldsOf(decision: Decision | Ended, asked: Asked, at: string | null): Fields | null {
  const event = decision.kind === 'ended' ? null : eventOf(decision, asked);
  if (event === null || decision.kind === 'ended') return null;
  return recordFields({ ...event, at, totals: totalsOf(decision.state) });
}

/**
 * Asks a ledger file to let something be launched. Where the decision is yes, it was recorded, durably, before this
 * returns, and nobody else was granted the same part of the budget: this alone authorises.
 */
export const launchIn = (path: string, asked: Asked, options: LaunchOptions): Promise<Appended<Launched> | Failed> =>
  append(
    path,
    (ends) => {
      const before = presentOf(ends);
      if (before.kind === 'failed') return before;
      const decision = decideIn(before, asked);
      return { kind: 'proposal', fields: fieldsOf(decision, asked, options.at), value: { before, decision } };
    },
    options,
  );
