import { failed, type Failed } from '../records/fault.ts';
import type { Restored, Store } from './store.ts';
import { wholeLines } from './whole-lines.ts';

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
