import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../../../src/ledger/store.ts';
import { openSqlite, type SqliteOptions } from '../../../../src/ledger/stores/sqlite/store.ts';
import { sound } from '../../store-contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'dpcompose-sqlite-'));
// Somebody else is to come in.
chmodSync(folder, 0o755);
// Test files share this module, so that it outlives each of them.
process.on('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});

let made = 0;

/** A path in a folder of its own that goes away with the tests. */
export function newPath(): string {
  const own = mkdtempSync(join(folder, `${made++}-`));
  chmodSync(own, 0o755);
  return join(own, 'ledgers.db');
}

export const opened = async (path: string, options: SqliteOptions = {}): Promise<Store> =>
  sound(await openSqlite(path, options));

/** A copy of a database, made as people copy files. */
export function copyOf(path: string): string {
  const copy = newPath();
  copyFileSync(path, copy);
  return copy;
}
