import { totalsOf } from '../core/state.ts';
import { failed, type Failed } from '../records/fault.ts';
import { notedOf, seeking, usedKey, type LaunchOptions } from './launch.ts';
import { scan } from './history.ts';
import { presentOf, type Present } from './present.ts';
import { recordFields, type Event } from '../records/record.ts';
import type { Propose, Store, Transacted } from './store.ts';

/** An event that changes nothing of what was spent. */
export type Remark = Extract<Event, { event: 'note' | 'void' | 'adopt' | 'recover' }>;

const proposing =
  (remark: Remark, options: LaunchOptions): Propose<Present> =>
  ([seen]) => {
    const before = presentOf(seen!.ends);
    if (before.kind === 'failed') return before;
    const { successor, records } = before;
    // The last record of a ledger that has ended is the one that says so.
    if (successor !== null) {
      return failed({ code: 'after-conversion', line: records + 1, record: records, to: successor.id });
    }
    const used = usedKey(seen!.found[0], notedOf(options));
    if (used !== null) return used;
    const fields = recordFields({ ...remark, ...notedOf(options), totals: totalsOf(before.state) });
    return { kind: 'proposal', additions: [fields], value: before };
  };

/** Whether a ledger is where its last record was written, with nothing at its end that is to be settled. */
async function isHere(store: Store, name: string): Promise<Present | null> {
  const ends = await store.ends(name);
  if (ends.kind === 'failed' || ends.rest.kind !== 'none' || ends.last.fields.home !== (await store.home(name)))
    return null;
  const present = presentOf(ends);
  return present.kind === 'present' && present.movedTo === undefined ? present : null;
}

/** Lets a ledger go on in this place; nothing is recorded where it is here already. The result is the ledger before it. */
export async function adoptIn(
  store: Store,
  name: string,
  label: string | null,
  options: LaunchOptions,
): Promise<Transacted<Present> | Failed> {
  const here = await isHere(store, name);
  if (here !== null) return { kind: 'transacted', value: here, records: [null], settled: 'none' };
  return await remarkIn(store, name, { event: 'adopt', label }, options);
}

/** Records an event that changes nothing of what was spent; the result is the ledger before it. */
export const remarkIn = (
  store: Store,
  name: string,
  remark: Exclude<Remark, { event: 'recover' }>,
  options: LaunchOptions,
): Promise<Transacted<Present> | Failed> =>
  store.transact<Present>([name], proposing(remark, options), {
    ...seeking(options),
    ...(remark.event === 'adopt' && { adopt: true, goesOnAt: { store: store.address, name } }),
  });

const LAUNCHES: readonly Event['event'][] = ['spend', 'nest', 'commit', 'incurred'];

/**
 * Records that what a record launched never ran; nothing is given back: that it did not run is known only from those who say so,
 * and may depend on what was seen. The record is looked for first: what is there never changes.
 */
export async function voidIn(
  store: Store,
  name: string,
  { voids, label }: { readonly voids: number; readonly label: string },
  options: LaunchOptions,
): Promise<Transacted<Present> | Failed> {
  const found = { launches: false };
  const scanned = await scan(store, name, {
    record: ({ place, recorded }) => {
      if (place.record === voids) found.launches = LAUNCHES.includes(recorded.event);
      return null;
    },
  });
  if (scanned.kind === 'failed') return scanned;
  if (!found.launches) return failed({ code: 'nothing-to-void', voids });
  return await remarkIn(store, name, { event: 'void', voids, label }, options);
}

/** Sets aside what stands at the end of a ledger and is no record, and keeps it in one; the result is the ledger before it. */
export async function recoverIn(
  store: Store,
  name: string,
  label: string | null,
  options: LaunchOptions,
): Promise<Transacted<Present> | Failed> {
  if (store.recover === undefined) return failed({ code: 'nothing-to-recover' });
  return await store.recover<Present>(name, (aside) => proposing({ event: 'recover', aside, label }, options), {
    ...options,
    goesOnAt: { store: store.address, name },
  });
}
