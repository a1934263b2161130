import type { Decimal } from '../../numeric/decimal.ts';
import type { XoshiroState } from '../../numeric/random.ts';
import { NO_DIGEST } from './loss-units.ts';
import type { Progress, RunTerms } from './learner.ts';

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
