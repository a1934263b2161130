import { notKept } from '../journal/not-kept.ts';
import { Interrupted, type Failed } from '../records/fault.ts';
import { restorable, type LastLine } from '../records/restorable.ts';
import type { Restored } from '../journal/store.ts';
import { writing, type Access, type Change } from './access.ts';
import type { Connection } from './driver.ts';
import { makingFault } from './left.ts';
import { confirm, hasRecord, insertLedger, insertLine, keptOf, taken } from './keep.ts';

async function insertAll(
  connection: Connection,
  name: string,
  lines: AsyncIterable<readonly Buffer[]>,
  last: LastLine,
): Promise<Failed | null> {
  let seq = 0;
  try {
    for await (const batch of lines) {
      for (const line of batch) if (!insertLine(connection, name, seq++, line)) return notKept(name);
    }
  } catch (error) {
    if (error instanceof Interrupted) return error.failed;
    throw error;
  }
  const kept = keptOf(name, last.record!);
  return insertLedger(connection, kept) ? confirm(connection, [kept]) : notKept(name);
}

/** Makes a ledger of lines that were written elsewhere, in one transaction, for which others who write wait. */
export function restore(
  access: Access,
  patience: number,
  name: string,
  lines: AsyncIterable<readonly Buffer[]>,
): Promise<Restored | Failed> {
  return writing(access, patience, async (connection, { home, cut }): Promise<Change<Restored> | Failed> => {
    const inTheWay = makingFault(cut) ?? taken(connection, name);
    if (inTheWay !== null) return inTheWay;
    const last: LastLine = {};
    const wrong = await insertAll(connection, name, restorable(lines, home, last), last);
    if (wrong !== null) return wrong;
    const record = last.record!;
    return {
      kind: 'change',
      value: { kind: 'restored', last: record },
      isKept: (again) => hasRecord(again, keptOf(name, record)),
    };
  });
}
