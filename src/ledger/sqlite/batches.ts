import { Interrupted, type Failed } from '../records/fault.ts';
import type { RawLine } from '../records/raw-line.ts';
import type { Listed } from '../journal/store.ts';
import { reading, type Access } from './access.ts';
import { readEnds } from './ends.ts';

/** The most lines and characters that are read at a time: nobody can write meanwhile. */
const MOST_LINES = 1000;
const MOST_CHARACTERS = 8 * 1024 * 1024;
const MOST_LEDGERS = 200;

const valueOr = <T extends object>(result: T | Failed): T => {
  if ('fault' in result) throw new Interrupted(result);
  return result;
};

interface Row {
  readonly seq: number;
  readonly line: string;
}

/** The lines of a ledger after one, as many as are read at a time; and whether there are more. */
function linesAfter(access: Access, patience: number, name: string, seq: number) {
  return reading(
    access,
    patience,
    (connection, { cut }): { readonly rows: readonly Row[]; readonly isEnd: boolean } | Failed => {
      const rows: Row[] = [];
      let characters = 0;
      const all = connection.prepare('SELECT seq, line FROM records WHERE ledger = ? AND seq > ? ORDER BY seq');
      for (const row of all.iterate(name, seq) as IterableIterator<Row>) {
        rows.push(row);
        characters += row.line.length;
        if (rows.length === MOST_LINES || characters > MOST_CHARACTERS) return { rows, isEnd: false };
      }
      // What is wrong inside of lines is seen by who reads them, but not whether they are all.
      const ends = readEnds(connection, name, cut);
      const isShort = ends.kind === 'failed' && ['wrong-head', 'cut-off'].includes(ends.fault.code);
      return isShort ? ends : { rows, isEnd: true };
    },
  );
}

/** The lines of a ledger after the record of a number, by default all, and those that are added meanwhile. */
export async function* linesOf(
  access: Access,
  patience: number,
  name: string,
  after = -1,
): AsyncGenerator<readonly RawLine[]> {
  let [last, offset] = [after, 0];
  for (let isEnd = false; !isEnd;) {
    const batch = valueOr(await linesAfter(access, patience, name, last));
    const lines: RawLine[] = [];
    for (const { seq, line } of batch.rows) {
      const bytes = Buffer.from(line);
      lines.push({ number: seq + 1, offset, bytes, ended: true, tooLong: false });
      offset += bytes.length + 1;
      last = seq;
    }
    if (lines.length > 0) yield lines;
    ({ isEnd } = batch);
  }
}

/** The ledgers after one by their names, as many as are read at a time; those with which something is wrong as faults. */
function ledgersAfter(access: Access, patience: number, name: string | null) {
  return reading(access, patience, (connection, { cut }) => {
    const rows = connection.prepare('SELECT name FROM ledgers WHERE ? IS NULL OR name > ? ORDER BY name LIMIT ?');
    const names = [...rows.iterate(name, name, MOST_LEDGERS)].map((row) => (row as { readonly name: string }).name);
    return { ledgers: names.map((each) => ({ name: each, ends: readEnds(connection, each, cut) })) };
  });
}

/** All ledgers by their names in order, with what is wrong where one is not sound. */
export async function* ledgersOf(access: Access, patience: number): AsyncGenerator<readonly Listed[]> {
  let last: string | null = null;
  do {
    const batch: readonly Listed[] = valueOr(await ledgersAfter(access, patience, last)).ledgers;
    if (batch.length > 0) yield batch;
    last = batch.length < MOST_LEDGERS ? null : batch.at(-1)!.name;
  } while (last !== null);
}
