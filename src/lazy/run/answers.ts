import type { Answers } from './run-state.ts';

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
export function* each({
  first,
  last,
  changes,
}: Answers): Generator<{ readonly round: number; readonly expert: number | null }> {
  for (const [i, [from, expert]] of changes.entries()) {
    const to = changes[i + 1]?.[0] ?? last + 1;
    for (let round = Math.max(first, from); round < to; round++) yield { round, expert };
  }
}
