import { readStamp, recordNumber, writeStamp } from '../file/stamp.ts';
import type { Cut } from '../sql/database.ts';
import type { Connection } from './driver.ts';
import type { Place } from './place.ts';

/** What a database ends in. SQLite numbers records in the order in which they come, and none is ever removed. */
export interface LastRecord {
  /** How many records there are. */
  readonly records: number;
  /** The last of them, see `recordNumber`; null where there is none. */
  readonly last: bigint | null;
}

/** What a database ends in, inside a transaction. */
export function lastRecordIn(connection: Connection): LastRecord {
  const [row] = connection
    .prepare('SELECT rowid AS records, hash FROM records ORDER BY rowid DESC LIMIT 1')
    .all() as readonly { readonly records: number; readonly hash: string }[];
  return row === undefined ? { records: 0, last: null } : { records: row.records, last: recordNumber(row.hash) };
}

/** Whether a database has a record, by its number in the order of all or, where others have other numbers now, wherever it is. */
function hasRecord(connection: Connection, at: number, last: bigint): boolean {
  const digits = last.toString(16).padStart(16, '0');
  const isThere = (where: string, ...values: readonly unknown[]): boolean =>
    connection
      .prepare(`SELECT 1 FROM records WHERE substr(hash, 1, 16) = ? ${where} LIMIT 1`)
      .get(digits, ...values) !== undefined;
  return isThere('AND rowid = ?', at) || isThere('');
}

/**
 * Whether records are missing from a database, by the stamp beside it: it has fewer, or not the last one; null if none are, or there
 * is no stamp of this very file. To be asked inside a transaction that has read already, so that nobody commits meanwhile.
 */
export function cutIn(connection: Connection, { path, identity }: Place): Cut | null {
  const left = readStamp(path);
  if (left.get('identity') !== identity) return null;
  const [{ records }, before, last] = [lastRecordIn(connection), Number(left.get('records')), left.get('last')];
  const isOther = records >= before && last !== undefined && !hasRecord(connection, before, last);
  if (records < before || isOther) return { records, before, isNew: true };
  const cut = left.get('cut');
  return cut === undefined ? null : { records: Number(cut), before: Number(left.get('before')), isNew: false };
}

/**
 * Notes beside a database what it was left with, and the records that are known to be missing. A writer that is late, after others who
 * came later have noted more, leaves theirs.
 */
export function stampRecords({ path, identity }: Place, written: LastRecord, cut: Cut | null): void {
  const noted = readStamp(path);
  const isOlder = cut === null && noted.get('identity') === identity && Number(noted.get('records')) > written.records;
  const [records, last] = isOlder ? [noted.get('records'), noted.get('last')] : [written.records, written.last];
  const facts = {
    identity,
    records,
    ...(last != null && { last }),
    ...(cut && { cut: cut.records, before: cut.before }),
  };
  const lines = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  writeStamp(path, lines.join('\n'));
}
