import { hash } from 'node:crypto';
import { readCheckpoint, writeCheckpoint } from '../file/checkpoint.ts';
import { isSettled, fileFingerprint } from '../file/fingerprint.ts';
import { foldLines, Folding } from '../../history.ts';
import type { Fold, Folded, Store } from '../../store.ts';
import { headerOf } from '../../chain.ts';
import { type Failed, failed } from '../../fault.ts';
import { numberOf, placedIfSealed, unseal, type Sealed, type RawLine } from '../../line.ts';
import { linesOf, type Database } from '../sql/database.ts';
import { reading, type Access, makeStore, sqliteDatabase } from './database.ts';
import { type Connection, loadDriver, type LoadDriver, unchangedSince } from './driver.ts';
import { basename, resolve } from 'node:path';
import { sqlStore } from '../sql/store.ts';

/** Ledgers of fewer records are summed up anew each time, in a few milliseconds. */
const FEW = 1000;

const besideOf = (path: string, name: string): string => `${path}.${hash('sha256', name).slice(0, 16)}`;

interface Resumed<T> {
  readonly folding: Folding<T>;
  readonly header: Sealed;
  readonly last: Sealed;
  /** Whether the database is as it was then. */
  readonly isSame: boolean;
}

/** The moment of the file of a database, or since when only this program changes it. */
function stateOf(path: string): string {
  const since = unchangedSince({ path });
  return since === null ? fileFingerprint(path) : `since ${since}`;
}

/** The same inside a transaction; null where others keep what they write in another file beside it. */
const stateIn = (connection: Connection, path: string): string | null =>
  connection.pragma('journal_mode', { simple: true }) === 'delete' ? stateOf(path) : null;

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
      const record = placedIfSealed(bytes);
      past.isChanged = record?.fields.prev !== before.hash;
      if (record === null || past.isChanged) return;
      before = record;
    }
    if (next >= 0) yield batch.slice(next);
  }
  past.isChanged = before.hash !== last.hash;
}

/**
 * Sums up the records of a ledger. Of a large one the sum is kept beside the database, with the hash of the last record. It is gone on
 * from where the database is as it was then, or only this program has changed it since, or where all records up to that one still
 * are, by their hashes.
 */
async function foldLedger<T>(
  access: Access,
  database: Database,
  name: string,
  fold: Fold<T>,
): Promise<Folded<T> | Failed> {
  const begun = await reading(access, (connection, { path }) => {
    const moment = stateIn(connection, path);
    return { path, moment, known: resumed(connection, { path, name }, { fold, moment }) };
  });
  if ('kind' in begun) return begun;
  const { path, moment, known } = begun;
  const keeping = (folding: Folding<T>, folded: Folded<T> | Failed): Folded<T> | Failed => {
    const checkpoint = folded.kind === 'folded' ? folding.checkpoint() : null;
    const isStill = moment !== null && stateOf(path) === moment && (moment.startsWith('since') || isSettled(path));
    if (checkpoint === null || numberOf(checkpoint.last) < FEW) return folded;
    if (known?.isSame === true && numberOf(checkpoint.last) < numberOf(known.last) + FEW) return folded;
    const { last, sum } = checkpoint;
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

/** How a database is opened. */
export interface SqliteOptions {
  /** Whether to make the store where there is none. */
  readonly make?: boolean;
  /** Seconds to wait for others where a call does not say it itself: where it only reads, or makes a ledger. */
  readonly patience?: number;
  /** Why nothing is written to this file, such as for the file system that it is on; looked at before every write. */
  readonly objection?: (path: string) => Failed | null;
  /** Loads the package `better-sqlite3`. */
  readonly load?: LoadDriver;
}

const PATIENCE = 10;

/**
 * A store whose ledgers are in one database of SQLite, a file. What does not write needs no right to.
 *
 * @param path - The file, which has to be a store already unless it is to be made.
 */
export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<Store | Failed> {
  const { make = false, patience = PATIENCE, objection, load } = options;
  if (basename(path) !== basename(path).trim()) {
    return failed({ code: 'bad-address', problem: 'outer-space', option: null });
  }
  const driver = await loadDriver(load);
  if (typeof driver !== 'function') return driver;
  const file = resolve(path);
  const access: Access = { path: file, driver, patience, objection: () => objection?.(file) ?? null };
  const fault = make ? await makeStore(access) : await reading(access, () => null);
  if (fault !== null) return fault;
  const database = {
    ...sqliteDatabase(access),
    address: `sqlite:${path}`,
    close: () => Promise.resolve(),
  };
  return { ...sqlStore(database), fold: (name, fold) => foldLedger(access, database, name, fold) };
}
