import { setTimeout as sleep } from 'node:timers/promises';
import { failed, type Failed } from '../records/fault.ts';
import { isBusy } from './sqlite-error.ts';

/** Milliseconds between two attempts: growing, and not the same for all who wait. */
const FIRST_PAUSE = 1;
const LONGEST_PAUSE = 25;

/** A time that is waited for others, counted from when it is made. */
export class Patience {
  readonly #seconds: number;
  readonly #end: number;

  constructor(seconds: number) {
    this.#seconds = seconds;
    this.#end = performance.now() + 1000 * seconds;
  }

  /**
   * Does something, again and again while others have the lock that it needs. Between two attempts the process is free for
   * other things: SQLite itself would sleep in its place.
   */
  async try<T>(attempt: () => T): Promise<T | Failed> {
    for (let pause = FIRST_PAUSE; ; pause = Math.min(LONGEST_PAUSE, 2 * pause)) {
      try {
        return attempt();
      } catch (error) {
        if (!isBusy(error)) throw error;
      }
      const left = this.#end - performance.now();
      if (left <= 0) return failed({ code: 'busy', seconds: this.#seconds });
      await sleep(Math.min(left, pause * (0.5 + Math.random())));
    }
  }
}
