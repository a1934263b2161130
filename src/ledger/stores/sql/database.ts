import { failed, type DamagedStore, type Failed, type Unnamed, Interrupted } from '../../fault.ts';
import { type Sealed, numberOf, unseal, LONGEST_RECORD, type RawLine } from '../../line.ts';
import type { Lookup, Listed } from '../../store.ts';
import { headerOf, type HeaderAndHead } from '../../chain.ts';

/** What statements cannot say in the same words to every database. */
export interface Dialect {
  /** The schema that the tables `ledgers` and `records` are in, as it stands before their names. */
  readonly schema: string;
  /** The number of a record `t` among all of the database, where it numbers them in the order in which they come. */
  readonly order: string;
  /** Gives a new ledger its name ($1) and id ($2), its head before any record; a row comes back unless the name is taken. */
  readonly claim: string;
  /** What stands in the column `key` for an idempotency key. */
  readonly keyOf: (key: unknown) => string;
}

/** A database that has not all records that it was left with: another copy was put over it. */
export interface Cut {
  /** The records that it had then: a ledger that ends in one of these may have lost others. */
  readonly records: number;
  /** The records that it was left with. */
  readonly before: number;
  /** Whether nobody has added to it since. */
  readonly isNew: boolean;
}

/** The fault of what rests on the records that are missing. */
export const cutFault = ({ records, before }: Cut): Failed =>
  failed({ code: 'cut-off', size: records, before, unit: 'records', ...(records >= before && { isOther: true }) });

/** A database has taken what was added to a ledger, and has it not. */
export const notKept = (ledger: string): Failed<DamagedStore> =>
  failed(
    {
      code: 'damaged-store',
      reason: 'the new record is missing: something in the database dropped it, such as a trigger',
    },
    ledger,
  );

/** The time that is left to wait for others, counted from when it is made. */
export class Patience {
  readonly seconds: number;
  readonly #end: number;

  constructor(seconds: number) {
    this.seconds = seconds;
    this.#end = performance.now() + 1000 * seconds;
  }

  /** Seconds that are left; never below 0. */
  get left(): number {
    return Math.max(0, this.#end - performance.now()) / 1000;
  }
}

/** A database as it is at one moment, or as a transaction leaves it so far. */
export interface View {
  readonly dialect: Dialect;
  readonly cut: Cut | null;
  /** The rows of a statement, whose values are numbered ($1). */
  ask<Row extends object>(text: string, values: readonly unknown[]): Promise<readonly Row[]>;
}

/** A record, and the ledger and number that it has there. */
export interface RecordRow {
  readonly ledger: string;
  readonly seq: number;
  readonly record: Sealed;
  /** Without its newline. */
  readonly line: Buffer;
}

/** A transaction in which nobody else can add to the ledgers that it was begun with. */
export interface Transaction extends View {
  /** The place of the database, see `Store.placeId`. */
  readonly placeId: string;
  /** The moment, by the clock of the database, after those who had the ledgers before. */
  readonly now: string;
  /** Adds records after the last ones of their ledgers, each of which becomes the head; a fault where one was not taken. */
  insert(rows: readonly RecordRow[]): Promise<Failed | null>;
}

/** What was done in a transaction that is to be kept. */
export interface Change<T> {
  readonly kind: 'change';
  readonly value: T;
  /** A record that is there if all of the transaction is; null where there is nothing to be kept. */
  readonly witness: RecordRow | null;
}

/** A database of ledgers, as its driver reaches it. */
export interface Database {
  readonly address: string;
  placeId(): Promise<string | Failed>;
  /** Reads all at one moment. */
  read<T>(question: (view: View) => Promise<T | Failed>): Promise<T | Failed>;
  /**
   * Does something in a transaction that is durable when this returns, or not done at all; perhaps more than once before, unless it
   * `isOnce`. `names`: the ledgers that nobody else can add to meanwhile. `seconds`: how long to wait for others; what the driver
   * thinks right by default.
   */
  change<T>(
    how: { readonly names: readonly string[]; readonly seconds?: number; readonly isOnce?: boolean },
    make: (transaction: Transaction) => Promise<Change<T> | Failed>,
  ): Promise<T | Failed>;
  /** Why nothing can be written, as far as that can be known without writing; null where nothing is in the way. */
  obstacle(): Failed | null;
  close(): Promise<void>;
}

/** Bytes of the longest name of a ledger in a database. */
const LONGEST_NAME = 1024;

const reasonAgainst = (name: string): string | null => {
  if (name === '') return 'it is empty';
  if (Buffer.byteLength(name) > LONGEST_NAME) return `it is longer than ${LONGEST_NAME} bytes`;
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  if (/[\0-\x1f\x7f]/.test(name)) return 'it has control characters';
  return Buffer.from(name).toString() === name ? null : 'it is not Unicode text';
};

/** Why no ledger of a database can have this name, which others read and type; null where one can. */
export function nameFault(name: string): Failed<Unnamed> | null {
  const reason = reasonAgainst(name);
  return reason === null ? null : failed({ code: 'bad-name', reason }, name);
}

const noSuchLedger = (ledger: string): Failed<Unnamed> => failed({ code: 'no-such-ledger' }, ledger);

/** The first of these names that no ledger of a database can have, as one that there is not; null where all can. */
export function impossibleIn(names: readonly string[]): Failed<Unnamed> | null {
  const impossible = names.find((name) => nameFault(name) !== null);
  return impossible === undefined ? null : noSuchLedger(impossible);
}

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

function endsIn(row: EndsRow, { cut }: Pick<View, 'cut'>): HeaderAndHead | Failed {
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
export async function readAllEnds(view: View, names: readonly string[]): Promise<readonly (HeaderAndHead | Failed)[]> {
  if (names.length === 0) return [];
  const rows = await view.ask<EndsRow>(selectEnds(view.dialect, names.length), names);
  const rowsByName = new Map(rows.map((row) => [row.name, row]));
  return names.map((name) => {
    const ends = endsIn(rowsByName.get(name)!, view);
    return ends.kind === 'failed' ? { ...ends, ledger: name } : ends;
  });
}

export const readEnds = async (view: View, name: string): Promise<HeaderAndHead | Failed> =>
  (await readAllEnds(view, [name]))[0]!;

/** Looks for a record of a ledger; null where there is none. */
export async function search(view: View, name: string, sought: Lookup): Promise<Sealed | null | Failed> {
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

/** Lines, and bytes, after which a batch ends; and ledgers, each of which has two lines of up to some megabytes. */
const MOST_LINES = 1000;
const MOST_BYTES = LONGEST_RECORD;
const MOST_LEDGERS = 100;

/** Batches, each of which is asked for with the one before it, up to the first that is empty; failed where the first is. */
async function following<T>(
  next: (last: T | null) => Promise<readonly T[] | Failed>,
): Promise<AsyncIterable<readonly T[]> | Failed> {
  const first = await next(null);
  if ('kind' in first) return first;
  return (async function* () {
    for (let batch = first; batch.length > 0;) {
      yield batch;
      const nextBatch = await next(batch.at(-1)!);
      if ('kind' in nextBatch) throw new Interrupted(nextBatch);
      batch = nextBatch;
    }
  })();
}

interface Start {
  readonly seq: number;
  readonly offset: number;
}

const BEGINNING: Start = { seq: -1, offset: 0 };

/** The next lines of a ledger; none where there are no more, and the last is the one that the ledger has to end in. */
async function linesAfter(view: View, name: string, { seq, offset }: Start): Promise<readonly RawLine[] | Failed> {
  const records = `${view.dialect.schema}.records`;
  const text = `
    SELECT seq, line FROM ${records} WHERE ledger = $1 AND seq > $2 AND seq <= (
      SELECT max(seq) FROM (
        SELECT seq, sum(bytes) OVER (ORDER BY seq) - bytes AS before FROM (
          SELECT seq, octet_length(line) AS bytes FROM ${records}
          WHERE ledger = $1 AND seq > $2 ORDER BY seq LIMIT ${MOST_LINES}
        ) AS next
      ) AS counted
      WHERE before < ${MOST_BYTES}
    ) ORDER BY seq`;
  const rows = await view.ask<{ readonly seq: number | string; readonly line: string }>(text, [name, seq]);
  if (rows.length === 0) {
    // What is wrong inside of lines is seen by who reads them, but not whether they are all.
    const ends = await readEnds(view, name);
    const isShort = ends.kind === 'failed' && ['no-such-ledger', 'wrong-head', 'cut-off'].includes(ends.fault.code);
    return isShort ? ends : [];
  }
  let at = offset;
  return rows.map((row): RawLine => {
    const bytes = Buffer.from(row.line);
    const line = { number: Number(row.seq) + 1, offset: at, bytes, ended: true, tooLong: false };
    at += bytes.length + 1;
    return line;
  });
}

/** The lines of a ledger, by default all, and those that are added meanwhile: others can write between two batches. */
export const linesOf = (database: Database, name: string, start = BEGINNING): ReturnType<typeof following<RawLine>> =>
  following((last) => {
    const from = last === null ? start : { seq: last.number - 1, offset: last.offset + last.bytes.length + 1 };
    return database.read((view) => linesAfter(view, name, from));
  });

/** All ledgers by their names in order, with what is wrong where one is not sound. */
export const ledgersOf = (database: Database): ReturnType<typeof following<Listed>> =>
  following((last) =>
    database.read<readonly Listed[]>(async (view) => {
      const text = `SELECT name FROM ${view.dialect.schema}.ledgers WHERE name > $1 ORDER BY name LIMIT ${MOST_LEDGERS}`;
      const rows = await view.ask<{ readonly name: string }>(text, [last?.name ?? '']);
      const names = rows.map(({ name }) => name);
      const ends = await readAllEnds(view, names);
      return names.map((name, i) => ({ name, ends: ends[i]! }));
    }),
  );
