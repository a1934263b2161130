import type { Entry } from '../../privacy/mechanism.ts';
import { verdictOn, type Budget, type Verdict } from '../budget.ts';
import type { ComposeOptions, Problem } from '../compose.ts';
import type { Tried } from './last-passing.ts';
import { mechanismsIn, withMechanisms } from './mechanisms.ts';

/**
 * Why the next larger value is not the answer. exceeds: for certain no correct claim is within the budget; undecided: it
 * cannot be shown to be within; refused: no theorem covers it; none: there is no larger one; unknown: the search was cut
 * short.
 */
export type Next = Exclude<Verdict['kind'], 'within'> | 'none' | 'unknown';

/** A problem of which some mechanisms vary together against a budget. */
export class Varied {
  /** The mechanisms that vary. */
  readonly entries: readonly Entry[];
  readonly #problem: Problem;
  readonly #indices: readonly number[];
  readonly #budget: Budget;
  readonly #options: ComposeOptions;
  readonly #tried = new Map<number, Verdict['kind']>();

  /** @param indices - of the mechanisms, in the order of the document (`mechanismsIn`); at least one */
  constructor(problem: Problem, indices: readonly number[], budget: Budget, options: ComposeOptions) {
    const placed = mechanismsIn(problem.entries);
    this.entries = indices.map((index) => {
      const found = placed[index];
      if (found === undefined) throw new RangeError(`there is no mechanism of index ${index}`);
      return found.entry;
    });
    this.#problem = problem;
    this.#indices = indices;
    this.#budget = budget;
    this.#options = options;
  }

  /** The problem with other mechanisms in place. */
  problemWith(entries: readonly Entry[]): Problem {
    const replacements = new Map(this.#indices.map((index, at) => [index, entries[at]!]));
    return { ...this.#problem, entries: withMechanisms(this.#problem.entries, replacements) };
  }

  /** The verdict with other mechanisms in place. */
  verdictWith(entries: readonly Entry[]): Verdict {
    return verdictOn(this.problemWith(entries), this.#budget, this.#options);
  }

  /** Tries other mechanisms as a step of a search. */
  attempt(step: number, entries: readonly Entry[]): Tried {
    const verdict = this.verdictWith(entries);
    this.#tried.set(step, verdict.kind);
    const upper = verdict.kind === 'refused' ? Infinity : verdict.answer.epsilon.upper;
    const excess = Math.log(upper) - Math.log(this.#budget.epsilon.toNumber());
    return { passes: verdict.kind === 'within', excess: Number.isFinite(excess) ? excess : NaN };
  }

  /** What came of the step after the one that was found. */
  nextOf(step: number, last: number): Next {
    if (step === last) return 'none';
    const kind = this.#tried.get(step + 1);
    return kind === undefined || kind === 'within' ? 'unknown' : kind;
  }
}
