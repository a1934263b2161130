import { createHash } from 'node:crypto';
import { headerOf, type Ends } from '../records/ends.ts';
import { failed, type Failed } from '../records/fault.ts';
import { numberOf, unseal, type Sealed } from '../records/line.ts';
import { quoted } from './names.ts';

/** A ledger with its two ends, as the database has them; null where there is no such record. */
export interface EndsRow {
  readonly name: string;
  readonly head_seq: string;
  readonly head_hash: string;
  readonly header: string | null;
  readonly seq: string | null;
  readonly last: string | null;
}

/** Selects the {@link EndsRow} of ledgers `l`; the last record is the one of the largest number, whatever the head says. */
export const selectEnds = (schema: string): string => `
SELECT l.name, l.head_seq, l.head_hash, h.line AS header, t.seq, t.line AS last
FROM ${quoted(schema)}.ledgers AS l
LEFT JOIN ${quoted(schema)}.records AS h ON h.ledger = l.name AND h.seq = 0
LEFT JOIN LATERAL (
  SELECT r.seq, r.line FROM ${quoted(schema)}.records AS r WHERE r.ledger = l.name ORDER BY r.seq DESC LIMIT 1
) AS t ON true`;

/** The record in a line, which must have this number. */
export function recordAt(line: string, seq: number): Sealed | Failed {
  const place = { line: seq + 1, record: seq };
  const record = unseal(Buffer.from(line));
  if (record.kind === 'damaged') return failed({ code: 'damaged-record', ...place, ...record });
  return numberOf(record) === seq ? record : failed({ code: 'broken-chain', ...place });
}

/** The two ends of a ledger; failed where they do not agree with each other and with the head. */
export function endsOf(row: EndsRow): Ends | Failed {
  const seq = Number(row.seq);
  if (row.header === null || row.last === null) return failed({ code: 'empty-ledger', line: 1, record: 0 });
  const header = headerOf(Buffer.from(row.header), true);
  if (header.kind === 'failed') return header;
  const last = seq === 0 ? header : recordAt(row.last, seq);
  if (last.kind === 'failed') return last;
  const place = { line: seq + 1, record: seq };
  if (seq > 0 && last.fields.ledger !== header.hash) return failed({ code: 'foreign-record', ...place });
  if (Number(row.head_seq) !== seq || row.head_hash !== last.hash) {
    return failed({ code: 'wrong-head', ...place, stated: row.head_hash });
  }
  return { kind: 'ends', header, last, rest: { kind: 'none' } };
}

/**
 * The digits that a key is looked for by: it can be too long for an index, and have characters that the database has not. Its
 * JSON text tells also those apart that are no Unicode text.
 */
export const keyDigest = (key: unknown): string => createHash('sha256').update(JSON.stringify(key)).digest('hex');

/** A record with the columns that it is found by. */
export interface RecordRow {
  readonly ledger: string;
  readonly seq: number;
  readonly prev: string;
  readonly hash: string;
  readonly key: string | null;
  readonly launched: number | null;
  /** The mechanism that it closes. */
  readonly closed: number | null;
  readonly line: string;
}

const wholeOrNull = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null);

interface WithTotals {
  readonly totals?: { readonly launched?: unknown } | null;
  readonly origin?: { readonly totals?: { readonly launched?: unknown } | null } | null;
}

/** The row of a record, or of a header, whose line this is; the server looks whether it says the same (`CONSTRAINTS`). */
export function rowOf(ledger: string, { fields, hash }: Sealed, line: Buffer): RecordRow {
  const { event, key, mechanism, prev, totals, origin } = fields as Readonly<Record<string, unknown>> & WithTotals;
  return {
    ledger,
    seq: Number(fields.seq),
    prev: typeof prev === 'string' ? prev : '',
    hash,
    key: key == null ? null : keyDigest(key),
    launched: wholeOrNull(totals?.launched ?? origin?.totals?.launched),
    closed: event === 'close' ? wholeOrNull(mechanism) : null,
    line: line.toString(),
  };
}

const COLUMNS = {
  ledger: 'text',
  seq: 'bigint',
  prev: 'text',
  hash: 'text',
  key: 'text',
  launched: 'bigint',
  closed: 'bigint',
  line: 'text',
} as const satisfies Record<keyof RecordRow, string>;

const NAMES = Object.keys(COLUMNS) as (keyof RecordRow)[];

/** Inserts rows, whose columns are its values. */
export const insertRecords = (schema: string): string =>
  `INSERT INTO ${quoted(schema)}.records (${NAMES.join(', ')}) SELECT * FROM unnest(${NAMES.map(
    (name, i) => `$${i + 1}::${COLUMNS[name]}[]`,
  ).join(', ')})`;

/** The values of {@link insertRecords}. */
export const columnsOf = (rows: readonly RecordRow[]): unknown[] => NAMES.map((name) => rows.map((row) => row[name]));
