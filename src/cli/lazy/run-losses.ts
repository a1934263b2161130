import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { quote } from '../../document/core/quote.ts';
import { Learner, type Progress } from '../../learning/run/learner.ts';
import { inUnits, LossDigest } from '../../learning/run/losses.ts';
import { AnswerList, type Answers, type RunState, type Taken } from '../../learning/run/run-state.ts';
import { SecureWords } from '../../learning/run/crypto-random.ts';
import { Xoshiro, type RandomSource } from '../../numeric/random.ts';
import { counted, grouped, sourceName } from '../../output/kit/prose.ts';
import type { Io } from '../kit/io.ts';
import { sourceError } from '../kit/source.ts';
import { UsageError } from '../kit/usage-error.ts';
import { LOSS_FORM, LossReader } from './loss-reader.ts';
import type { OpenRun } from './run-file.ts';

const SIZE = 2 ** 18;

/** A file piece by piece, all of them in the same memory: each is used before the next is asked for. */
async function* filePieces(path: string): AsyncGenerator<Uint8Array, void> {
  const file = await open(path);
  try {
    const memory = new Uint8Array(SIZE);
    for (;;) {
      const { bytesRead } = await file.read(memory, 0, SIZE, null);
      if (bytesRead === 0) return;
      yield memory.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** A pause is nothing for so long, or comes after so long in all, in milliseconds. */
const IDLE = 2;
const LONGEST = 100;

type Piece = Uint8Array | string;

/**
 * Pieces as they arrive, and null for each pause: what came so far should be dealt with then. A long stream has few pauses, and a
 * line that somebody waits behind has one at once. A piece is used before the next is asked for.
 */
async function* piecesAndPauses(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece | null, void> {
  const source = pieces[Symbol.asyncIterator]();
  let since = performance.now();
  let next = source.next();
  for (;;) {
    const piece = await next;
    if (piece.done === true) break;
    yield piece.value;
    next = source.next();
    // An error is thrown where it is waited for.
    next.catch(() => undefined);
    const isPause =
      performance.now() - since > LONGEST || (await Promise.race([next.then(() => false), sleep(IDLE, true)]));
    if (!isPause) continue;
    yield null;
    since = performance.now();
  }
  yield null;
}

/** Which losses are given. */
interface GivenLosses {
  /** A file, or - for standard input. */
  readonly source: string;
  /** The round of the first line; null for the one that is next. */
  readonly first: number | null;
  /** Whether lines of rounds that were taken are passed over. */
  readonly resume: boolean;
}

const wrongRound = (message: string, hint: string): UsageError =>
  new UsageError([{ code: 'wrong-round', path: '--round', message, hint }]);

/** So many inputs are remembered, with which a later one may begin again. */
const MOST_STARTS = 100;

/** The digest of the losses before the first line, from which on lines are compared. */
function digestBefore(first: number, taken: Taken | null): string {
  const start = taken?.starts.find(([round]) => round === first);
  if (start !== undefined) return start[1];
  const hint = 'Give the lines from round 1 on, from where an input began, or only those that were not taken.';
  throw wrongRound(`lines from round ${grouped(first)} on cannot be compared with those that were taken`, hint);
}

/** How many lines are passed over: those of rounds that were taken. */
function passedOver({ first, resume }: GivenLosses, round: number): number {
  if (first === null || first === round) return 0;
  if (first > round) {
    throw wrongRound(
      `round ${grouped(round)} is next, and ${grouped(first)} is given`,
      'Give the rounds in their order.',
    );
  }
  if (resume) return round - first;
  throw wrongRound(
    `round ${grouped(first)} was taken already; ${grouped(round)} is next`,
    'A round is answered once. --again --round N prints its answer; --resume passes over rounds that were taken.',
  );
}

/** Where the losses of each expert stand in a line; null where they stand in the order of the run. */
function placesOf(
  names: readonly string[] | null,
  { experts, names: own }: RunState['header'],
  count: number,
  path: string,
): Int32Array | null {
  const fail = (message: string, hint: string, code: 'unknown-name' | 'unequal-lengths' = 'unknown-name'): UsageError =>
    new UsageError([{ code, path, message, hint }]);
  if (names !== null && own === null) {
    throw fail('the experts of this run have numbers, not names', 'Leave the names out, or begin a run with --names.');
  }
  if (count !== experts) {
    const message = `this line has losses of ${counted(count, 'expert')}, and the run has ${grouped(experts)}`;
    throw fail(message, 'Give every round one loss for each expert of the run.', 'unequal-lengths');
  }
  if (names === null || own === null) return null;
  return Int32Array.from(own, (name) => {
    const place = names.indexOf(name);
    if (place < 0) throw fail(`expert ${quote(name)} has no loss here`, 'Name the experts as the run does.');
    return place;
  });
}

/** Takes rounds one after the other, as they are read. */
class Taking {
  readonly #state: RunState;
  readonly #progress: Progress;
  readonly #learner: Learner;
  readonly #source: RandomSource;
  readonly #names: () => readonly string[] | null;
  readonly #units: Float64Array;
  readonly #file: string;
  #places: Int32Array | null | undefined;
  readonly #answers: AnswerList;
  readonly #start: number;
  readonly #digest: LossDigest;
  readonly #passed: LossDigest;
  #skip: number;
  #kept: number;

  constructor(
    run: RunState & { readonly progress: Progress },
    input: GivenLosses,
    names: () => readonly string[] | null,
  ) {
    const { header, progress, answered, taken, simulated } = run;
    this.#state = run;
    this.#progress = progress;
    this.#names = names;
    this.#source = simulated === null ? new SecureWords() : new Xoshiro(simulated);
    this.#learner = new Learner(header, progress, this.#source);
    this.#units = new Float64Array(header.experts);
    this.#file = sourceName(input.source);
    this.#start = progress.round;
    this.#digest = new LossDigest(taken?.digest ?? '');
    this.#skip = passedOver(input, progress.round);
    this.#passed = new LossDigest(this.#skip > 0 ? digestBefore(this.#start - this.#skip, taken) : '');
    this.#answers = new AnswerList(answered);
    this.#kept = answered.last;
  }

  /** Takes the losses of one line, whole or not at all. */
  take({ line, losses }: { readonly line: number; readonly losses: Float64Array }): void {
    const path = `${this.#file}:${line}`;
    if (this.#places === undefined) {
      this.#places = placesOf(this.#names(), this.#state.header, losses.length, path);
    }
    const [units, places] = [this.#units, this.#places];
    if (places === null) for (let i = 0; i < units.length; i++) units[i] = inUnits(losses[i]!);
    else for (let i = 0; i < units.length; i++) units[i] = inUnits(losses[places[i]!]!);
    if (this.#skip > 0) {
      this.#pass(path);
      return;
    }
    if (this.#learner.action === null) {
      const { rounds } = this.#state.header.setting;
      const message =
        rounds === 1 ? 'the one round of this run was taken' : `all ${grouped(rounds)} rounds of this run were taken`;
      throw new UsageError([{ code: 'run-over', path, message, hint: 'Start a new run for further rounds.' }]);
    }
    this.#learner.take(units);
    this.#digest.take(units);
    this.#answers.add(this.#learner.action);
  }

  /** Passes over a line of a round that was taken; with the last of them all must be what was taken. */
  #pass(path: string): void {
    this.#passed.take(this.#units);
    if (--this.#skip > 0 || this.#passed.text === this.#digest.text) return;
    const message = `the lines up to here are not the losses that were taken up to round ${grouped(this.#start - 1)}`;
    const hint = `No round was taken. Give the losses that were, or only those from round ${grouped(this.#start)} on.`;
    throw new UsageError([{ code: 'wrong-round', path, message, hint }]);
  }

  /** What was taken, with where this input began. */
  #taken(): Taken | null {
    const { taken } = this.#state;
    if (taken === null) return null;
    const [first, ...starts] = taken.starts.filter(([round]) => round !== this.#start || round === 1);
    const latest = this.#start === 1 ? [] : [[this.#start, taken.digest] as const];
    return { digest: this.#digest.text, starts: [first!, ...starts.slice(1 - MOST_STARTS), ...latest] };
  }

  /** The state after what was taken, with the answers to all of this input; null where nothing was since the last time. */
  next(): RunState | null {
    if (this.#answers.last === this.#kept) return null;
    this.#kept = this.#answers.last;
    const simulated = this.#source instanceof Xoshiro ? this.#source.state : null;
    const answered = this.#answers.from(this.#state.answered.last + 1);
    return { ...this.#state, progress: this.#progress, answered, taken: this.#taken(), simulated };
  }
}

/**
 * Takes rounds of losses as they arrive and answers each with the expert of the next one. Answers are told when the state that
 * they come from is durable: a process that ends at any moment has told nothing that would be drawn again. A mistake
 * ends it after the rounds before it, which count.
 *
 * @param tell - tells answers; false where nobody listens any more
 */
export async function takeLosses(
  run: Pick<OpenRun, 'keep'> & { readonly state: RunState & { readonly progress: Progress } },
  losses: GivenLosses,
  io: Io,
  tell: (answers: Answers) => Promise<boolean>,
): Promise<void> {
  const { source } = losses;
  const reader = new LossReader(run.state.header.names);
  const taking = new Taking(run.state, losses, () => reader.names);
  const input = source === '-' ? io.stdin : filePieces(resolve(io.cwd(), source));
  const encoder = new TextEncoder();
  let lastTold = run.state.answered.last;
  /** Keeps what was taken, and tells the answers to it; false where nobody listens any more. */
  const settle = async (): Promise<boolean> => {
    const state = taking.next();
    if (state === null) return true;
    await run.keep(state);
    const answers = { ...state.answered, first: lastTold + 1 };
    lastTold = answers.last;
    return await tell(answers);
  };
  const takeAll = (rows: Iterable<{ readonly line: number; readonly losses: Float64Array }>): void => {
    for (const row of rows) taking.take(row);
    if (reader.mistake === null) return;
    const { line, problem } = reader.mistake;
    const path = `${sourceName(source)}:${line}`;
    if (problem === 'one-expert') placesOf(reader.names, run.state.header, 1, path);
    else throw new UsageError([{ path, ...problem }]);
  };
  try {
    for await (const piece of piecesAndPauses(input)) {
      if (piece !== null) {
        takeAll(reader.rows(typeof piece === 'string' ? encoder.encode(piece) : piece));
      } else if (!(await settle())) return;
    }
    takeAll(reader.end());
    await settle();
  } catch (error) {
    await settle();
    throw sourceError(error, source, { directory: LOSS_FORM, large: LOSS_FORM });
  } finally {
    if (source === '-') io.stdin.destroy?.();
  }
}
