import { failed, Interrupted, type Failed } from '../records/fault.ts';
import { numberOf } from '../records/line.ts';
import { restorable, type LastLine } from '../records/restorable.ts';
import type { Restored } from '../journal/store.ts';
import { writing, type Access, type Change } from './access.ts';
import type { Connection } from './driver.ts';
import { readEnds } from './ends.ts';
import { hasRecord } from './transact.ts';

async function insertAll(
  connection: Connection,
  name: string,
  lines: AsyncIterable<readonly Buffer[]>,
  last: LastLine,
): Promise<Failed | null> {
  const insert = connection.prepare('INSERT INTO records (ledger, seq, line) VALUES (?, ?, ?)');
  let seq = 0;
  try {
    for await (const batch of lines) for (const line of batch) insert.run(name, seq++, line.toString('utf8'));
  } catch (error) {
    if (error instanceof Interrupted) return error.failed;
    throw error;
  }
  const { hash } = last.record!;
  connection.prepare('INSERT INTO ledgers (name, head_seq, head_hash) VALUES (?, ?, ?)').run(name, seq - 1, hash);
  return null;
}

/** Makes a ledger of lines that were written elsewhere, in one transaction, for which others who write wait. */
export function restore(
  access: Access,
  patience: number,
  name: string,
  lines: AsyncIterable<readonly Buffer[]>,
): Promise<Restored | Failed> {
  return writing(access, patience, async (connection, { home }): Promise<Change<Restored> | Failed> => {
    const there = readEnds(connection, name);
    if (there.kind === 'ends') return failed({ code: 'ledger-exists' });
    if (there.fault.code !== 'no-such-ledger') return there;
    const last: LastLine = {};
    const wrong = await insertAll(connection, name, restorable(lines, home, last), last);
    if (wrong !== null) return wrong;
    const record = last.record!;
    const kept = { name, seq: numberOf(record), hash: record.hash };
    return {
      kind: 'change',
      value: { kind: 'restored', last: record },
      isKept: (again) => hasRecord(again, kept),
    };
  });
}
