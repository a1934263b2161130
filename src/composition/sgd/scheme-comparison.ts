import type { LowerBound, Bracket } from '../../numeric/enclosure.ts';
import { TRAINING_SCHEMES, type TrainingScheme } from '../../privacy/mechanism.ts';
import { sgd, type SgdOptions, type SgdQuestion } from './sgd.ts';
import { isWhole } from './training.ts';

/** What training costs, whichever way its batches are drawn; the scheme of its training says nothing. */
export type CostQuestion = Extract<SgdQuestion, { readonly kind: 'cost' }>;

/** Why there is no upper bound: B does not divide N, a part of an epoch, no theorem on the scheme, or none that applies. */
export type NoUpperBound = 'no-whole-batches' | 'no-whole-epochs' | 'no-theorem' | 'no-bound';

/** The same training with batches that are drawn one way. */
export interface SchemeRow {
  readonly scheme: TrainingScheme;
  /** Null where there is no upper bound. */
  readonly cost: Bracket | null;
  /** What it costs at least; null where nothing is known. */
  readonly least: LowerBound | null;
  /** Null where there is an upper bound. */
  readonly reason: NoUpperBound | null;
}

/** One training, drawn in every way. */
export interface SchemeComparison {
  readonly question: CostQuestion;
  readonly rows: readonly SchemeRow[];
}

function rowOf(question: CostQuestion, scheme: TrainingScheme, options: SgdOptions): SchemeRow {
  const training = { ...question.training, scheme };
  const none = (reason: NoUpperBound, least: LowerBound | null = null): SchemeRow => ({
    scheme,
    cost: null,
    least,
    reason,
  });
  if (scheme === 'random-allocation') {
    if (training.examples % training.batch !== 0) return none('no-whole-batches');
    if (!isWhole(training, question.length)) return none('no-whole-epochs');
  }
  const outcome = sgd({ ...question, training, every: null }, options);
  if (outcome.kind === 'refusal') {
    const { refusal } = outcome;
    return refusal.code === 'shuffled-batches' ? none('no-theorem', refusal.least) : none('no-bound');
  }
  const { trained } = outcome.answer;
  if (trained === null) throw new Error('A run of which nothing is open has a cost.');
  const cost = trained.answer[trained.answer.query.solveFor];
  return { scheme, cost, least: cost.lower === 0 ? null : cost.lower, reason: null };
}

/** One training, and what it costs for each way to draw its batches: each as {@link sgd} answers it. */
export const compareSchemes = (question: CostQuestion, options: SgdOptions = {}): SchemeComparison => ({
  question,
  rows: TRAINING_SCHEMES.map((scheme) => rowOf(question, scheme, options)),
});
