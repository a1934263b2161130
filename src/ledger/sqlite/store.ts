import { basename, resolve } from 'node:path';
import { impossibleIn } from '../journal/name.ts';
import { failed, type Failed } from '../records/fault.ts';
import type { Sealed } from '../records/line.ts';
import type { Header } from '../records/record.ts';
import type { Store } from '../journal/store.ts';
import { makeStore, reading, writing, type Access, type Change } from './access.ts';
import { ledgersOf, linesOf } from './batches.ts';
import { loadDriver, type Connection, type LoadDriver } from './driver.ts';
import { readEnds } from './ends.ts';
import { foldLedger } from './fold.ts';
import { makingFault } from './left.ts';
import { bear, confirm, hasRecord, keptOf, taken } from './keep.ts';
import { placeOf } from './place.ts';
import { deniedFault } from './sqlite-error.ts';
import { restore } from './restore.ts';
import { transact } from './transact.ts';

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

/** Names in the records of a database are those of its ledgers. */
const names: Pick<Store, 'reference' | 'resolve'> = {
  reference: (_, to) => to,
  resolve: (_, reference) => reference,
};

function create(access: Access, patience: number, name: string, header: Header): Promise<Sealed | Failed> {
  return writing(access, patience, (connection, { home, cut }): Change<Sealed> | Failed => {
    const value = makingFault(cut) ?? bear(connection, { name, header }, { store: names, home });
    if (value.kind === 'failed') return value;
    const kept = keptOf(name, value);
    const missing = confirm(connection, [kept]);
    return missing ?? { kind: 'change', value, isKept: (again) => hasRecord(again, kept) };
  });
}

/** Whether anything is there of a ledger, be it sound or not. */
const isThere = (connection: Connection, name: string): boolean =>
  connection
    .prepare('SELECT 1 FROM ledgers WHERE name = ? UNION ALL SELECT 1 FROM records WHERE ledger = ? LIMIT 1')
    .get(name, name) !== undefined;

/** Why no ledger of this name could be made; what can be read is looked at, and nothing is written. */
async function obstacle(access: Access, patience: number, name: string): Promise<Failed | null> {
  const found = await reading(access, patience, (connection, { cut }) => makingFault(cut) ?? taken(connection, name));
  if (found !== null) return found;
  const denied = deniedFault(access.path);
  return denied && failed(denied);
}

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
  const access: Access = { path: resolve(path), driver };
  const denied = (): Failed | null => objection?.(access.path) ?? null;
  const wrong = make ? denied() : null;
  if (wrong !== null) return wrong;
  const fault = make ? await makeStore(access, patience) : await reading(access, patience, () => null);
  if (fault !== null) return fault;
  const records: Store['records'] = async (name) =>
    impossibleIn([name]) ??
    (await reading(access, patience, (connection) =>
      isThere(connection, name) ? null : failed({ code: 'no-such-ledger' }),
    )) ??
    linesOf(access, patience, name);
  return {
    address: `sqlite:${path}`,
    home: (): Promise<string | Failed> => {
      const place = placeOf(access.path);
      return Promise.resolve(place.kind === 'failed' ? place : place.home);
    },
    ...names,
    transact: async (ledgers, propose, transactOptions) =>
      denied() ??
      impossibleIn(ledgers) ??
      (await transact(access, ledgers, { propose, store: names, options: transactOptions })),
    create: async (name, header) => denied() ?? (await create(access, patience, name, header)),
    restore: async (name, lines) => denied() ?? (await restore(access, patience, name, lines)),
    obstacle: async (name) => denied() ?? (await obstacle(access, patience, name)),
    ends: async (name) =>
      impossibleIn([name]) ??
      (await reading(access, patience, (connection, { cut }) => readEnds(connection, name, cut))),
    records,
    fold: async (name, fold) => foldLedger(access, patience, { name, lines: await records(name) }, fold),
    list: async () => (await reading(access, patience, () => null)) ?? ledgersOf(access, patience),
    close: () => Promise.resolve(),
  };
}
