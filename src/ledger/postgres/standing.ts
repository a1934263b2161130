import { failed, type Failed } from '../records/fault.ts';
import { quoted, SCHEMA_VERSION, SEARCH_PATH, TABLES } from './schema.ts';
import { failureOf, type Asking, type Failure } from './server-fault.ts';
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

/** Reads as all is at one moment; afterwards the connection can be used again, if it is not lost. */
export async function reading<T>(session: Session, read: () => Promise<T>): Promise<T> {
  try {
    await session.ask(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${selectSettings()}`);
    return await read();
  } finally {
    await session.rollBack();
  }
}

/** A store as it stands at a moment: its place, see `Store.home`, and the moment by the clock of the server. */
export interface Standing {
  readonly home: string;
  readonly now: string;
}

/** Why tables of this version are not used; null where they are. */
function versionFault(version: number | null): Failed | null {
  if (version === null) return failed({ code: 'damaged-store', reason: 'the table meta is empty' });
  if (version === SCHEMA_VERSION) return null;
  return failed({ code: 'other-schema', found: String(version), needed: String(SCHEMA_VERSION) });
}

/**
 * How the store stands, asked anew in each transaction: under an open connection its tables may be made again or brought from
 * elsewhere. Failed where they are of another version.
 */
export async function standing(session: Session, schema: string): Promise<Standing | Failed> {
  const { rows } = await session.ask<Standing & { readonly version: number | null }>(
    `SELECT (SELECT version FROM ${quoted(schema)}.meta) AS version, ${quoted(schema)}.home() AS home,
    to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS now`,
  );
  const { version, home, now } = rows[0]!;
  return versionFault(version) ?? { home, now };
}

/** What is in a schema of the names of a store's tables. */
export interface Presence {
  /** Whether there is a schema of this name. */
  readonly hasSchema: boolean;
  readonly tables: readonly string[];
  /** Whether the table `meta` is that of a store. */
  readonly hasMeta: boolean;
}

/** The columns that tell the table `meta` of a store from another of this name. */
const META = ['one', 'version', 'id'];

/** Looks at what is there, without a right to any of it. */
export async function presence(session: Session, schema: string): Promise<Presence> {
  const { rows } = await session.ask<{ readonly name: string | null; readonly columns: readonly string[] }>(
    `SELECT c.relname AS name, ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0) AS columns
    FROM pg_namespace AS n LEFT JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relname = ANY ($2::text[])
    WHERE n.nspname = $1`,
    [schema, TABLES],
  );
  const meta = rows.find(({ name }) => name === 'meta');
  return {
    hasSchema: rows.length > 0,
    tables: TABLES.filter((table) => rows.some(({ name }) => name === table)),
    hasMeta: META.every((column) => meta?.columns.includes(column) === true),
  };
}

/** Why this is no whole store; null where it has all tables. */
export function presenceFault({ tables, hasMeta }: Presence, schema: string): Failed | null {
  if (tables.length === 0) return failed({ code: 'no-store' });
  if (!hasMeta) {
    const there = `the schema ${quoted(schema)} has ${tables.length === 1 ? 'a table' : 'tables'} ${tables.join(', ')}`;
    return failed({ code: 'not-a-store', reason: `${there} of something else, or left over from a store` });
  }
  const missing = TABLES.find((table) => !tables.includes(table));
  return missing === undefined ? null : failed({ code: 'damaged-store', reason: `the table ${missing} is not there` });
}

async function partFault(session: Session, schema: string): Promise<Failed | null> {
  const fault = presenceFault(await presence(session, schema), schema);
  if (fault !== null) return fault;
  const { rows } = await session.ask<{ readonly version: number }>(`SELECT version FROM ${quoted(schema)}.meta`);
  return versionFault(rows[0]?.version ?? null);
}

/**
 * Why the server did not do what it was asked outside of a transaction; where something of the store was not found, with a look at
 * what there is of it.
 */
export async function explained(session: Session, schema: string, error: unknown, asking: Asking): Promise<Failure> {
  const failure = failureOf(error, asking);
  if (failure.fault.code !== 'no-store') return failure;
  try {
    const wrong = await reading(session, () => partFault(session, schema));
    const reason = error instanceof Error ? error.message : '';
    return { ...failure, fault: wrong?.fault ?? { code: 'damaged-store', reason } };
  } catch (again) {
    return failureOf(again, asking);
  }
}
