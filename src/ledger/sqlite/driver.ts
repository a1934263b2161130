import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';
import { failed, type Failed } from '../records/fault.ts';

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
