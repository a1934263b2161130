import { failed, type Failed } from '../../fault.ts';
import { quoted, SCHEMA_VERSION, SEARCH_PATH, TABLES, tables, upgrade } from './schema.ts';
import { failureOf, type Asking, type Failure, finalFailure } from './server-fault.ts';
import { type Session, connectTo, type ConnectOptions } from './session.ts';
import { addressIn, type Address } from './address.ts';

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

/** A store at a moment: its place, see `Store.placeId`, and the moment by the clock of the server. */
export interface StoreState {
  readonly placeId: string;
  readonly now: string;
}

function versionFault(version: number | null): Failed | null {
  if (version === null) return failed({ code: 'damaged-store', reason: 'the table meta is empty' });
  if (version === SCHEMA_VERSION) return null;
  return failed({ code: 'other-schema', found: String(version), needed: String(SCHEMA_VERSION) });
}

/**
 * The state of the store, asked anew in each transaction: under an open connection its tables may be made again or brought from
 * elsewhere. Failed where they are of another version.
 */
export async function storeState(session: Session, schema: string): Promise<StoreState | Failed> {
  const { rows } = await session.ask<StoreState & { readonly version: number | null }>(
    `SELECT (SELECT version FROM ${quoted(schema)}.meta) AS version, ${quoted(schema)}.home() AS "placeId",
    to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS now`,
  );
  const { version, placeId, now } = rows[0]!;
  return versionFault(version) ?? { placeId, now };
}

interface Presence {
  /** Whether there is a schema of this name. */
  readonly hasSchema: boolean;
  readonly tables: readonly string[];
  /** Whether the table `meta` is that of a store. */
  readonly hasMeta: boolean;
}

/** The columns that tell the table `meta` of a store from another of this name. */
const META = ['one', 'version', 'id'];

/** Looks at what is there, without a right to any of it. */
async function presence(session: Session, schema: string): Promise<Presence> {
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

function presenceFault({ tables, hasMeta }: Presence, schema: string): Failed | null {
  if (tables.length === 0) return failed({ code: 'no-store' });
  if (!hasMeta) {
    const there = `the schema ${quoted(schema)} has ${tables.length === 1 ? 'a table' : 'tables'} ${tables.join(', ')}`;
    return failed({ code: 'not-a-store', reason: `${there} of another program, or left over from a store` });
  }
  const missing = TABLES.find((table) => !tables.includes(table));
  return missing === undefined ? null : failed({ code: 'damaged-store', reason: `the table ${missing} is missing` });
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

/** The tables of a store were made, or were there already, as this program needs them. */
interface Initialized {
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
  if (major <= NEWEST_UNSUPPORTED) return wrong(`the server is PostgreSQL ${major}; 13 or later is required`);
  if (encoding !== 'UTF8') return wrong(`the encoding of the database is ${encoding}; UTF8 is required`);
  const status = await presence(session, schema);
  if (status.tables.length > 0) {
    const missing = presenceFault(status, schema);
    if (missing !== null) return missing;
    const { rows: old } = await session.ask(`SELECT FROM ${quoted(schema)}.meta WHERE version = 1`);
    if (old.length > 0) await session.ask(upgrade(schema));
    const state = await storeState(session, schema);
    if ('fault' in state) return state;
    await session.ask('COMMIT');
    return false;
  }
  if (!status.hasSchema) await session.ask(`CREATE SCHEMA ${quoted(schema)}`);
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

/** Connections to one store: a few, made when they are needed, and used again. */
export class Connections {
  readonly address: Address;
  readonly #options: ConnectOptions;
  readonly #idle: Session[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #most: number;
  #taken = 0;
  #hasAnswered = false;
  #isClosed = false;

  constructor(address: Address, options: ConnectOptions) {
    this.address = address;
    this.#options = options;
    this.#most = options.connections ?? 4;
  }

  /** Seconds for the server to take a connection. */
  get connectSeconds(): number {
    return this.#options.connectSeconds ?? 30;
  }

  /** Seconds at least to find out what became of a transaction. */
  get outcomeSeconds(): number {
    return this.#options.outcomeSeconds ?? 10;
  }

  /** Whether the server has ever answered: where it has, it may come back. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** Nothing new is begun: a defect of who uses the store, which would keep its process from ending. */
  requireOpen(): void {
    if (this.#isClosed) throw new Error('The store was closed, and is asked for something.');
  }

  /** A connection for the caller alone, who gives it back; `busy` where all are in use for so many seconds. */
  async take(patience: number): Promise<Session | Failure> {
    if (this.#taken < this.#most) this.#taken++;
    else if (!(await this.#turn(patience))) return finalFailure({ code: 'busy', seconds: patience });
    for (;;) {
      const session = this.#idle.pop();
      if (session === undefined) break;
      if (!session.isLost) return session;
    }
    const session = await this.#open();
    this.#hasAnswered ||= 'ask' in session || session.again !== 'if-known';
    if (!('ask' in session)) this.#release();
    return session;
  }

  /** Gives a connection back; it is used again unless it is lost, or the store was closed meanwhile. */
  give(session: Session): void {
    if (this.#isClosed) void session.end();
    else if (!session.isLost) this.#idle.push(session);
    this.#release();
  }

  /** Ends the connections: those that nobody uses now, the others when they are given back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#idle.splice(0).map((session) => session.end()));
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken--;
    else next();
  }

  /** Waits for the turn of somebody who has one; false where that took too long. */
  #turn(patience: number): Promise<boolean> {
    return new Promise((resolve) => {
      const next = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(next), 1);
        resolve(false);
      }, 1000 * patience);
      this.#waiting.push(next);
    });
  }

  async #open(): Promise<Session | Failure> {
    const session = await connectTo(this.address, this.#options);
    if (!('ask' in session)) {
      return session.kind === 'failed' ? finalFailure(session.fault) : session;
    }
    let failure: Failure;
    try {
      const state = await reading(session, () => storeState(session, this.address.schema));
      if (!('kind' in state)) return session;
      failure = finalFailure(state.fault);
    } catch (error) {
      failure = await explained(session, this.address.schema, error, 'read');
    }
    await session.end();
    return failure;
  }
}
