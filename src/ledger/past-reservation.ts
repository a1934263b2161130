import { scan } from './history.ts';
import type { PastReservation } from './rules/refusal.ts';
import type { Store } from './store.ts';

/** What became of a reservation that is not open any more, as the records say; null where none is about it, or they cannot be read. */
export async function pastReservation(store: Store, name: string, hold: string): Promise<PastReservation | null> {
  const found: { past: PastReservation | null } = { past: null };
  const scanned = await scan(store, name, {
    record: ({ place: { record }, recorded }) => {
      if (recorded.event === 'hold' && recorded.hold === hold) found.past = { kind: 'expired', until: recorded.until };
      if (recorded.event === 'commit' && recorded.hold === hold) found.past = { kind: 'committed', record };
      if (recorded.event === 'release' && recorded.hold === hold) found.past = { kind: 'released', record };
      return null;
    },
  });
  return scanned.kind === 'failed' ? null : found.past;
}
