import { closeSync, fstatSync } from 'node:fs';
import type { Sought } from '../journal/store.ts';
import { readRest } from './ends.ts';
import { openExisting } from './open-file.ts';
import { searchAhead, type Ahead } from './search.ts';
import { chainFault, SMALL } from './sound.ts';
import { isStamped, momentOf } from './stamp.ts';

/** What takes long with a large ledger file, done before it is held, so that nobody has to wait for it. */
export interface LookedAhead {
  /** The moment of the file at which it was one chain (`momentOf`); null where that was not looked at. */
  readonly sound: string | null;
  /** The results of the searches; none where the file is small. */
  readonly searches: readonly Ahead[];
}

const NOTHING: LookedAhead = { sound: null, searches: [] };

/** Looks into a file that is not held; what cannot be done is left for when it is. */
export function lookAhead(path: string, sought: readonly Sought[]): LookedAhead {
  const fd = openExisting(path, 'read');
  if (typeof fd !== 'number') return NOTHING;
  try {
    if (fstatSync(fd).size <= SMALL) return NOTHING;
    const moment = momentOf(fd);
    const { offset: length } = readRest(fd);
    const known = isStamped(path, moment);
    const isSound = !known && chainFault(fd, length) === null && momentOf(fd) === moment;
    return { sound: isSound ? moment : null, searches: sought.map((each) => searchAhead(fd, length, each)) };
  } catch {
    return NOTHING;
  } finally {
    closeSync(fd);
  }
}
