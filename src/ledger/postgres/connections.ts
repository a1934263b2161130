import type { BadAddress, Failed } from '../records/fault.ts';
import { parseAddress, type Address } from './address.ts';
import { loadDriver, type ClientOptions } from './driver.ts';
import { explained } from './explain.ts';
import { PasswordMissing, passwordOf, type Environment } from './password.ts';
import { failureOf, finalFailure, ServerError, type Failure } from './server-fault.ts';
import { connect, type Session } from './session.ts';
import { reading } from './settings.ts';
import { standing } from './standing.ts';
import { encryptionFault, hostOf, tlsOf } from './tls.ts';

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
  /** Loads the package `pg`. */
  readonly driver?: () => Promise<unknown>;
}

/** What the server is told of who connects. */
const PROGRAM = 'dpcompose';

const KEEP_ALIVE = 30_000;

/** The parts of an address that may be connected to; see `parseAddress` and `encryptionFault`. */
export function addressIn(text: string, { env = process.env }: ConnectOptions): Address | Failed<BadAddress> {
  const address = parseAddress(text);
  return address.kind === 'failed' ? address : (encryptionFault(address, env) ?? address);
}

function tlsIn(address: Address, env: Environment): ClientOptions['ssl'] {
  try {
    return tlsOf(address, env);
  } catch (error) {
    throw new ServerError(error);
  }
}

function clientOptions(address: Address, { env = process.env, connectSeconds = 30 }: ConnectOptions): ClientOptions {
  const { user, port, database } = address;
  return {
    ...{ user, host: hostOf(address, env), port, database, ssl: tlsIn(address, env) },
    // Asked only where the server wants one.
    password: async (login) => {
      const found = await Promise.resolve(passwordOf(login, env));
      if (found.kind === 'missing') throw new PasswordMissing(found.reason);
      return found.password;
    },
    connectionTimeoutMillis: 1000 * connectSeconds,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE,
    fallback_application_name: PROGRAM,
  };
}

/** A new connection to an address, whatever is in the database; or why there is none. */
export async function connectTo(address: Address, options: ConnectOptions): Promise<Session | Failed | Failure> {
  const driver = await loadDriver(options.driver);
  if (driver.kind === 'failed') return driver;
  try {
    return await connect({ driver, options: clientOptions(address, options) });
  } catch (error) {
    return failureOf(error, 'connect');
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
      const stands = await reading(session, () => standing(session, this.address.schema));
      if (!('kind' in stands)) return session;
      failure = finalFailure(stands.fault);
    } catch (error) {
      failure = await explained(session, this.address.schema, error, 'read');
    }
    await session.end();
    return failure;
  }
}
