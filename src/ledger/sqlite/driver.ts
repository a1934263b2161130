import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';
import { failed, type Failed, type Fault } from '../records/fault.ts';
import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { readFault as fileReadFault, writeFault as fileWriteFault } from '../file/system-error.ts';

/** From this version on the package needs this Node-API, and ends the process where it is called with an older one. */
const NEWER = { version: 13, napi: 10 };

/** The version of the package that is installed; null if none can be found. */
function installedVersion(): string | null {
  try {
    // A bundle has a function of its own that finds packages.
    const find = typeof require === 'function' ? require : createRequire(import.meta.url);
    return (find('better-sqlite3/package.json') as { readonly version: string }).version;
  } catch {
    return null;
  }
}

/** An open database. Errors of SQLite are thrown, with a `code` such as `SQLITE_BUSY`. */
export type Connection = Database.Database;

/** Opens a database. */
export type Driver = typeof Database;

/** How the package is found. */
export type LoadDriver = () => Promise<{ readonly default: Driver }>;

const byImport: LoadDriver = () => import('better-sqlite3');

/** The driver, if its package is installed and runs here; who keeps no ledgers in SQLite need not have it. */
export async function loadDriver(
  load: LoadDriver = byImport,
  { version = installedVersion(), napi = Number(process.versions.napi) } = {},
): Promise<Driver | Failed> {
  const isOld = napi < NEWER.napi;
  const noDriver = (reason: string): Failed =>
    failed({ code: 'no-driver', package: isOld ? `better-sqlite3@${NEWER.version - 1}` : 'better-sqlite3', reason });
  if (isOld && version !== null && Number.parseInt(version) >= NEWER.version) {
    return noDriver(`version ${version} is installed, which needs Node-API ${NEWER.napi}: this node has ${napi}`);
  }
  try {
    const { default: Driver } = await load();
    // Its native part is looked for only now.
    new Driver(':memory:').close();
    return Driver;
  } catch (error) {
    return noDriver(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
}

/** The code of an error of SQLite, such as `SQLITE_IOERR_FSYNC`; empty for other errors. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return '';
  return error.code.startsWith('SQLITE_') ? error.code : '';
}

const isOf = (error: unknown, family: string): boolean =>
  codeOf(error) === family || codeOf(error).startsWith(`${family}_`);

/** Whether somebody else has the lock, so that the same may go well a moment later. */
export const isBusy = (error: unknown): boolean => isOf(error, 'SQLITE_BUSY') || isOf(error, 'SQLITE_LOCKED');

/** The words of SQLite, with its code. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? [error.message, codeOf(error)].filter((text) => text !== '').join(', ') : String(error);

/** The fault of a file that is no database, or a broken one, whatever was to be done with it. */
function formFault(error: unknown): Fault | null {
  if (isOf(error, 'SQLITE_NOTADB')) return { code: 'not-a-store', reason: reasonOf(error) };
  const isDamaged = ['SQLITE_CORRUPT', 'SQLITE_ERROR', 'SQLITE_SCHEMA'].some((family) => isOf(error, family));
  return isDamaged ? { code: 'damaged-store', reason: reasonOf(error) } : null;
}

/** Why a database could not be read. */
export function readFault(error: unknown): Fault {
  if (codeOf(error) === '') return fileReadFault(error);
  // A reader takes back what a writer that was killed had begun, and here it may not.
  if (isOf(error, 'SQLITE_READONLY')) {
    return { code: 'unreadable', reason: 'an interrupted transaction has to be taken back by who may write' };
  }
  return formFault(error) ?? { code: 'unreadable', reason: reasonOf(error) };
}

/** Why SQLite was not let write, by the file and its folder, in which it keeps its journal; null where they do not say. */
export function deniedFault(path: string): Fault | null {
  try {
    for (const each of [dirname(path), path]) accessSync(each, constants.W_OK);
    return null;
  } catch (error) {
    return fileWriteFault(error);
  }
}

/** Why a database could not be written. */
export function writeFault(error: unknown, path: string): Fault {
  if (codeOf(error) === '') return fileWriteFault(error);
  if (codeOf(error) === 'SQLITE_READONLY_DBMOVED') return { code: 'replaced' };
  // A trigger that somebody has made; all else would be a defect of this program.
  if (codeOf(error) === 'SQLITE_CONSTRAINT_TRIGGER') return { code: 'write-failed', reason: reasonOf(error) };
  if (isOf(error, 'SQLITE_CONSTRAINT')) throw error;
  if (isOf(error, 'SQLITE_FULL')) return { code: 'no-space' };
  if (isOf(error, 'SQLITE_READONLY')) return deniedFault(path) ?? { code: 'read-only' };
  const denied = isOf(error, 'SQLITE_CANTOPEN') ? deniedFault(path) : null;
  return denied ?? formFault(error) ?? { code: 'write-failed', reason: reasonOf(error) };
}
