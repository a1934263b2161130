import type { LowerBound, Bracket } from '../../numeric/enclosure.ts';
import { TRAINING_SCHEMES, type TrainingScheme } from '../../privacy/mechanism.ts';
import { sgd, type SgdOptions, type SgdQuestion } from './sgd.ts';
import { isWhole, milestones, type Length } from './training.ts';

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
  /** The same along the training, the whole last; nothing where that is not asked. */
  readonly course: readonly (Length & Pick<SchemeRow, 'cost' | 'least'>)[];
}

/** One training, drawn in every way. */
export interface SchemeComparison {
  readonly question: CostQuestion;
  readonly rows: readonly SchemeRow[];
}

function rowOf(question: CostQuestion, scheme: TrainingScheme, options: SgdOptions): SchemeRow {
  const training = { ...question.training, scheme };
  const none = (
    reason: NoUpperBound,
    least: LowerBound | null = null,
    course: SchemeRow['course'] = [],
  ): SchemeRow => ({ scheme, cost: null, least, reason, course });
  if (scheme === 'random-allocation') {
    if (training.examples % training.batch !== 0) return none('no-whole-batches');
    if (!isWhole(training, question.length)) return none('no-whole-epochs');
  }
  const outcome = sgd({ ...question, training }, options);
  if (outcome.kind === 'refusal') {
    const { refusal } = outcome;
    if (refusal.code !== 'shuffled-batches') return none('no-bound');
    const { every, noise, length } = question;
    if (every === null) return none('no-theorem', refusal.least);
    const parts = milestones({ ...training, noise, length }, every);
    const course = parts.map((part) => ({
      ...part,
      ...rowOf({ ...question, length: part, every: null }, scheme, options),
    }));
    return none('no-theorem', refusal.least, [...course, { ...length, cost: null, least: refusal.least }]);
  }
  const { trained, milestones: own } = outcome.answer;
  if (trained === null) throw new Error('A run of which nothing is open has a cost.');
  const cost = trained.answer[trained.answer.query.solveFor];
  const leastOf = (one: Bracket | null): LowerBound | null => (one === null || one.lower === 0 ? null : one.lower);
  const course = own.map((part) => ({ ...part, least: leastOf(part.cost) }));
  return { scheme, cost, least: leastOf(cost), reason: null, course };
}

/** One training, and what it costs for each way to draw its batches: each as {@link sgd} answers it, also along the training where that is asked. */
export const compareSchemes = (question: CostQuestion, options: SgdOptions = {}): SchemeComparison => ({
  question,
  rows: TRAINING_SCHEMES.map((scheme) => rowOf(question, scheme, options)),
});
