import { close, query, type LaunchedMechanism, type QueryDecision } from '../interactive.ts';
import { totalsOf } from '../core/state.ts';
import type { MechanismKind } from '../../privacy/mechanism.ts';
import type { Failed } from '../records/fault.ts';
import { notedOf, usedKey, type Ended, type LaunchOptions } from './launch.ts';
import { numberOf, type Sealed } from '../records/line.ts';
import { presentOf } from './present.ts';
import { readRecord, recordFields } from '../records/record.ts';
import type { Store, Transacted } from './store.ts';

/** A mechanism of a ledger, and what is to happen with it. */
export interface Conversing {
  readonly event: 'query' | 'close';
  /** Its number in the order of launches, from 1. */
  readonly mechanism: number;
  readonly label: string | null;
}

/** The decision about it. */
export type Conversed = QueryDecision | Ended;

/** The kind of the mechanism of this number, by the record that launched it; null where that launched none of this number. */
function kindIn(launch: Sealed, ordinal: number): MechanismKind | null | Failed {
  const seq = numberOf(launch);
  const recorded = readRecord(launch, { line: seq + 1, record: seq });
  if ('kind' in recorded) return recorded;
  if (recorded.event === 'nest') return 'interactive';
  if (recorded.event !== 'spend' && recorded.event !== 'commit' && recorded.event !== 'incurred') return null;
  let last = recorded.totals.launched;
  for (const { kind, count } of recorded.entries.toReversed()) {
    last -= count;
    if (ordinal > last) return kind;
  }
  return null;
}

/** Records, if that is allowed, that an interactive mechanism is asked once more, or is closed; it costs nothing. */
export function converseIn(
  store: Store,
  name: string,
  { event, mechanism: ordinal, label }: Conversing,
  options: LaunchOptions,
): Promise<Transacted<Conversed> | Failed> {
  const noted = notedOf(options);
  return store.transact<Conversed>(
    [name],
    ([seen]) => {
      const { ends, found } = seen!;
      const present = presentOf(ends);
      if (present.kind === 'failed') return present;
      const { state, successor } = present;
      if (successor !== null) return { kind: 'proposal', additions: [null], value: { kind: 'ended', successor } };
      const [launch, closed, earlier] = found;
      const used = usedKey(earlier, noted);
      if (used !== null) return used;
      const isLaunched = launch != null && ordinal >= 1 && ordinal <= state.launched;
      const kind = isLaunched ? kindIn(launch, ordinal) : null;
      if (typeof kind === 'object' && kind !== null) return kind;
      const mechanism: LaunchedMechanism | null = kind && { ordinal, kind, closed: closed != null };
      const decision = { query, close }[event](state, mechanism);
      const fields = recordFields({ event, mechanism: ordinal, label, ...noted, totals: totalsOf(state) });
      return { kind: 'proposal', additions: [decision.kind === 'accepted' ? fields : null], value: decision };
    },
    {
      ...options,
      sought: [
        { kind: 'launch', mechanism: ordinal },
        { kind: 'close', mechanism: ordinal },
        ...(noted.key === null ? [] : [{ kind: 'key', key: noted.key } as const]),
      ],
    },
  );
}
