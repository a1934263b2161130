import type { Client, ClientConfig, QueryResult } from 'pg';
import { failed, type Failed } from '../../fault.ts';
import { hostOf, tlsOf, type Address, type Environment, passwordOf, type Login } from './address.ts';
import { failureOf, reasonOf, ServerError, type Failure } from './server-fault.ts';

/** How a store is reached. */
export interface ConnectOptions {
  /** Where passwords come from, and what the address leaves out of host and encryption; that of the process by default. */
  readonly env?: Environment;
  /** Seconds for the server to take a connection; 30 by default. */
  readonly connectSeconds?: number;
  /** Seconds at least to find out whether a transaction was kept whose end was not heard of; 10 by default. */
  readonly outcomeSeconds?: number;
  /** Connections at a time; 4 by default. */
  readonly connections?: number;
  /** Loads the package `pg`, which is there only where somebody has installed it beside this one. */
  readonly driver?: () => Promise<unknown>;
}

/** A warning of the server; `routine`: the function of the server that it comes from. */
interface Notice {
  readonly message?: string | undefined;
  readonly routine?: string | undefined;
}

const PROGRAM = 'dpcompose';

const KEEP_ALIVE = 30_000;

/** Seconds after which a server that does not answer is taken for lost. */
const ANSWER = 60;

/** A connection to the server of a store. */
export class Session {
  readonly #client: Client;
  readonly #notices: Notice[] = [];
  #isLost = false;

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
  async ask<Row extends object>(text: string, values?: readonly unknown[], patience = 0): Promise<QueryResult<Row>> {
    this.#notices.length = 0;
    const timer = setTimeout(
      () => {
        this.drop(new Error('the server does not answer'));
      },
      1000 * (patience + ANSWER),
    );
    try {
      return await this.#client.query<Row>(text, values && [...values]);
    } catch (error) {
      throw new ServerError(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Takes back what was done in a transaction, so that the connection can be used again. */
  async rollBack(): Promise<void> {
    if (this.#isLost) return;
    try {
      await this.ask('ROLLBACK');
    } catch {
      this.drop();
    }
  }

  /** Cuts the connection. */
  drop(error?: Error): void {
    this.#isLost = true;
    const { connection } = this.#client as unknown as { connection: { stream: { destroy(error?: Error): unknown } } };
    connection.stream.destroy(error);
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

function configOf(address: Address, { env = process.env, connectSeconds = 30 }: ConnectOptions): ClientConfig {
  const { user, port, database } = address;
  // Asked only where the server wants one.
  const password = (login: Login): Promise<string> => Promise.resolve().then(() => passwordOf(login, env));
  return {
    ...{ user, host: hostOf(address, env), port, database, ssl: tlsOf(address, env) },
    password: password as () => Promise<string>,
    connectionTimeoutMillis: 1000 * connectSeconds,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE,
    fallback_application_name: PROGRAM,
  };
}

/** A new connection to an address, whatever is in the database; or why there is none. */
export async function connectTo(address: Address, options: ConnectOptions): Promise<Session | Failed | Failure> {
  const { driver = () => import('pg') } = options;
  let found;
  try {
    found = (await driver()) as { readonly default: { readonly Client: new (config: ClientConfig) => Client } };
  } catch (error) {
    return failed({ code: 'no-driver', package: 'pg', reason: reasonOf(error) });
  }
  let session: Session | null = null;
  try {
    const client = new found.default.Client(configOf(address, options));
    session = new Session(client);
    await client.connect();
    return session;
  } catch (error) {
    session?.drop();
    return failureOf(new ServerError(error), 'connect');
  }
}
