import { headerOf } from '../records/ends.ts';
import { failed, Interrupted, type Failed } from '../records/fault.ts';
import { restorable, type LastLine } from '../records/restorable.ts';
import type { Restored } from '../journal/store.ts';
import { claim } from './births.ts';
import type { Connections } from './connections.ts';
import { inTransaction } from './in-transaction.ts';
import { confirm } from './keep.ts';
import { columnsOf, insertRecords, recordAt, rowOf, type RecordRow } from './rows.ts';
import { standing } from './standing.ts';
import type { Session } from './session.ts';

/** Inserts lines in their order, and looks whether the last is there; the row of the header. */
async function insertAll(
  session: Session,
  schema: string,
  name: string,
  lines: AsyncIterable<readonly Buffer[]>,
): Promise<RecordRow | Failed> {
  let seq = 0;
  let [header, last]: (RecordRow | null)[] = [null, null];
  for await (const batch of lines) {
    const rows: RecordRow[] = [];
    for (const line of batch) {
      const record = seq === 0 ? headerOf(line, true) : recordAt(line.toString(), seq);
      if (record.kind === 'failed') return record;
      if (seq === 0) {
        const fault = await claim(session, schema, [{ name, id: String(record.fields.id) }]);
        if (fault !== null) return fault;
      }
      const row = rowOf(name, record, line);
      header ??= row;
      last = row;
      rows.push(row);
      seq++;
    }
    if (rows.length > 0) await session.ask(insertRecords(schema), columnsOf(rows));
  }
  if (header == null || last == null) return failed({ code: 'empty-ledger', line: 1, record: 0 });
  return (await confirm(session, schema, [last])) ?? header;
}

/** Makes a ledger of lines that were written elsewhere, in one transaction, which is not tried again: the lines come only once. */
export const restore = (
  connections: Connections,
  name: string,
  lines: AsyncIterable<readonly Buffer[]>,
): Promise<Restored | Failed> =>
  inTransaction<Restored>(
    connections,
    connections.connectSeconds,
    async (session) => {
      const last: LastLine = {};
      try {
        const { schema } = connections.address;
        const stands = await standing(session, schema);
        if ('kind' in stands) return stands;
        const header = await insertAll(session, schema, name, restorable(lines, stands.home, last));
        if ('kind' in header) return header;
        return { kind: 'written', value: { kind: 'restored', last: last.record! }, witness: header };
      } catch (error) {
        if (error instanceof Interrupted) return error.failed;
        throw error;
      }
    },
    'once',
  );
