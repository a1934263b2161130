import { createSession } from '../../bounds/core/session.ts';
import { compose, type ComposeOptions } from '../../composition/compose/compose.ts';
import type { Outcome } from '../../composition/core/outcome.ts';
import type { InputError, Specification } from '../../document/core/specification.ts';
import type { SpecFlags } from '../../document/flags/command-line.ts';
import { jsonText, readLine, requireTarget } from '../../document/read-specification.ts';
import { normalForm } from '../../document/structure/normal-form.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import type { Query } from '../../privacy/curve.ts';
import { batchLine, mistakesText, outcomeText } from '../../output/compose/batch-json.ts';
import { VERSION } from '../kit/io.ts';

/** Lines that follow each other. */
export interface Block {
  /** The number of the first one, from 1. */
  readonly first: number;
  /** The lines, without the end of the last one; null for one line that is too long. */
  readonly bytes: Uint8Array | null;
}

/** The longest line that is read, in bytes. */
export const LONGEST_LINE = 64 * 1024 * 1024;

/** The most lines of a block: few enough that slow lines are shared out evenly. */
const MOST_LINES = 32;

const LINE_FEED = 10;

/** Text in blocks of whole lines, each as soon as its last line has ended; no more than one line is kept. */
export async function* blocksOf(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Block> {
  let first = 1;
  /** The parts so far of a line that has not ended, and its length; of one that is too long nothing is kept. */
  let begun: Uint8Array[] = [];
  let size = 0;
  const block = (rest: Uint8Array): Block => {
    const bytes = size + rest.length > LONGEST_LINE ? null : Buffer.concat([...begun, rest]);
    [begun, size] = [[], 0];
    return { first, bytes };
  };
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk as Uint8Array);
    let start = 0;
    for (let lines = 1, end = bytes.indexOf(LINE_FEED); end >= 0; lines++) {
      const next = bytes.indexOf(LINE_FEED, end + 1);
      // A line that began in an earlier chunk may be long: it stands alone.
      if (lines === MOST_LINES || next < 0 || size > 0) {
        yield block(bytes.subarray(start, end));
        first += lines;
        start = end + 1;
        lines = 0;
      }
      end = next;
    }
    size += bytes.length - start;
    if (size > LONGEST_LINE) begun = [];
    else begun.push(bytes.subarray(start));
  }
  if (size > 0) yield block(new Uint8Array());
}

/** How many lines were answered (of them with warnings), refused for want of a theorem, and wrong. */
export interface Tally {
  answered: number;
  warned: number;
  refused: number;
  wrong: number;
}

/** Of no lines. */
export const emptyTally = (): Tally => ({ answered: 0, warned: 0, refused: 0, wrong: 0 });

/** Adds `other` to `tally`. */
export function addTally(tally: Tally, other: Readonly<Tally>): void {
  tally.answered += other.answered;
  tally.warned += other.warned;
  tally.refused += other.refused;
  tally.wrong += other.wrong;
}

/** How lines are answered. */
export interface BatchOptions {
  readonly flags: SpecFlags;
  readonly work: Pick<ComposeOptions, 'bounds' | 'tolerance'>;
}

/** The output for a line, and how it is counted. */
interface Said {
  readonly text: string;
  readonly as: 'answered' | 'refused' | 'wrong';
  readonly warned: boolean;
}

const TOO_LONG: InputError = {
  code: 'too-large',
  path: 'document',
  message: `this line is longer than ${LONGEST_LINE / 2 ** 20} MB`,
  hint: 'Join equal mechanisms into one entry with "count".',
};

/** Answers kept, and the longest question (in characters) whose answer is. */
const MOST_KEPT = 4096;
const LONGEST_KEPT = 4096;

/** Only spaces, tabs and carriage returns. */
const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);

/** The errors of a line: within it they stand in its line 1. */
const wrong = (errors: readonly InputError[], more: number, line: number): Said => ({
  text: mistakesText(
    errors.map((error) => (error.line === undefined ? error : { ...error, line })),
    more,
  ),
  as: 'wrong',
  warned: false,
});

const outcomeSaid = (outcome: Outcome): Said => ({
  text: outcomeText(outcome),
  as: outcome.kind === 'answer' ? 'answered' : 'refused',
  warned: outcome.kind === 'answer' && outcome.answer.warnings.length > 0,
});

/**
 * Answers lines one by one. The output for a line depends on nothing but the line and the options; answers are kept as
 * a whole, and what several lines need is computed once.
 */
export class LineAnswers {
  readonly #options: BatchOptions;
  readonly #kept = new LruCache<Said>(MOST_KEPT);
  readonly #session = createSession();

  constructor(options: BatchOptions) {
    this.#options = options;
  }

  /**
   * The line of output, with the number of the line of input; empty for a blank line.
   *
   * @param bytes - the line without its end; null where it was too long to be kept
   */
  answer(bytes: Uint8Array | null, line: number, tally: Tally): string {
    if (bytes === null) return this.#put(wrong([TOO_LONG], 0, line), line, null, tally);
    if (isBlank(bytes)) return '';
    const { id, result } = readLine(bytes, this.#options.flags);
    const idText = id === undefined ? null : jsonText(id);
    if (result.kind === 'errors') return this.#put(wrong(result.errors, result.more, line), line, idText, tally);
    if (result.kind === 'refusal') return this.#put(outcomeSaid(result), line, idText, tally);
    const target = requireTarget(result.specification);
    const answer = 'message' in target ? wrong([target], 0, line) : this.#composed(result.specification, target);
    return this.#put(answer, line, idText, tally);
  }

  #put({ text, as, warned }: Said, line: number, id: string | null, tally: Tally): string {
    tally[as]++;
    if (warned) tally.warned++;
    return batchLine(line, id, text, VERSION);
  }

  #composed(specification: Specification, target: Query): Said {
    const make = (): Said =>
      outcomeSaid(compose(specification, target, { ...this.#options.work, session: this.#session }));
    // None of these has a say in the answer.
    const key = JSON.stringify(normalForm({ ...specification, name: null, neighbours: null, design: null }));
    return key.length <= LONGEST_KEPT ? this.#kept.get(key, make) : make();
  }
}
