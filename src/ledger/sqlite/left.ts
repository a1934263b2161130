import { readStamp, stamp } from '../file/stamp.ts';
import { failed, type Failed } from '../records/fault.ts';
import type { Connection } from './driver.ts';
import type { Place } from './place.ts';

/** A database that has fewer records than it was left with: an older copy was put over it. */
export interface Cut {
  /** The records that it had then: a ledger that ends in one of these may have lost others. */
  readonly records: number;
  /** The records that it was left with. */
  readonly before: number;
  /** Whether nobody has added to it since. */
  readonly isNew: boolean;
}

/** How many records a database has: SQLite numbers them in the order in which they come, and none is ever removed. */
export const countRecords = (connection: Connection): number =>
  (connection.prepare('SELECT coalesce(max(rowid), 0) AS count FROM records').get() as { readonly count: number })
    .count;

/**
 * Whether records are missing from a database, by the stamp beside it; null if none are, or there is no stamp of this very file. To be
 * asked inside a transaction that has read already, so that nobody commits meanwhile.
 */
export function cutIn(connection: Connection, { path, identity }: Place): Cut | null {
  const left = readStamp(path);
  if (left.get('identity') !== identity) return null;
  const [records, before] = [countRecords(connection), Number(left.get('records'))];
  if (records < before) return { records, before, isNew: true };
  const cut = left.get('cut');
  return cut === undefined ? null : { records: Number(cut), before: Number(left.get('before')), isNew: false };
}

/** The fault of what rests on the records that are missing. */
export const cutFault = ({ records, before }: Cut): Failed =>
  failed({ code: 'cut-off', size: records, before, unit: 'records' });

/** Why no ledger is made in a database: one of its name may be among what is missing, and nobody has said that it goes on. */
export const makingFault = (cut: Cut | null): Failed | null => (cut?.isNew === true ? cutFault(cut) : null);

/** Notes beside a database how many records it was left with, and those that are known to be missing. */
export function stampRecords({ path, identity }: Place, records: number, cut: Cut | null): void {
  const facts = { identity, records, ...(cut && { cut: cut.records, before: cut.before }) };
  stamp(
    path,
    Object.entries(facts)
      .map(([name, value]) => `${name} ${value}`)
      .join('\n'),
  );
}
