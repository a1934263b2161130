import { createSession } from '../../bounds/core/session.ts';
import { compose, type ComposeOptions } from '../../composition/compose/compose.ts';
import type { Outcome } from '../../composition/core/outcome.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import type { Query } from '../../privacy/query.ts';
import { batchLine, mistakesText, outcomeText } from '../../report/compose/batch-json.ts';
import type { SpecFlags } from '../../document/flags/command-line.ts';
import { jsonText } from '../../document/syntax/json-text.ts';
import { normalForm } from '../../document/structure/normal-form.ts';
import { readLine } from '../../document/read-line.ts';
import { requireTarget } from '../../document/require-target.ts';
import type { InputError, Specification } from '../../document/core/specification.ts';
import { LONGEST_LINE } from './blocks.ts';
import type { Tally } from './tally.ts';
import { VERSION } from '../kit/version.ts';

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
    const said = 'message' in target ? wrong([target], 0, line) : this.#composed(result.specification, target);
    return this.#put(said, line, idText, tally);
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
