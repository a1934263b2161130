import { readStamp, stamp } from '../file/stamp.ts';
import type { Cut } from '../sql/database.ts';
import type { Connection } from './driver.ts';
import type { Place } from './place.ts';

/** How many records a database has: SQLite numbers them in the order in which they come, and none is ever removed. */
export const countRecords = (connection: Connection): number =>
  (connection.prepare('SELECT coalesce(max(rowid), 0) AS count FROM records').all() as [{ readonly count: number }])[0]
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

/**
 * Notes beside a database how many records it was left with, and those that are known to be missing. A writer that is late, after
 * others who came later have noted more, leaves theirs.
 */
export function stampRecords({ path, identity }: Place, written: number, cut: Cut | null): void {
  const noted = readStamp(path);
  const isOlder = cut === null && noted.get('identity') === identity && Number(noted.get('records')) > written;
  const records = isOlder ? Number(noted.get('records')) : written;
  const facts = { identity, records, ...(cut && { cut: cut.records, before: cut.before }) };
  stamp(
    path,
    Object.entries(facts)
      .map(([name, value]) => `${name} ${value}`)
      .join('\n'),
  );
}
