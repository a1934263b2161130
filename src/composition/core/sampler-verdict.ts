import type { TrainingScheme } from '../../privacy/mechanism.ts';

/** What a test looks at, or what a scheme never does. */
export type FactId =
  | 'exact-sizes'
  | 'total'
  | 'largest'
  | 'smallest'
  | 'whole-epochs'
  | 'once'
  | 'shared'
  | 'first-sizes'
  | 'equal-epochs'
  | 'same-place'
  | 'disjoint-pairs'
  | 'most-shared'
  | 'least-shared'
  | 'disjoint-epochs'
  | 'size'
  | 'twice'
  | 'not-once'
  | 'epoch-total'
  | 'no-whole-batches';

/** Something that was seen in a log. */
export interface Fact {
  readonly id: FactId;
  readonly observed: number;
  /** What is observed is a number of so many; null where it is none. */
  readonly of: number | null;
  /** Its mean under the scheme, about; of what is impossible, the only possible number; null where that says nothing. */
  readonly expected: number | null;
  /** The batch, or epoch, in which it was seen, from 1; null where it was in all. */
  readonly at: number | null;
}

/** Whether a log can come from a scheme. Never that it does: the tests look at a few facts of many. */
export type Verdict = 'impossible' | 'contradicted' | 'not-contradicted';

/** What a log says of a scheme. */
export interface SchemeVerdict {
  readonly scheme: TrainingScheme;
  readonly verdict: Verdict;
  /**
   * At least the chance that a scheme has any fact as extreme: the smallest of its tests, times their number (Bonferroni); 0 where
   * the log is impossible; null where nothing is tested.
   */
  readonly pValue: number | null;
  /** How many tests were fixed beforehand. */
  readonly tests: number;
  /** The fact that contradicts, or the least likely one; null where nothing is tested. */
  readonly fact: Fact | null;
}
