import type { Client, Driver, Notice, Result } from './driver.ts';
import { ServerError } from './server-fault.ts';

/** Seconds after which a server that does not answer is taken for lost. */
const ANSWER = 60;

/** A connection to the server of a store. */
export class Session {
  readonly #client: Client;
  readonly #notices: Notice[] = [];
  #isLost = false;
  /** The guards of the store that were found sound last, see `selectMark`. */
  soundMark: string | null = null;

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
