import { SEARCH_PATH } from './functions.ts';
import type { Session } from './session.ts';

/**
 * Settings of a transaction by which names and operators are those of the server itself, whatever somebody has put into other
 * schemas, by which it prints what it has in one way, and by which it fails where it would hide rows from who asks.
 */
const PLAIN = { search_path: SEARCH_PATH, quote_all_identifiers: 'off', row_security: 'off' } as const;

/** Selects so that settings are the {@link PLAIN} ones, and these, up to the end of the transaction. */
export const selectSettings = (more: Readonly<Record<string, string>> = {}): string =>
  `SELECT ${Object.entries({ ...PLAIN, ...more })
    .map(([name, value]) => `pg_catalog.set_config('${name}', '${value}', true)`)
    .join(', ')}`;

/** Reads in a transaction of its own; afterwards the connection can be used again, if it is not lost. */
export async function reading<T>(session: Session, read: () => Promise<T>): Promise<T> {
  try {
    await session.ask(`BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; ${selectSettings()}`);
    return await read();
  } finally {
    await session.rollBack();
  }
}
