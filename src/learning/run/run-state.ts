import { createHash } from 'node:crypto';
import { Decimal } from '../../numeric/decimal.ts';
import type { XoshiroState } from '../../numeric/random.ts';
import type { Runnable } from '../core/setting.ts';
import type { Progress, RunTerms } from './learner.ts';
import { NO_DIGEST } from './losses.ts';

/** The ledger that pays for a run. */
export interface RunLedger {
  /** Its name, and the address of its store; null where it is named by its path. */
  readonly name: string;
  readonly store: string | null;
  /** Between which data its terms mean guarantees, in its words. */
  readonly neighbours: string;
}

/** What does not change while a run goes on. */
export interface RunHeader extends RunTerms {
  /** Random; under it the ledger knows the run. */
  readonly id: string;
  /** The names of the experts; null where they are numbered. */
  readonly names: readonly string[] | null;
  /** The run is (epsilon, delta)-differentially private for replacing the losses of one round; epsilon may be infinite. */
  readonly epsilon: Decimal;
  readonly delta: Decimal;
  readonly ledger: RunLedger | null;
}

/** The expert of each round up to `last`, as runs of equal ones: `[round, expert]` where it changes; null when the run is over. */
export interface Answers {
  /** From this round on they are told. */
  readonly first: number;
  readonly last: number;
  readonly changes: readonly (readonly [round: number, expert: number | null])[];
}

/** Of the losses that were taken what tells whether others are the same. */
export interface Taken {
  /** Of all of them. */
  readonly digest: string;
  /** The rounds with which the last inputs began, with the digest of all losses before. */
  readonly starts: readonly (readonly [round: number, digest: string])[];
}

/** No losses were taken. */
export const NOTHING_TAKEN: Taken = { digest: NO_DIGEST, starts: [[1, NO_DIGEST]] };

/** A run that goes on. */
export interface RunState {
  readonly header: RunHeader;
  /** Null before the ledger has granted it: nothing is drawn until then. */
  readonly progress: Progress | null;
  /** All answers, from the first one to the last input on. */
  readonly answered: Answers;
  /** Null in a file of before losses were digested. */
  readonly taken: Taken | null;
  /** The state of the random numbers of a simulation; null where they come from the system. */
  readonly simulated: XoshiroState | null;
}

/** No answers yet. */
export const NO_ANSWERS: Answers = { first: 1, last: 0, changes: [] };

/** Adds to the answers of a run. */
export class AnswerList {
  readonly #changes: Answers['changes'][number][];
  #last: number;

  /** `before`: the answers so far. */
  constructor({ last, changes }: Answers) {
    this.#changes = [...changes];
    this.#last = last;
  }

  /** The expert of the next round; null when the run is over. */
  add(expert: number | null): void {
    this.#last++;
    if (expert !== this.#changes.at(-1)?.[1]) this.#changes.push([this.#last, expert]);
  }

  /** The last round that has an answer. */
  get last(): number {
    return this.#last;
  }

  /** All answers, to be told from a round on. */
  from(first: number): Answers {
    return { first, last: this.#last, changes: [...this.#changes] };
  }
}

/** One answer after the other, from the first one that is to be told on. */
export function* answersOf({
  first,
  last,
  changes,
}: Answers): Generator<{ readonly round: number; readonly expert: number | null }> {
  for (const [i, [from, expert]] of changes.entries()) {
    const to = changes[i + 1]?.[0] ?? last + 1;
    for (let round = Math.max(first, from); round < to; round++) yield { round, expert };
  }
}

/** The format of the file in which a run is kept: of L2P, and of other learners, which earlier versions cannot go on with. */
const [L2P_SCHEMA, OTHER_SCHEMA] = ['dpcompose.lazy-run/1', 'dpcompose.lazy-run/2'];
const SCHEMA = /^\{"schema":"dpcompose\.lazy-run\/[12]"/;

/**
 * Why a text is not that of a run that can go on: it is none; it was changed after it was written; or it is of L2P with y, which
 * was run before, and which another accounting is for.
 */
export type Unreadable = 'not-a-run' | 'damaged-run' | 'run-with-y';

const HASH = /,"hash":"([0-9a-f]{64})"\}\n$/;

/** The line after the text of a run that went on in another file. `next`: that file. */
export const supersededLine = (next: string): string => `${JSON.stringify({ superseded: next })}\n`;

const SUPERSEDED = /^\{"superseded":"([^"]*)"\}\n$/;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The parameters of L2P, of which c is null with y; those of a perturbed leader; or none. */
type WrittenSetting = Pick<Runnable, 'rounds' | 'batch'> &
  Readonly<Partial<Record<'eta' | 'c' | 'node' | 'deviation', string | null>>> & { readonly radix?: number };

interface WrittenProgress extends Omit<Progress, 'totals' | 'noise'> {
  readonly totals: readonly number[];
  readonly noise?: { readonly digits: number; readonly rows: readonly string[] };
}

const writtenProgress = ({ totals, noise, ...rest }: Progress): WrittenProgress => ({
  ...rest,
  totals: Array.from(totals),
  ...(noise && { noise: { digits: noise.digits, rows: noise.rows.map((row) => row.join(' ')) } }),
});

/** The text of a run, which ends in a hash of all that stands before it. `home`: the file that it is written into. */
export function runText({ header, progress, answered, taken, simulated }: RunState, home: string): string {
  const { setting, epsilon, delta, ...rest } = header;
  const isL2p = 'eta' in setting;
  const { rounds, batch } = setting;
  const body = JSON.stringify({
    schema: isL2p ? L2P_SCHEMA : OTHER_SCHEMA,
    home,
    ...rest,
    rounds,
    batch,
    ...(isL2p ? { eta: setting.eta.toString(), c: setting.switchRate.toString() } : setting),
    epsilon: epsilon.toString(),
    delta: delta.toString(),
    simulated,
    answered,
    taken,
    progress: progress && writtenProgress(progress),
  }).slice(0, -1);
  return `${body},"hash":"${hashOf(body)}"}\n`;
}

/** What stands in the text. */
interface Written extends Omit<RunHeader, 'setting' | 'epsilon' | 'delta'>, WrittenSetting {
  readonly schema: string;
  readonly home: string;
  readonly epsilon: string;
  readonly delta: string;
  readonly simulated: XoshiroState | null;
  readonly answered: Answers;
  readonly taken?: Taken | null;
  readonly progress: WrittenProgress | null;
}

/** What is kept of a run that goes on; older files have more, of y. */
const progressOf = ({ round, x, lossOfX, resampled, totals, noise }: WrittenProgress): Progress => ({
  round,
  x,
  lossOfX,
  resampled,
  totals: Float64Array.from(totals),
  ...(noise && { noise: { digits: noise.digits, rows: noise.rows.map((row) => row.split(' ').map(BigInt)) } }),
});

/** What is run, of L2P without y or another learner. */
function settingOf({ rounds, batch, eta, c, radix, node, deviation }: WrittenSetting): Runnable {
  if (eta) return { rounds, batch, eta: new Decimal(eta), switchRate: new Decimal(c!) };
  if (!node) return { rounds, batch, deviation: null };
  return { rounds, batch, radix: radix!, node: new Decimal(node), deviation: new Decimal(deviation!) };
}

/** A run as it stands in a file. */
export interface ReadRun {
  readonly state: RunState;
  /** The file that it was written into. */
  readonly home: string;
  /** The file in which the run went on, where it did so; a line that was not finished says nothing. */
  readonly next: string | null;
  /** The bytes without the line that says where it went on. */
  readonly length: number;
}

/** Reads the text of a run. */
export function readRun(whole: string): ReadRun | Unreadable {
  const text = whole.slice(0, whole.indexOf('\n') + 1);
  if (!SCHEMA.test(whole)) return 'not-a-run';
  const end = HASH.exec(text);
  if (hashOf(text.slice(0, end?.index)) !== end?.[1]) return 'damaged-run';
  const { home, simulated, answered, taken = null, progress, ...rest } = JSON.parse(text) as Written;
  if (rest.c === null) return 'run-with-y';
  const { id, experts, names, cap, ledger, epsilon, delta } = rest;
  const setting = settingOf(rest);
  return {
    home,
    next: SUPERSEDED.exec(whole.slice(text.length))?.[1] ?? null,
    length: Buffer.byteLength(text),
    state: {
      header: { id, experts, names, cap, ledger, setting, epsilon: new Decimal(epsilon), delta: new Decimal(delta) },
      answered,
      taken,
      simulated,
      progress: progress && progressOf(progress),
    },
  };
}
