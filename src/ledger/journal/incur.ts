import type { Entry } from '../../privacy/mechanism.ts';
import type { Decision } from '../core/decision.ts';
import { totalsOf } from '../core/state.ts';
import { incur } from '../incur.ts';
import { failed, type Failed } from '../records/fault.ts';
import { notedOf, seeking, type Ended, type LaunchOptions } from './launch.ts';
import type { Sealed } from '../records/line.ts';
import { presentOf, type Present } from './present.ts';
import { recordFields } from '../records/record.ts';
import type { Store, Transacted } from './store.ts';

/** What was counted, and the ledger before it. */
export interface Incurred {
  readonly before: Present;
  readonly decision: Decision | Ended;
  /** The record of an earlier request under the same key: nothing is counted again. */
  readonly again?: Sealed;
}

/** Records mechanisms that ran without having been granted: see {@link incur}. */
export function incurIn(
  store: Store,
  name: string,
  { entries, evidence }: { readonly entries: readonly Entry[]; readonly evidence: string | null },
  options: LaunchOptions,
): Promise<Transacted<Incurred> | Failed> {
  const noted = notedOf(options);
  return store.transact<Incurred>(
    [name],
    ([seen]) => {
      const { ends, found } = seen!;
      const before = presentOf(ends);
      if (before.kind === 'failed') return before;
      const { state, successor } = before;
      if (successor !== null) {
        return { kind: 'proposal', additions: [null], value: { before, decision: { kind: 'ended', successor } } };
      }
      const decision = incur(state, entries);
      const totals = totalsOf(decision.state);
      const fields = recordFields({ event: 'incurred', entries, evidence, ...noted, totals });
      const earlier = noted.key === null ? null : (found[0] ?? null);
      if (earlier !== null) {
        const isSame = ['event', 'mechanisms', 'evidence'].every(
          (name) => JSON.stringify(earlier.fields[name]) === JSON.stringify(fields[name]),
        );
        if (!isSame) return failed({ code: 'key-used', key: noted.key ?? '', record: Number(earlier.fields.seq) });
        const same: Decision = { kind: 'accepted', state, totals: totalsOf(state), caveats: [] };
        return { kind: 'proposal', additions: [null], value: { before, decision: same, again: earlier } };
      }
      const additions = [decision.kind === 'accepted' ? fields : null];
      return { kind: 'proposal', additions, value: { before, decision } };
    },
    seeking(options),
  );
}
