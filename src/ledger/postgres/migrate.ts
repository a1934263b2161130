import { failed, type Failed } from '../records/fault.ts';
import { parseAddress } from './address.ts';
import { connectTo, type ConnectOptions } from './connections.ts';
import { quoted, SCHEMA_VERSION, tables } from './schema.ts';
import { failureOf } from './server-fault.ts';
import type { Session } from './session.ts';

/** The tables of a store were made, or were there already, as this program needs them. */
export interface Initialized {
  readonly kind: 'initialized';
  readonly made: boolean;
  /** The address of the store, without anything secret. */
  readonly address: string;
}

/** Whoever makes or changes the tables of a store has this lock of the database. */
const ADVISORY_LOCK = 0x64_70_63_6f;

const NEWEST_UNSUPPORTED = 12;

interface Found {
  readonly major: number;
  readonly encoding: string;
  readonly has_schema: boolean;
  readonly has_tables: boolean;
}

const wrong = (reason: string): Failed => failed({ code: 'not-a-store', reason });

/** Makes the tables in a transaction; true where they were not there. */
async function migrate(session: Session, schema: string): Promise<boolean | Failed> {
  await session.ask(`BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`);
  const { rows } = await session.ask<Found>(
    `SELECT current_setting('server_version_num')::int / 10000 AS major, current_setting('server_encoding') AS encoding,
      EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AS has_schema,
      EXISTS (SELECT FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relname = 'meta') AS has_tables`,
    [schema],
  );
  const found = rows[0]!;
  if (found.major <= NEWEST_UNSUPPORTED) return wrong(`the server is PostgreSQL ${found.major}, and 13 is needed`);
  if (found.encoding !== 'UTF8') return wrong(`the encoding of the database is ${found.encoding}, and UTF8 is needed`);
  if (found.has_tables) {
    const versions = await session.ask<{ readonly version: number }>(`SELECT version FROM ${quoted(schema)}.meta`);
    const version = versions.rows[0]?.version ?? 0;
    return version === SCHEMA_VERSION
      ? false
      : failed({ code: 'other-schema', found: String(version), needed: String(SCHEMA_VERSION) });
  }
  if (!found.has_schema) await session.ask(`CREATE SCHEMA ${quoted(schema)}`);
  await session.ask(tables(schema));
  await session.ask('COMMIT');
  return true;
}

/**
 * Makes the tables of a store in a database, which has to be there; where they are there, nothing is changed. Several may do so at
 * once. All of it is done, or nothing.
 */
export async function initializePostgres(text: string, options: ConnectOptions = {}): Promise<Initialized | Failed> {
  const address = parseAddress(text);
  if (address.kind === 'failed') return address;
  const session = await connectTo(address, options);
  if (!('ask' in session)) return failed(session.fault);
  try {
    const made = await migrate(session, address.schema);
    return typeof made === 'boolean' ? { kind: 'initialized', made, address: address.text } : made;
  } catch (error) {
    return failed(failureOf(error, 'write').fault);
  } finally {
    // A transaction that was not committed ends with its connection.
    await session.end();
  }
}
