import { noSuchLedger } from '../journal/name.ts';
import type { Sought } from '../journal/store.ts';
import { headerOf, type Ends } from '../records/ends.ts';
import { failed, type Failed } from '../records/fault.ts';
import { numberOf, unseal, type Sealed } from '../records/line.ts';
import { cutFault, type Dialect, type View } from './database.ts';

/** All that is read of a ledger to know its two ends; null where there is none of it. Some databases give large numbers as text. */
interface EndsRow {
  readonly name: string;
  readonly head_seq: number | string | null;
  readonly head_hash: string | null;
  readonly header: string | null;
  /** The number of the last record that is there, whatever the head says. */
  readonly seq: number | string | null;
  readonly last: string | null;
  /** The hash of the record before the last. */
  readonly before: string | null;
  /** See {@link Dialect.order}. */
  readonly among: number | null;
}

/** Selects the {@link EndsRow} of so many names. */
const selectEnds = ({ schema, order }: Dialect, count: number): string => `
WITH asked (name) AS (VALUES ${Array.from({ length: count }, (_, i) => `(CAST($${i + 1} AS text))`).join(', ')})
SELECT a.name, l.head_seq, l.head_hash, t.seq, t.line AS last, ${order} AS among,
  (SELECT h.line FROM ${schema}.records AS h WHERE h.ledger = a.name AND h.seq = 0) AS header,
  (SELECT b.hash FROM ${schema}.records AS b WHERE b.ledger = a.name AND b.seq = t.seq - 1) AS before
FROM asked AS a
LEFT JOIN ${schema}.ledgers AS l ON l.name = a.name
LEFT JOIN ${schema}.records AS t ON t.ledger = a.name
  AND t.seq = (SELECT max(r.seq) FROM ${schema}.records AS r WHERE r.ledger = a.name)`;

/** The record in a line, which must have this number. */
export function recordAt(line: string, seq: number): Sealed | Failed {
  const place = { line: seq + 1, record: seq };
  const record = unseal(Buffer.from(line));
  if (record.kind === 'damaged') return failed({ code: 'damaged-record', ...place, ...record });
  return numberOf(record) === seq ? record : failed({ code: 'broken-chain', ...place });
}

/** The last record, which has to be the one that is noted as the last, and to follow the one before it. */
function lastOf({ last: line, head_seq, head_hash, before }: EndsRow, seq: number, header: Sealed): Sealed | Failed {
  const place = { line: seq + 1, record: seq };
  const last = seq === 0 ? header : unseal(Buffer.from(line ?? ''));
  if (last.kind === 'damaged') return failed({ code: 'damaged-record', ...place, ...last });
  if (head_seq === null || Number(head_seq) !== seq || head_hash !== last.hash || numberOf(last) !== seq) {
    return failed({ code: 'wrong-head', ...place, stated: head_hash ?? '' });
  }
  if (seq === 0) return last;
  if (last.fields.ledger !== header.hash) return failed({ code: 'foreign-record', ...place });
  if (before === null) return failed({ code: 'missing-records', ...place, count: 1 });
  return last.fields.prev === before ? last : failed({ code: 'broken-chain', ...place });
}

function endsIn(row: EndsRow, { cut }: Pick<View, 'cut'>): Ends | Failed {
  if (row.seq === null) {
    return row.head_seq === null ? noSuchLedger(row.name) : failed({ code: 'empty-ledger', line: 1, record: 0 });
  }
  if (row.header === null) return failed({ code: 'missing-records', line: 2, record: 1, count: 1 });
  const header = headerOf(Buffer.from(row.header), true);
  if (header.kind === 'failed') return header;
  const last = lastOf(row, Number(row.seq), header);
  if (last.kind === 'failed') return last;
  if (cut !== null && Number(row.among) <= cut.records) return cutFault(cut);
  return { kind: 'ends', header, last, rest: { kind: 'none' } };
}

/** The two ends of each of these ledgers; failed where they do not agree with each other and with the head, or may be cut off. */
export async function readAllEnds(view: View, names: readonly string[]): Promise<readonly (Ends | Failed)[]> {
  if (names.length === 0) return [];
  const rows = await view.ask<EndsRow>(selectEnds(view.dialect, names.length), names);
  const found = new Map(rows.map((row) => [row.name, row]));
  return names.map((name) => {
    const ends = endsIn(found.get(name)!, view);
    return ends.kind === 'failed' ? { ...ends, ledger: name } : ends;
  });
}

export const readEnds = async (view: View, name: string): Promise<Ends | Failed> =>
  (await readAllEnds(view, [name]))[0]!;

/** Looks for a record of a ledger; null where there is none. */
export async function search(view: View, name: string, sought: Sought): Promise<Sealed | null | Failed> {
  const { schema, keyOf } = view.dialect;
  const text = `SELECT seq, line FROM ${schema}.records WHERE ledger = $1 AND key = $2 ORDER BY seq LIMIT 1`;
  const [row] = await view.ask<{ readonly seq: number | string; readonly line: string }>(text, [
    name,
    keyOf(sought.key),
  ]);
  const seq = Number(row?.seq ?? 0);
  if (row === undefined || seq === 0) return null;
  const record = recordAt(row.line, seq);
  if (record.kind === 'failed' || record.fields.key === sought.key) return record;
  return failed({ code: 'broken-chain', line: seq + 1, record: seq });
}
