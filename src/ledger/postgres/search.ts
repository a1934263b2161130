import { failed, type Failed } from '../records/fault.ts';
import type { Sealed } from '../records/line.ts';
import type { Sought } from '../journal/store.ts';
import { keyDigest, recordAt } from './rows.ts';
import { quoted } from './names.ts';
import type { Session } from './session.ts';

interface FoundRow {
  readonly seq: string;
  readonly line: string;
}

/** The condition on the records of a ledger ($1), and its value ($2). */
function conditionOf(sought: Sought): readonly [where: string, value: string | number] {
  switch (sought.kind) {
    case 'key':
      return ['key = $2 ORDER BY seq', keyDigest(sought.key)];
    case 'launch':
      return ['launched >= $2 ORDER BY launched, seq', sought.mechanism];
    case 'close':
      return ['closed = $2 ORDER BY seq', sought.mechanism];
  }
}

/** Whether a record is what its columns say. */
function isSought({ fields }: Sealed, sought: Sought): boolean {
  switch (sought.kind) {
    case 'key':
      return fields.key === sought.key;
    case 'launch':
      return Number((fields.totals as { launched?: unknown } | undefined)?.launched) >= sought.mechanism;
    case 'close':
      return fields.event === 'close' && fields.mechanism === sought.mechanism;
  }
}

/** Looks for a record of a ledger; null where there is none. */
export async function search(
  session: Session,
  schema: string,
  name: string,
  sought: Sought,
): Promise<Sealed | null | Failed> {
  const [where, value] = conditionOf(sought);
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return null;
  const text = `SELECT seq, line FROM ${quoted(schema)}.records WHERE ledger = $1 AND ${where} LIMIT 1`;
  const [row] = (await session.ask<FoundRow>(text, [name, value])).rows;
  // What a ledger goes on from was launched before it.
  if (row === undefined || Number(row.seq) === 0) return null;
  const record = recordAt(row.line, Number(row.seq));
  if (record.kind === 'failed' || isSought(record, sought)) return record;
  return failed({ code: 'broken-chain', line: Number(row.seq) + 1, record: Number(row.seq) });
}
