import { failed, type Failed } from '../records/fault.ts';
import { numberOf, unseal, type Sealed } from '../records/line.ts';
import type { Sought } from '../journal/store.ts';
import type { Connection } from './driver.ts';

const SELECT = 'SELECT seq, line FROM records WHERE ledger = ?';

/** How a record is looked for, by the index that there is for it, and with which value. */
function queryFor(sought: Sought): readonly [sql: string, value: string | number] {
  switch (sought.kind) {
    case 'key':
      return [`${SELECT} AND key = ?`, JSON.stringify(sought.key)];
    case 'launch':
      // Totals only grow.
      return [`${SELECT} AND launched >= ? ORDER BY launched, seq LIMIT 1`, sought.mechanism];
    case 'close':
      return [`${SELECT} AND closed = ? ORDER BY seq LIMIT 1`, sought.mechanism];
  }
}

/** A record that is looked for in a ledger; null where it has none, and where its header already says so many launched. */
export function search(connection: Connection, name: string, sought: Sought): Sealed | Failed | null {
  const [sql, value] = queryFor(sought);
  const row = connection.prepare(sql).get(name, value) as { readonly seq: number; readonly line: string } | undefined;
  if (row === undefined || row.seq === 0) return null;
  const place = { line: row.seq + 1, record: row.seq };
  const record = unseal(Buffer.from(row.line));
  if (record.kind === 'damaged') return failed({ code: 'damaged-record', ...place, ...record });
  return numberOf(record) === row.seq ? record : failed({ code: 'broken-chain', ...place });
}
