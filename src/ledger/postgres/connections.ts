import type { Address } from './address.ts';
import { finalFailure, type Failure } from './server-fault.ts';
import { connectTo, type ConnectOptions, type Session } from './session.ts';
import { explained, reading, standing } from './standing.ts';

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
