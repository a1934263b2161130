import { createHash } from 'node:crypto';
import type { RecordRow } from '../sql/database.ts';
import { quoted } from './schema.ts';

/** Gives a new ledger its name ($1) and id ($2); waits for who does the same, and gives nothing where it is taken. */
export const claiming = (schema: string): string =>
  `INSERT INTO ${quoted(schema)}.ledgers (name, id) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING RETURNING name`;

/**
 * The digits that a key is looked for by: it can be too long for an index, and have characters that the database has not. Its
 * JSON text tells also those apart that are no Unicode text.
 */
export const keyDigest = (key: unknown): string => createHash('sha256').update(JSON.stringify(key)).digest('hex');

const wholeOrNull = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null);

interface WithTotals {
  readonly totals?: { readonly launched?: unknown } | null;
  readonly origin?: { readonly totals?: { readonly launched?: unknown } | null } | null;
}

/** The columns of a record; the server looks whether its line says the same (`records_key_told` and the others). */
export function columnsOf({ ledger, seq, record: { fields, hash }, line }: RecordRow) {
  const { event, key, mechanism, prev, totals, origin } = fields as Readonly<Record<string, unknown>> & WithTotals;
  return {
    ledger,
    seq,
    prev: typeof prev === 'string' ? prev : '',
    hash,
    key: key == null ? null : keyDigest(key),
    launched: wholeOrNull(totals?.launched ?? origin?.totals?.launched),
    /** The mechanism that it closes. */
    closed: event === 'close' ? wholeOrNull(mechanism) : null,
    line: line.toString(),
  };
}

const TYPES = {
  ...{ ledger: 'text', seq: 'bigint', prev: 'text', hash: 'text' },
  ...{ key: 'text', launched: 'bigint', closed: 'bigint', line: 'text' },
} as const satisfies Record<keyof ReturnType<typeof columnsOf>, string>;

const NAMES = Object.keys(TYPES) as (keyof typeof TYPES)[];

/** Inserts records by one statement, and its values: the head of a ledger moves once for all that one statement inserts. */
export function insertion(schema: string, records: readonly RecordRow[]): readonly [text: string, values: unknown[]] {
  const rows = records.map(columnsOf);
  const columns = NAMES.map((name, i) => `$${i + 1}::${TYPES[name]}[]`);
  const text = `INSERT INTO ${quoted(schema)}.records (${NAMES.join(', ')}) SELECT * FROM unnest(${columns.join(', ')})`;
  return [text, NAMES.map((name) => rows.map((row) => row[name]))];
}
