import { Worker } from 'node:worker_threads';
import { type BatchOptions, type Block, type Tally, addTally, blocksOf, emptyTally } from './answer.ts';
import { readFile, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { Argument } from 'commander';
import type { InputError } from '../../document/core/specification.ts';
import {
  parseAdaptivityFlags,
  parseMechanismFlags,
  parseOrderFlag,
  parseTargetFlags,
} from '../../document/flags/command-line.ts';
import { parseSetFlag } from '../../document/syntax/changed-document.ts';
import { grouped, listed, shellWord } from '../../output/kit/prose.ts';
import { declaredCommand } from '../kit/command.ts';
import { EXIT, writeStdout, writeStderr, type Input, type Io } from '../kit/io.ts';
import {
  SETTING,
  specFlags,
  TARGET,
  JSON_SWITCH,
  MECHANISM,
  QUIET,
  SET,
  STRICT,
  WORK,
  workOf,
} from '../kit/shared-options.ts';
import { nothingGiven } from '../kit/load-specification.ts';
import { inGroup, PRINTED, wholeOption, type ValuesOf } from '../kit/option.ts';
import { noteOutput, openSource, sourceError } from '../kit/source.ts';
import { UsageError } from '../kit/usage-error.ts';

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
class Threads {
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
   * @param limit - how many threads there may be; one is started when there is work and none is idle
   */
  constructor(file: string, limit: number, options: BatchOptions) {
    this.#file = file;
    this.#most = limit;
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
    const idlest = this.#threads.reduce<Thread | null>(
      (best, thread) => (best !== null && best.blocks.length <= thread.blocks.length ? best : thread),
      null,
    );
    if (idlest !== null && (idlest.blocks.length === 0 || this.#threads.length >= this.#most)) return idlest;
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

const { bounds, tolerance } = WORK();
const { delta, epsilon } = TARGET();

const OPTIONS = {
  ...inGroup('Mechanisms, for every line:', {
    mechanism: MECHANISM('add a mechanism to every line (repeatable)'),
    set: SET,
    ...SETTING,
  }),
  ...inGroup('Target, for every line:', { delta, epsilon }),
  bounds,
  tolerance,
  ...inGroup('Computation:', {
    jobs: wholeOption('--jobs <N>', 'number of threads (default: one per processor)', '4', 1, 256),
  }),
  ...STRICT,
  // It always is JSON; here as other commands have it, and for mistakes of the command line.
  ...inGroup(PRINTED, { json: JSON_SWITCH, quiet: QUIET }),
};

type BatchFlags = ValuesOf<typeof OPTIONS>;

const EXAMPLES = `
Each input line is a specification as JSON on one line, with an optional "id" of
any value. Each output line has the line number, the id, and the query, answer
and warnings of compose --json, or the errors, or the refusal. The order is that
of the input. Blank lines are skipped. No answer depends on other lines or on
--jobs.

Exit codes: 2 if a line has errors; else 3 if no theorem covers a line; else 1
if there are warnings and --strict is given; else 0.

Examples:
  dpcompose batch releases.ndjson --delta 1e-6 > answers.ndjson
  generate-specs | dpcompose batch | jq -c '[.id, .answer.epsilon.upper]'
  dpcompose batch releases.ndjson --bounds dp-optimal --jobs 8`;

/** The errors in the flags that hold for all lines, whatever the lines contain. */
function flagErrors(flags: BatchFlags): InputError[] {
  const { set = [], ...declared } = specFlags(flags);
  const mechanisms = parseMechanismFlags(declared.mechanisms ?? []);
  const readings = [mechanisms, parseAdaptivityFlags(declared), parseOrderFlag(declared), parseTargetFlags(flags)];
  const malformed = set.flatMap((text): InputError[] => {
    const parsed = parseSetFlag(text);
    return 'problem' in parsed ? [{ ...parsed.problem, path: '--set' }] : [];
  });
  return [...readings.flatMap(({ errors }) => errors), ...malformed];
}

/** Gives all lines to the threads. */
async function feed(threads: Threads, input: Input, source: string): Promise<void> {
  try {
    for await (const block of blocksOf(input)) await threads.give(block);
    threads.complete();
  } catch (error) {
    threads.fail(sourceError(error, source));
  }
}

/** Writes the answers as they come, until there are no more or nobody reads them. */
async function write(threads: Threads, tally: Tally, { quiet }: BatchFlags, io: Io): Promise<void> {
  let writing: Promise<unknown> = Promise.resolve();
  // Ctrl-C ends the process once whole lines are written, and at once where it is given again.
  const interrupt = (): void => {
    void writing.finally(() => io.kill?.(io.pid ?? 0, 'SIGINT'));
  };
  io.once?.('SIGINT', interrupt);
  try {
    for await (const part of threads.answers()) {
      addTally(tally, part.tally);
      if (quiet) continue;
      const printed = writeStdout(io, part.text);
      writing = printed.catch(() => undefined);
      if (!(await printed)) return;
    }
  } finally {
    io.removeListener?.('SIGINT', interrupt);
  }
}

/** Files up to this size, in bytes, are looked at as one specification. */
const LONGEST_LOOK = 4 * 1024 * 1024;

/** That a file is one specification on several lines, of which none is one by itself; null where it is not. */
async function oneSpecification(source: string, io: Io): Promise<InputError | null> {
  const path = resolve(io.cwd(), source);
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile() || found.size > LONGEST_LOOK) return null;
  const text = await readFile(path, 'utf8').catch(() => '');
  const count = text.trimEnd().split('\n').length;
  if (count < 2) return null;
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const message = `is one specification on ${grouped(count)} lines`;
  const hint = `Write each specification on one line; jq -c . ${shellWord(source)} does so.`;
  return { code: 'invalid-json', path: source, message, hint };
}

const lines = (count: number): string => `${grouped(count)} ${count === 1 ? 'line' : 'lines'}`;

/** Says which lines have no answer, if any. */
async function tellTally({ answered, refused, wrong }: Tally, io: Io): Promise<void> {
  if (refused + wrong === 0) return;
  if (answered + refused === 0) {
    await writeStderr(io, `${lines(wrong)} ${wrong === 1 ? 'is' : 'are'} wrong.\n`);
    if (wrong > 1) await writeStderr(io, 'Write each specification on one line; jq -c . FILE does so.\n');
    return;
  }
  const parts = [
    ...(answered > 0 ? [`${lines(answered)} answered`] : []),
    ...(wrong > 0 ? [`${lines(wrong)} wrong`] : []),
    ...(refused > 0 ? [`${lines(refused)} refused`] : []),
  ];
  await writeStderr(io, `${listed(parts)}.\n`);
}

function exitCode({ wrong, refused, warned }: Tally, { strict }: BatchFlags): number {
  if (wrong > 0) return EXIT.usage;
  if (refused > 0) return EXIT.refused;
  return strict && warned > 0 ? EXIT.no : EXIT.done;
}

/** `dpcompose batch`: compositions in great number, as they come. */
export const batchCommand = declaredCommand<typeof OPTIONS, readonly [string | undefined]>(
  {
    name: 'batch',
    about: 'Composes the specification on each input line and prints one line of JSON for each.',
    operands: [new Argument('[FILE]', 'NDJSON file, one specification a line (default: standard input)')],
    options: OPTIONS,
    examples: EXAMPLES,
  },
  null,
  async ({ operands: [source], flags, errors, io, installation }) => {
    const { delta, epsilon, jobs = availableParallelism() } = flags;
    const work = workOf(flags);
    const unread = (source ?? '-') === '-' && io.stdin.isTTY === true;
    const nothing = unread ? nothingGiven({ command: 'batch', source }) : null;
    const one = (source ?? '-') === '-' ? null : await oneSpecification(source!, io);
    const mistakes = [...errors, ...flagErrors(flags), ...(nothing?.errors ?? []), ...(one === null ? [] : [one])];
    if (mistakes.length > 0) throw new UsageError(mistakes, nothing?.about ?? {});
    const file = installation.batchWorker;
    if (file === undefined) throw new Error('nothing says what the threads of batch run');
    const threads = new Threads(file, jobs, { flags: { ...specFlags(flags), delta, epsilon }, work });
    const tally = emptyTally();
    if (!flags.quiet) noteOutput('-', 'standard output', io);
    const input = openSource(source ?? '-', io);
    try {
      void feed(threads, input, source ?? '-');
      await write(threads, tally, flags, io);
    } finally {
      input.destroy?.();
      await threads.stop();
    }
    if (source === undefined && tally.answered + tally.refused + tally.wrong === 0) {
      throw nothingGiven({ command: 'batch', source });
    }
    if (!flags.quiet) await tellTally(tally, io);
    return exitCode(tally, flags);
  },
);
