import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { headerOf } from '../../chain.ts';
import type { Failed } from '../../fault.ts';
import { foldLines, Folding } from '../../history.ts';
import { numberOf, unseal, type Sealed } from '../../line.ts';
import type { Fold, Folded } from '../../store.ts';
import { readCheckpoint, writeCheckpoint, type Checkpoint } from '../file/checkpoint.ts';
import { linesOf, type Database, type View } from '../sql/database.ts';
import type { Environment } from './address.ts';
import { unbrokenRecords } from './schema.ts';

/** Ledgers of fewer records are summed up anew each time. */
const FEW = 1000;

/** The folder of what a user's programs can make again; null where none is named. */
function cacheFolder({ XDG_CACHE_HOME, HOME, LOCALAPPDATA }: Environment): string | null {
  const base = XDG_CACHE_HOME ?? LOCALAPPDATA ?? (HOME && join(HOME, '.cache'));
  return base ? join(base, 'dpcompose') : null;
}

interface Beginning<T> {
  readonly folding: Folding<T>;
  readonly header: Sealed;
  readonly last: Sealed;
}

/** After the record of a checkpoint; null where that is not there, or not all records up to it are sealed and follow each other. */
async function resumed<T>(
  view: View,
  name: string,
  fold: Fold<T>,
  { end, hash: endHash, sum }: Checkpoint,
): Promise<Beginning<T> | null> {
  const text = `SELECT line FROM ${view.dialect.schema}.records WHERE ledger = $1 AND seq IN (0, $2) ORDER BY seq`;
  const [first, last] = await view.ask<{ readonly line: string }>(text, [name, end]);
  const header = headerOf(Buffer.from(first?.line ?? ''), true);
  const record = unseal(Buffer.from(last?.line ?? ''));
  if (header.kind !== 'record' || record.kind !== 'record' || record.hash !== endHash) return null;
  const [unbroken] = await view.ask<{ readonly count: number | string }>(unbrokenRecords(view.dialect.schema), [
    name,
    end,
  ]);
  const folding = new Folding(fold);
  if (Number(unbroken?.count) !== end + 1 || !folding.resume(header, record, sum)) return null;
  return { folding, header, last: record };
}

/**
 * Sums up the records of a ledger. Of a large one the sum is kept in the user's cache, with the hash of the last record; it is gone on from
 * where the server finds all records up to that one to be sealed, one after the other: its hash then says what they are.
 */
export async function foldLedger<T>(
  database: Database,
  name: string,
  fold: Fold<T>,
  env: Environment,
): Promise<Folded<T> | Failed> {
  const folder = cacheFolder(env);
  const placeId = folder === null ? null : await database.placeId();
  if (placeId !== null && typeof placeId !== 'string') return placeId;
  const path = folder === null ? null : join(folder, hash('sha256', `${placeId} ${name}`).slice(0, 32));
  const checkpoint = path === null ? null : readCheckpoint(path, fold.name);
  const beginning = checkpoint && (await database.read((view) => resumed(view, name, fold, checkpoint)));
  if (beginning !== null && 'kind' in beginning) return beginning;
  const end = beginning ? numberOf(beginning.last) : 0;
  const lines = await linesOf(database, name, beginning ? { seq: end, offset: 0 } : undefined);
  const folding = beginning?.folding ?? new Folding(fold);
  const after = beginning && { header: beginning.header, last: beginning.last, line: end + 1 };
  const folded = await foldLines(lines, folding, after ?? undefined);
  const reached = folded.kind === 'folded' ? folding.checkpoint() : null;
  if (path !== null && reached !== null && numberOf(reached.last) >= end + FEW) {
    try {
      mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    } catch {
      // The next time is as slow.
    }
    const { last, sum } = reached;
    writeCheckpoint(path, { fold: fold.name, hash: last.hash, end: numberOf(last), moment: '', sum });
  }
  return folded;
}
