import { failed, type Failed } from '../records/fault.ts';
import { addressIn } from './address.ts';
import { quoted, tables, upgrade } from './schema.ts';
import { connectTo, type ConnectOptions, type Session } from './session.ts';
import { explained, presence, presenceFault, selectSettings, standing } from './standing.ts';

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

interface Server {
  readonly major: number;
  readonly encoding: string;
}

const wrong = (reason: string): Failed => failed({ code: 'not-a-store', reason });

/** Makes the tables in a transaction, or brings them to this version; whether they were not there, or what is wrong with them. */
async function migrate(session: Session, schema: string): Promise<boolean | Failed> {
  await session.ask(`
    BEGIN ISOLATION LEVEL READ COMMITTED;
    ${selectSettings()};
    SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`);
  const { rows } = await session.ask<Server>(
    `SELECT current_setting('server_version_num')::int / 10000 AS major, current_setting('server_encoding') AS encoding`,
  );
  const { major, encoding } = rows[0]!;
  if (major <= NEWEST_UNSUPPORTED) return wrong(`the server is PostgreSQL ${major}, and 13 is needed`);
  if (encoding !== 'UTF8') return wrong(`the encoding of the database is ${encoding}, and UTF8 is needed`);
  const found = await presence(session, schema);
  if (found.tables.length > 0) {
    const missing = presenceFault(found, schema);
    if (missing !== null) return missing;
    const { rows: old } = await session.ask(`SELECT FROM ${quoted(schema)}.meta WHERE version = 1`);
    if (old.length > 0) await session.ask(upgrade(schema));
    const stands = await standing(session, schema);
    if ('fault' in stands) return stands;
    await session.ask('COMMIT');
    return false;
  }
  if (!found.hasSchema) await session.ask(`CREATE SCHEMA ${quoted(schema)}`);
  await session.ask(tables(schema));
  await session.ask('COMMIT');
  return true;
}

/**
 * Makes the tables of a store in a database, which has to be there; tables of this version stay as they are. Several may do so at
 * once. All of it is done, or nothing.
 */
export async function initializePostgres(text: string, options: ConnectOptions = {}): Promise<Initialized | Failed> {
  const address = addressIn(text, options.env);
  if (address.kind === 'failed') return address;
  const session = await connectTo(address, options);
  if (!('ask' in session)) return failed(session.fault);
  try {
    const made = await migrate(session, address.schema);
    return typeof made === 'boolean' ? { kind: 'initialized', made, address: address.text } : made;
  } catch (error) {
    await session.rollBack();
    return failed((await explained(session, address.schema, error, 'write')).fault);
  } finally {
    // A transaction that was not committed ends with its connection.
    await session.end();
  }
}
