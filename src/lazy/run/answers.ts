import type { Answers } from './run-state.ts';

/** Collects the answers to an input. */
export class AnswerList {
  readonly #first: number;
  readonly #changes: [round: number, expert: number | null][] = [];
  #last: number;
  #expert: number | null | undefined;

  /** `first`: the round of the first answer. */
  constructor(first: number) {
    this.#first = first;
    this.#last = first - 1;
  }

  /** The expert of the next round; null when the run is over. */
  add(expert: number | null): void {
    this.#last++;
    if (expert === this.#expert) return;
    this.#expert = expert;
    this.#changes.push([this.#last, expert]);
  }

  get count(): number {
    return this.#last - this.#first + 1;
  }

  get answers(): Answers {
    return { first: this.#first, last: this.#last, changes: this.#changes };
  }
}

/** One answer after the other. */
export function* each({
  last,
  changes,
}: Answers): Generator<{ readonly round: number; readonly expert: number | null }> {
  for (const [i, [from, expert]] of changes.entries()) {
    const to = changes[i + 1]?.[0] ?? last + 1;
    for (let round = from; round < to; round++) yield { round, expert };
  }
}
