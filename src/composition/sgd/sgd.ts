import { exactly, midpoint, relativeWidth, type Bracket } from '../../numeric/enclosure.ts';
import { gaussianLogDelta } from '../../privacy/gaussian.ts';
import { compose, type Budget, type ComposeOptions, type Problem } from '../compose/compose.ts';
import {
  SENSITIVITY,
  milestones,
  entryOf,
  lengthOfSteps,
  problemOf,
  rateOf,
  stepsOfUnit,
  type Training,
  type Length,
  type Run,
} from './training.ts';
import { NEIGHBOURS_OF } from '../../privacy/sampling/rate.ts';
import type { BoundId } from '../../bounds/core/bound.ts';
import { createSession } from '../../bounds/core/session.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { encloseRational, Rational } from '../../numeric/rational.ts';
import type { Query } from '../../privacy/curve.ts';
import type { Entry, RunLaw } from '../../privacy/mechanism.ts';
import type { Answer, Refusal, Warning } from '../core/outcome.ts';
import { curve } from '../curve/curve.ts';
import { budgetOf, type RiskLimit } from '../risk/limits.ts';
import { solve, type SolveOutcome, type SolveQuestion } from '../solve/solve.ts';

/** Halvings of a range of logarithms. */
const HALVINGS = 40;
const RANGE = { from: Math.log(1e-6), to: Math.log(1e3) };

/** About the mu of the one Gaussian mechanism that a budget allows. */
function muOf({ epsilon, delta }: Budget): number {
  const target = Math.log(delta.toNumber());
  let { from, to } = RANGE;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (from + to) / 2;
    const reached = midpoint(gaussianLogDelta(exactly(Math.exp(middle)), exactly(epsilon.toNumber())));
    if (reached <= target) from = middle;
    else to = middle;
  }
  return Math.exp(from);
}

/** About how many examples of one person a step draws. */
const drawnBy = (training: Training): number => midpoint(encloseRational(rateOf(training))) * (training.records ?? 1);

const sensitivityOf = ({ scheme }: Training): number => SENSITIVITY[NEIGHBOURS_OF[scheme]];

/**
 * Where to look first for the noise that a budget allows: T steps at rate q, noise s over the sensitivity, are about one
 * Gaussian mechanism of mu = q sqrt(T (e^(1/s^2) - 1)). Nothing certain.
 *
 * Source: Bu, Dong, Long, Su, "Deep Learning with Gaussian Differential Privacy" (2020), Theorem 5 (a central limit theorem).
 */
export function likelyNoise(training: Training, steps: number, budget: Budget): number {
  const share = muOf(budget) / drawnBy(training) / Math.sqrt(steps);
  return sensitivityOf(training) / Math.sqrt(Math.log1p(share * share));
}

/** The same for the number of steps that a budget allows; random allocation costs about what Poisson samples do. */
export function likelySteps(training: Training, noise: number, budget: Budget): number {
  const share = muOf(budget) / drawnBy(training);
  return (share * share) / Math.expm1((sensitivityOf(training) / noise) ** 2);
}

/** Two budgets that are apart by so much, relatively, tell a slope. */
const APART = 1e-3;

/** About how fast ln epsilon (ln delta, where epsilon is 0) rises along ln of what varies (of noise: as it falls), `likely` its value that a budget allows. */
export function likelySlope(likely: (budget: Budget) => number, budget: Budget): number {
  const { epsilon, delta } = budget;
  const more = epsilon.isZero()
    ? { epsilon, delta: delta.times(1 + APART) }
    : { delta, epsilon: epsilon.times(1 + APART) };
  return Math.log1p(APART) / Math.abs(Math.log(likely(more)) - Math.log(likely(budget)));
}

/** What is asked of a training: what it costs, the least noise of a budget, or the most steps of it. */
export type SgdQuestion = {
  readonly training: Training;
  /** After how many epochs each its cost is told; usual: as suits its length; null: at the end only. */
  readonly every: Rational | 'usual' | null;
} & (
  | {
      readonly kind: 'cost';
      readonly noise: Decimal;
      readonly length: Length;
      readonly query: Query;
      /** How many such runs a hyperparameter search has, of which the best is released. */
      readonly tuning?: RunLaw;
    }
  | { readonly kind: 'noise'; readonly length: Length; readonly budget: Budget | RiskLimit }
  | { readonly kind: 'steps'; readonly noise: Decimal; readonly budget: Budget | RiskLimit }
);

/** The cost after a part of a run; null where nothing is known. */
export interface Milestone extends Length {
  readonly cost: Bracket | null;
}

/** A search for noise or steps, and what was asked of it. */
export interface SgdSearch {
  readonly question: SolveQuestion;
  readonly outcome: Exclude<SolveOutcome, { readonly kind: 'refused' }>;
}

/** A hyperparameter search, as a selection among runs, and its cost. */
export interface Tuning {
  readonly runs: RunLaw;
  readonly problem: Problem;
  readonly answer: Answer;
}

export interface SgdAnswer {
  readonly question: SgdQuestion;
  /** Null where a cost was asked. */
  readonly search: SgdSearch | null;
  /** The training with what was found, and its cost; null where nothing was. */
  readonly trained: { readonly run: Run; readonly answer: Answer } | null;
  /** What the best of several such runs costs; null where that is not asked. */
  readonly tuning: Tuning | null;
  /** The cost along the training, of which the last is the whole; none where nothing was found. */
  readonly milestones: readonly Milestone[];
  readonly warnings: readonly Warning[];
}

/** An answer, or why there is none. */
export type SgdOutcome =
  { readonly kind: 'answer'; readonly answer: SgdAnswer } | { readonly kind: 'refusal'; readonly refusal: Refusal };

export interface SgdOptions extends Omit<ComposeOptions, 'progress'> {
  /** Receives what is under way, and the share of it that is done, 0 to 1. */
  readonly progress?: (what: string, share: number) => void;
}

/** Significant digits of noise from which a search begins. */
const DIGITS = 4;
const LEAST_START = 1e-2;
const MOST_START = 1e12;

const within = (lower: number, x: number, upper: number): number => Math.min(upper, Math.max(lower, x));

/** What may be spent, or a budget that keeps what is limited. */
function budgetIn({ budget }: Exclude<SgdQuestion, { kind: 'cost' }>): Budget {
  const ownBudget = 'measure' in budget ? budgetOf(budget) : budget;
  if (ownBudget === null) throw new RangeError('no budget keeps this limit');
  return ownBudget;
}

/** A run from which a search begins, and how fast its cost rises there; undefined where nothing is known of that. */
function startOf(question: Exclude<SgdQuestion, { kind: 'cost' }>): { readonly run: Run; readonly slope?: number } {
  const { training, kind } = question;
  const budget = budgetIn(question);
  const likely = (target: Budget): number =>
    kind === 'noise'
      ? likelyNoise(training, question.length.steps, target)
      : likelySteps(training, question.noise.toNumber(), target);
  const [value, slope] = [likely(budget), likelySlope(likely, budget)];
  const steepness = value > LEAST_START && value < MOST_START && slope > 0 && slope < Infinity ? { slope } : {};
  if (kind === 'noise') {
    const noise = new Decimal(within(LEAST_START, value, MOST_START).toPrecision(DIGITS));
    return { run: { ...training, noise, length: question.length }, ...steepness };
  }
  const unit = stepsOfUnit(training);
  const steps = unit * Math.round(within(1, value / unit, MOST_START));
  return { run: { ...training, noise: question.noise, length: lengthOfSteps(training, steps) }, ...steepness };
}

/** A run with the value that a search found. */
const runWith = (start: Run, kind: 'noise' | 'steps', value: Decimal): Run =>
  kind === 'noise'
    ? { ...start, noise: value }
    : { ...start, length: lengthOfSteps(start, value.toNumber() * stepsOfUnit(start)) };

/** The budget's delta, or that of the query; null where delta is asked for, or a risk is limited. */
function deltaOf(question: SgdQuestion): Decimal | null {
  if (question.kind !== 'cost') return 'delta' in question.budget ? question.budget.delta : null;
  return question.query.solveFor === 'epsilon' ? question.query.delta : null;
}

/** A delta of one over the number of examples or more allows for an example that is given away. */
function largeDelta(question: SgdQuestion): Warning[] {
  const delta = deltaOf(question);
  const { examples } = question.training;
  if (delta === null || Rational.ofDecimal(delta).compare(Rational.of(1, examples)) < 0) return [];
  return [{ code: 'large-delta', delta, examples }];
}

/** The costs before the end of a run. */
function costsBefore(run: Run, question: SgdQuestion, query: Query, options: SgdOptions): Milestone[] {
  if (question.every === null) return [];
  const lengths = milestones(run, question.every);
  if (lengths.length === 0) return [];
  const { progress, ...work } = options;
  const entry = entryOf(run);
  const { solveFor } = query;
  const outcome = curve(
    {
      problem: { ...problemOf(run), entries: [entry] },
      along: { name: 'count', entry },
      values: lengths.map(({ steps }) => new Decimal(steps / stepsOfUnit(run))),
      solveFor,
      given: query.solveFor === 'epsilon' ? query.delta : query.epsilon,
    },
    {
      ...work,
      ...(progress && {
        progress: (done) => {
          progress(`part ${String(done + 1)} of ${String(lengths.length + 1)}`, done / lengths.length);
        },
      }),
    },
  );
  const points = outcome.kind === 'curve' ? (outcome.curve.lines[0]?.points ?? []) : [];
  return lengths.map((length, i) => {
    const point = points[i];
    return { ...length, cost: point !== undefined && 'value' in point ? point.value : null };
  });
}

/** The cost of the best of several runs, by all bounds. */
function tuned(run: Run, runs: RunLaw, query: Query, options: SgdOptions) {
  const entry: Entry = {
    mechanism: { type: 'selection', of: [entryOf(run)], runs },
    count: 1,
    kind: 'noninteractive',
    label: null,
  };
  const problem = { ...problemOf(run), entries: [entry] };
  const { bounds: named, ...work } = options;
  // The one bound that is asked for first does not cover selections.
  const isFirst = named?.length === 1 && named[0] === bestBound(options);
  const outcome = compose(problem, query, { ...(isFirst ? work : options), claimOnly: true });
  return outcome.kind === 'refusal' ? outcome : { kind: 'tuning' as const, runs, problem, answer: outcome.answer };
}

/** An answer about a run with its cost per epoch. */
function answered(
  question: SgdQuestion,
  search: SgdSearch | null,
  trained: SgdAnswer['trained'],
  options: SgdOptions,
): SgdOutcome {
  const warnings = [...largeDelta(question), ...(trained?.answer.warnings ?? [])];
  if (trained === null) {
    return { kind: 'answer', answer: { question, search, trained, tuning: null, milestones: [], warnings } };
  }
  const { run, answer } = trained;
  const cost = answer[answer.query.solveFor];
  // What holds for all steps holds for fewer.
  const before = costsBefore(run, question, answer.query, options).map((milestone) =>
    milestone.cost !== null && milestone.cost.upper > cost.upper
      ? { ...milestone, cost: { lower: milestone.cost.lower, upper: cost.upper } }
      : milestone,
  );
  const end = { ...run.length, cost };
  const tuning =
    question.kind === 'cost' && question.tuning ? tuned(run, question.tuning, answer.query, options) : null;
  if (tuning?.kind === 'refusal') return tuning;
  return { kind: 'answer', answer: { question, search, trained, tuning, milestones: [...before, end], warnings } };
}

/** What batches that are shuffled cost at least with what Poisson samples would be allowed. */
function shuffled(question: SgdQuestion, run: Run | null, options: ComposeOptions): SgdOutcome {
  const query =
    question.kind === 'cost' ? question.query : ({ solveFor: 'epsilon', delta: budgetIn(question).delta } as const);
  const outcome = run && compose(problemOf(run), query, options);
  if (outcome?.kind === 'refusal') return outcome;
  return {
    kind: 'refusal',
    refusal: { code: 'shuffled-batches', solveFor: query.solveFor, least: null, asPoisson: null },
  };
}

/** The search for noise or steps. */
function searched(
  question: Exclude<SgdQuestion, { kind: 'cost' }>,
  options: SgdOptions,
):
  | SgdOutcome
  | { readonly kind: 'found'; readonly search: SgdSearch; readonly run: Run | null; readonly answer: Answer | null } {
  const { progress, ...work } = options;
  const { run: start, ...slope } = startOf(question);
  const solveQuestion: SolveQuestion = {
    problem: problemOf(start),
    budget: question.budget,
    unknown: question.kind === 'noise' ? 'parameter' : 'count',
    varied: [0],
  };
  let tried = 0;
  const outcome = solve(solveQuestion, {
    ...work,
    ...slope,
    attempted: (values) => {
      tried = values;
    },
    ...(progress && {
      progress: (what, share) => {
        progress(`attempt ${String(tried + 1)}, ${what}`, share);
      },
    }),
  });
  if (outcome.kind === 'refused') return { kind: 'refusal', refusal: outcome.refusal };
  const solution = outcome.kind === 'cut' ? outcome.within : outcome.kind === 'solved' ? outcome : null;
  const search = { question: solveQuestion, outcome };
  if (solution?.answer == null) return { kind: 'found', search, run: null, answer: null };
  return { kind: 'found', search, run: runWith(start, question.kind, solution.value), answer: solution.answer };
}

/** The one bound that is the best of all, which need not be computed, where it covers what is asked; null where that is not known. */
const bestBound = ({ interrupted }: SgdOptions): BoundId | null =>
  interrupted === undefined ? 'loss-distribution' : null;

/**
 * What training by noisy gradients costs, the smallest noise or the largest number of steps that a budget allows: the
 * composition of all its steps as {@link compose} answers it, and the search of {@link solve}. Shuffled batches are refused,
 * with what they cost at least: where noise or steps are looked for, at those that Poisson samples would allow.
 */
export function sgd(question: SgdQuestion, options: SgdOptions = {}): SgdOutcome {
  const work: SgdOptions = { session: createSession(), ...options };
  const best = work.bounds === undefined ? bestBound(work) : null;
  const outcome = best && sgdBy(question, { ...work, bounds: [best] });
  return outcome !== null && isSharp(outcome) ? outcome : sgdBy(question, work);
}

/** Where an enclosure is wider, relatively, other bounds may be below it. */
const SHARP = 1e-3;

/** Whether no other bound need be asked. */
function isSharp(outcome: SgdOutcome): boolean {
  if (outcome.kind === 'refusal') return outcome.refusal.code !== 'no-bound';
  const { milestones, search } = outcome.answer;
  const isComputedBeyond = search === null || !('next' in search.outcome) || search.outcome.next !== 'refused';
  return isComputedBeyond && milestones.every(({ cost }) => cost !== null && relativeWidth(cost) <= SHARP);
}

function sgdBy(question: SgdQuestion, work: SgdOptions): SgdOutcome {
  const { training } = question;
  if (question.kind === 'cost') {
    const { noise, length, query } = question;
    const run: Run = { ...training, noise, length };
    if (training.scheme === 'shuffled') return shuffled(question, run, work);
    const outcome = compose(problemOf(run), query, work);
    if (outcome.kind === 'refusal') return outcome;
    return answered(question, null, { run, answer: outcome.answer }, work);
  }
  const isShuffled = training.scheme === 'shuffled';
  const outcome = searched(isShuffled ? { ...question, training: { ...training, scheme: 'poisson' } } : question, work);
  if (outcome.kind !== 'found') return outcome;
  const { run, answer, search } = outcome;
  if (isShuffled) return shuffled(question, run && { ...run, scheme: 'shuffled' }, work);
  return answered(question, search, run && answer && { run, answer }, work);
}
