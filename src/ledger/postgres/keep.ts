import { notKept } from '../journal/not-kept.ts';
import type { Failed } from '../records/fault.ts';
import { quoted } from './names.ts';
import { columnsOf, insertRecords, type RecordRow } from './rows.ts';
import type { Session } from './session.ts';

interface Row {
  readonly name: string;
  readonly head_seq: string;
  readonly head_hash: string;
  readonly hash: string | null;
}

/**
 * Looks, before a transaction is ended, whether each ledger ends in what was sent to it: a trigger or a rule of somebody can let
 * rows fall without a word. Null where all do.
 */
export async function confirm(session: Session, schema: string, sent: readonly RecordRow[]): Promise<Failed | null> {
  const s = quoted(schema);
  const { rows } = await session.ask<Row>(
    `SELECT l.name, l.head_seq, l.head_hash, r.hash
    FROM ${s}.ledgers AS l LEFT JOIN ${s}.records AS r ON r.ledger = l.name AND r.seq = l.head_seq
    WHERE l.name = ANY ($1::text[])`,
    [sent.map(({ ledger }) => ledger)],
  );
  const there = new Map(rows.map((row) => [row.name, row]));
  const missing = sent.find(({ ledger, seq, hash }) => {
    const row = there.get(ledger);
    return row === undefined || Number(row.head_seq) !== seq || row.head_hash !== hash || row.hash !== hash;
  });
  return missing === undefined ? null : notKept(missing.ledger);
}

/** Adds records to ledgers, the last of each of these once, and looks whether they are there; null where they are. */
export async function keep(session: Session, schema: string, rows: readonly RecordRow[]): Promise<Failed | null> {
  if (rows.length === 0) return null;
  await session.ask(insertRecords(schema), columnsOf(rows));
  return await confirm(session, schema, rows);
}
