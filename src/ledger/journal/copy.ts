import { failed, type Failed, Interrupted } from '../records/fault.ts';
import type { Restored, Store } from './store.ts';
import type { RawLine } from '../records/raw-line.ts';
import { headNamedBy } from '../records/together.ts';

/** Why the lines of a ledger cannot be copied as they are: its end is not settled. Null where they can. */
async function unsettledEnd(store: Store, name: string): Promise<Failed | null> {
  const ends = await store.ends(name);
  if (ends.kind === 'failed') return ends;
  const { rest, last } = ends;
  const seq = Number(last.fields.seq);
  if (rest.kind === 'torn') {
    return failed({ code: 'unfinished-record', line: seq + 2, record: seq + 1, bytes: rest.bytes });
  }
  const head = rest.kind === 'whole' ? headNamedBy(last) : null;
  return head && failed({ code: 'unsettled', head: head.ledger, because: 'unfinished-record' });
}

async function* bytesOf(batches: AsyncIterable<readonly RawLine[]>, name: string): AsyncGenerator<readonly Buffer[]> {
  try {
    for await (const batch of batches) {
      const long = batch.find(({ tooLong }) => tooLong);
      if (long !== undefined) {
        throw new Interrupted(failed({ code: 'line-too-long', line: long.number, record: long.number - 1 }));
      }
      yield batch.map(({ bytes }) => bytes);
    }
  } catch (error) {
    throw error instanceof Interrupted ? new Interrupted({ ledger: name, ...error.failed }) : error;
  }
}

/** The lines of a ledger as they were written, each without its newline, in batches; fails where its end does not say what counts. */
export async function wholeLines(store: Store, name: string): Promise<AsyncIterable<readonly Buffer[]> | Failed> {
  const unsettled = await unsettledEnd(store, name);
  if (unsettled !== null) return unsettled;
  const batches = await store.records(name);
  return 'kind' in batches ? batches : bytesOf(batches, name);
}

/** A ledger by its name, and where it is. */
export interface Located {
  readonly store: Store;
  readonly name: string;
}

/** The fault of a ledger in the place where it goes, whose name may be the same as where it comes from. */
export const faultThere = (fault: Failed, { store, name }: Located): Failed => ({
  ...fault,
  ledger: `${name} in ${store.address}`,
});

/** Whether two names lead to one place: what would be a copy there could be spent from beside the other. */
async function isSamePlace(from: Located, to: Located): Promise<boolean> {
  const [here, there] = [await from.store.home(from.name), await to.store.home(to.name)];
  return typeof here === 'string' && here === there;
}

/** Why no ledger can be made in a place of the lines of another; null where nothing is in the way. */
export async function obstacleTo(from: Located, to: Located): Promise<Failed | null> {
  const inTheWay = await to.store.obstacle(to.name);
  if (inTheWay !== null) return faultThere(inTheWay, to);
  return (await isSamePlace(from, to)) ? faultThere(failed({ code: 'same-place' }), to) : null;
}

/** Copies the lines of a ledger; they have to be all there. */
export async function copyLines(from: Located, to: Located): Promise<Restored | Failed> {
  const lines = await wholeLines(from.store, from.name);
  if ('kind' in lines) return { ...lines, ledger: from.name };
  if (to.store.restore === undefined) return failed({ code: 'write-failed', reason: 'this store takes no copies' });
  const restored = await to.store.restore(to.name, lines);
  if (restored.kind !== 'failed') return restored;
  // What is wrong with a line was wrong where it comes from.
  return 'line' in restored.fault || restored.ledger !== undefined
    ? { ledger: from.name, ...restored }
    : faultThere(restored, to);
}

/**
 * Copies a ledger into another store, line for line. The copy tells what was recorded up to now, and is not added to: by its last
 * record it belongs to the place that it was copied from, until somebody says that it goes on in the new one (`adopt`).
 */
export async function copyIn(from: Located, to: Located): Promise<Restored | Failed> {
  return (await obstacleTo(from, to)) ?? (await copyLines(from, to));
}
