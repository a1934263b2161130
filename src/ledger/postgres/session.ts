import { failed, type Failed } from '../records/fault.ts';
import type { Client, Driver, Notice, Result } from './driver.ts';
import { quoted, SCHEMA_VERSION, selectTriggers, triggersFault } from './schema.ts';
import { ServerError } from './server-fault.ts';

/** Seconds after which a server that does not answer is taken for lost. */
const ANSWER = 60;

/** A connection to the server of a store. */
export class Session {
  readonly #client: Client;
  readonly #notices: Notice[] = [];
  #isLost = false;
  /** The place of the store, see `Store.home`; not known before it was looked at. */
  home = '';

  constructor(client: Client) {
    this.#client = client;
    // Whoever asks next is told; an error that nobody listens to would end the process.
    client.on('error', () => (this.#isLost = true));
    client.on('end', () => (this.#isLost = true));
    client.on('notice', (notice) => this.#notices.push(notice));
  }

  /** Nothing can be asked of it any more. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** The warnings since the last statement was begun. */
  get notices(): readonly Notice[] {
    return this.#notices;
  }

  /** Runs a statement, which may wait for others for so many seconds; throws a {@link ServerError}. */
  async ask<Row>(text: string, values?: unknown[], patience = 0): Promise<Result<Row>> {
    this.#notices.length = 0;
    const timer = setTimeout(
      () => {
        this.drop(new Error('the server does not answer'));
      },
      1000 * (patience + ANSWER),
    );
    try {
      return (await this.#client.query(text, values)) as Result<Row>;
    } catch (error) {
      throw new ServerError(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Looks whether the tables of the store are there, are those that this program knows, and keep their records as they are. */
  async look(schema: string): Promise<Failed | null> {
    const s = quoted(schema);
    const { rows } = await this.ask<{ readonly version: number }>(`SELECT version FROM ${s}.meta`);
    const version = rows[0]?.version;
    if (version === undefined) return failed({ code: 'no-store' });
    if (version !== SCHEMA_VERSION) {
      return failed({ code: 'other-schema', found: String(version), needed: String(SCHEMA_VERSION) });
    }
    const found = await this.ask<{ readonly home: string; readonly triggers: readonly string[] }>(
      `SELECT ${s}.home() AS home, ${selectTriggers(schema)} AS triggers`,
    );
    const { home, triggers } = found.rows[0]!;
    this.home = home;
    return triggersFault(triggers);
  }

  /** Cuts the connection. */
  drop(error?: Error): void {
    this.#isLost = true;
    this.#client.connection.stream.destroy(error);
  }

  /** Ends the connection; never fails. */
  async end(): Promise<void> {
    try {
      await this.#client.end();
    } catch {
      this.drop();
    }
  }
}

/** How a connection is made. */
export interface Connecting {
  readonly driver: Driver;
  readonly options: Parameters<Driver['connection']>[0];
}

/** A new connection; throws a {@link ServerError}. */
export async function connect({ driver, options }: Connecting): Promise<Session> {
  const client = driver.connection(options);
  const session = new Session(client);
  try {
    await client.connect();
  } catch (error) {
    session.drop();
    throw new ServerError(error);
  }
  return session;
}
