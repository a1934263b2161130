import { close, query, type QueryDecision } from '../interactive.ts';
import { totalsOf } from '../core/state.ts';
import { append, type Appended } from './append.ts';
import type { Failed } from './fault.ts';
import type { Ended, LaunchOptions } from './launch.ts';
import { presentOf } from './present.ts';
import { recordFields } from './record.ts';
import { replayOpen } from './replay.ts';

/** A mechanism of a ledger, and what is to happen with it. */
export interface Conversing {
  readonly event: 'query' | 'close';
  /** Its number in the order of launches, from 1. */
  readonly mechanism: number;
  readonly label: string | null;
}

/** The decision about it. */
export type Conversed = QueryDecision | Ended;

/** Records, if that is allowed, that an interactive mechanism is asked once more, or is closed; it costs nothing. */
export const converseIn = (
  path: string,
  { event, mechanism, label }: Conversing,
  options: LaunchOptions,
): Promise<Appended<Conversed> | Failed> =>
  append<Conversed>(
    path,
    (ends, fd) => {
      const present = presentOf(ends);
      if (present.kind === 'failed') return present;
      if (present.successor !== null) {
        return { kind: 'proposal', fields: null, value: { kind: 'ended', successor: present.successor } };
      }
      // Which mechanisms can be asked is known from the records of their launches only.
      const ended = replayOpen(fd);
      if (ended.kind === 'failed') return ended;
      const { state } = ended.replay;
      const decision = { query, close }[event](state, ended.replay.mechanism(mechanism));
      const fields = recordFields({ event, mechanism, label, at: options.at, totals: totalsOf(state) });
      return { kind: 'proposal', fields: decision.kind === 'accepted' ? fields : null, value: decision };
    },
    options,
  );
