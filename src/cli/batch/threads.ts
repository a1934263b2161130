import { Worker } from 'node:worker_threads';
import type { BatchOptions, Block, Tally } from './answer.ts';

/** The answers to some lines of a block, in the order of the lines. */
export interface Part {
  readonly text: string;
  readonly tally: Tally;
  /** Whether these are the last lines of the block. */
  readonly last: boolean;
}

/** How many blocks a thread is given before it has answered the first of them. */
const AHEAD = 8;

/** Somebody waits for something to happen. */
class Bell {
  #wake: (() => void) | null = null;

  /** Ends the wait, if somebody waits. */
  ring(): void {
    this.#wake?.();
    this.#wake = null;
  }

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** The answers to one block, as far as they have come. */
class Pending {
  parts: Part[] = [];
  ended = false;
}

/** A thread, and the blocks it has not answered in full, the oldest first. */
interface Thread {
  readonly worker: Worker;
  readonly blocks: Pending[];
}

/**
 * Threads that answer blocks of lines. What they are given and have answered is bounded: who gives them more has to wait
 * until the answers are fetched.
 */
export class Threads {
  readonly #file: string;
  readonly #most: number;
  readonly #options: BatchOptions;
  readonly #threads: Thread[] = [];
  /** In the order of the input. */
  readonly #pending: Pending[] = [];
  readonly #news = new Bell();
  readonly #room = new Bell();
  #failure: Error | null = null;
  #complete = false;

  /**
   * @param file - what a thread runs
   * @param most - how many threads there may be; one is started when there is work and none is idle
   */
  constructor(file: string, most: number, options: BatchOptions) {
    this.#file = file;
    this.#most = most;
    this.#options = options;
  }

  /** Gives a block to the thread with the least to do, as soon as the queue has capacity. */
  async give(block: Block): Promise<void> {
    while (this.#failure === null && this.#pending.length >= AHEAD * this.#most) await this.#room.wait();
    const pending = new Pending();
    const thread = this.#idlest();
    thread.blocks.push(pending);
    this.#pending.push(pending);
    thread.worker.postMessage(block);
  }

  /** Says that no more blocks come. */
  complete(): void {
    this.#complete = true;
    this.#news.ring();
  }

  /** Says that no more blocks come, and why; `answers` throws that after the last one. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.complete();
    this.#room.ring();
  }

  /** The answers in the order in which the blocks were given, as they come. */
  async *answers(): AsyncGenerator<Part> {
    for (;;) {
      const [head] = this.#pending;
      if (head === undefined && this.#complete) break;
      if (head === undefined || (head.parts.length === 0 && !head.ended)) {
        await this.#news.wait();
        continue;
      }
      const { parts } = head;
      head.parts = [];
      yield* parts;
      if (head.ended && head.parts.length === 0 && this.#pending[0] === head) {
        this.#pending.shift();
        this.#room.ring();
      }
    }
    if (this.#failure !== null) throw this.#failure;
  }

  /** Ends all threads, whatever they are doing. */
  async stop(): Promise<void> {
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  #idlest(): Thread {
    const least = this.#threads.reduce<Thread | null>(
      (best, thread) => (best !== null && best.blocks.length <= thread.blocks.length ? best : thread),
      null,
    );
    if (least !== null && (least.blocks.length === 0 || this.#threads.length >= this.#most)) return least;
    return this.#start();
  }

  #start(): Thread {
    const worker = new Worker(this.#file, { workerData: this.#options });
    const thread: Thread = { worker, blocks: [] };
    worker.on('message', (part: Part) => {
      const [block] = thread.blocks;
      if (block === undefined) return;
      block.parts.push(part);
      if (part.last) {
        block.ended = true;
        thread.blocks.shift();
      }
      this.#news.ring();
    });
    worker.on('error', (error) => {
      // The lines that this thread has not answered never will be, so no later answer may be printed either.
      this.#pending.length = 0;
      this.fail(error instanceof Error ? error : new Error(String(error)));
    });
    this.#threads.push(thread);
    return thread;
  }
}
