import { hash } from 'node:crypto';
import { readCheckpoint, writeCheckpoint } from '../file/checkpoint.ts';
import { isSettled, momentOf } from '../file/stamp.ts';
import { foldLines, Folding } from '../journal/fold.ts';
import type { Fold, Folded } from '../journal/folded.ts';
import { headerOf } from '../records/ends.ts';
import type { Failed } from '../records/fault.ts';
import { numberOf, placedIfSealed, unseal, type Sealed } from '../records/line.ts';
import type { RawLine } from '../records/raw-line.ts';
import { linesOf } from '../sql/batches.ts';
import type { Database } from '../sql/database.ts';
import { reading, type Access } from './database.ts';
import type { Connection } from './driver.ts';

/** Ledgers of fewer records are summed up anew each time, in a few milliseconds. */
const FEW = 1000;

/** Where the sum of one ledger is kept beside a database. */
const besideOf = (path: string, name: string): string => `${path}.${hash('sha256', name).slice(0, 16)}`;

/** A sum that was kept, with the records that it goes on from. */
interface Resumed<T> {
  readonly folding: Folding<T>;
  readonly header: Sealed;
  readonly last: Sealed;
  /** Whether the database is as it was then. */
  readonly isSame: boolean;
}

/** The moment of the file of a database inside a transaction; null where others keep what they write in another file beside it. */
const momentIn = (connection: Connection, path: string): string | null =>
  connection.pragma('journal_mode', { simple: true }) === 'delete' ? momentOf(path) : null;

function resumed<T>(
  connection: Connection,
  { path, name }: { readonly path: string; readonly name: string },
  { fold, moment }: { readonly fold: Fold<T>; readonly moment: string | null },
): Resumed<T> | null {
  const checkpoint = readCheckpoint(besideOf(path, name), fold.name);
  if (checkpoint === null) return null;
  const [header, last] = [0, checkpoint.end].map((seq) => {
    const [row] = connection.prepare('SELECT line FROM records WHERE ledger = ? AND seq = ?').all(name, seq);
    const line = Buffer.from((row as { readonly line: string } | undefined)?.line ?? '');
    return seq === 0 ? headerOf(line, true) : unseal(line);
  });
  if (header?.kind !== 'record' || last?.kind !== 'record' || last.hash !== checkpoint.hash) return null;
  const folding = new Folding(fold);
  if (!folding.resume(header, last, checkpoint.sum)) return null;
  return { folding, header, last, isSame: moment !== null && moment === checkpoint.moment };
}

/** What became of the records that a sum was made of. */
interface Past {
  isChanged: boolean;
}

/**
 * The lines after the record that a sum goes on from, if each line up to it is sealed and follows the one before: its hash then says
 * that they are those of which the sum was made.
 */
async function* linesAfter(
  lines: AsyncIterable<readonly RawLine[]>,
  { header, last }: Resumed<unknown>,
  past: Past,
): AsyncGenerator<readonly RawLine[]> {
  let before = header;
  for await (const batch of lines) {
    const next = batch.findIndex(({ number }) => number > numberOf(last) + 1);
    for (const { number, bytes } of next < 0 ? batch : batch.slice(0, next)) {
      if (number === 1) continue;
      const found = placedIfSealed(bytes);
      past.isChanged = found?.fields.prev !== before.hash;
      if (found === null || past.isChanged) return;
      before = found;
    }
    if (next >= 0) yield batch.slice(next);
  }
  past.isChanged = before.hash !== last.hash;
}

/**
 * Sums up the records of a ledger. Of a large one the sum is kept beside the database, with the hash of the last record. It is gone on
 * from where the database is as it was then, or where all records up to that one still are, by their hashes.
 */
export async function foldLedger<T>(
  access: Access,
  database: Database,
  name: string,
  fold: Fold<T>,
): Promise<Folded<T> | Failed> {
  const begun = await reading(access, (connection, { path }) => {
    const moment = momentIn(connection, path);
    return { path, moment, known: resumed(connection, { path, name }, { fold, moment }) };
  });
  if ('kind' in begun) return begun;
  const { path, moment, known } = begun;
  const keeping = (folding: Folding<T>, folded: Folded<T> | Failed): Folded<T> | Failed => {
    const written = folded.kind === 'folded' ? folding.written() : null;
    const isStill = moment !== null && momentOf(path) === moment && isSettled(path);
    if (written === null || numberOf(written.last) < FEW) return folded;
    if (known?.isSame === true && numberOf(written.last) < numberOf(known.last) + FEW) return folded;
    const { last, sum } = written;
    const facts = { fold: fold.name, hash: last.hash, end: numberOf(last), moment: isStill ? moment : '', sum };
    writeCheckpoint(besideOf(path, name), facts);
    return folded;
  };
  if (known !== null) {
    const { folding, header, last, isSame } = known;
    const past: Past = { isChanged: false };
    const end = numberOf(last);
    const lines = await linesOf(database, name, isSame ? { seq: end, offset: 0 } : undefined);
    if ('kind' in lines) return lines;
    const rest = isSame ? lines : linesAfter(lines, known, past);
    const folded = await foldLines(rest, folding, { header, last, line: end + 1 });
    if (!past.isChanged) return keeping(folding, folded);
  }
  const folding = new Folding(fold);
  return keeping(folding, await foldLines(await linesOf(database, name), folding));
}
