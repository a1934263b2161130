import type { Listed } from '../journal/store.ts';
import { Interrupted, type Failed } from '../records/fault.ts';
import { LONGEST_RECORD, type RawLine } from '../records/raw-line.ts';
import type { Database, View } from './database.ts';
import { readAllEnds, readEnds } from './ends.ts';

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
      const found = await next(batch.at(-1)!);
      if ('kind' in found) throw new Interrupted(found);
      batch = found;
    }
  })();
}

/** A record of a ledger, and the place of the line after it. */
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
