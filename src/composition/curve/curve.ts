import type { Entry } from '../../privacy/mechanism.ts';
import { mapNodes, flatEntries, isEntry, type PlanNode } from '../core/plan-node.ts';
import type { BoundId, Inapplicability, RowId } from '../../bounds/core/bound.ts';
import { createSession } from '../../bounds/core/session.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { Bracket, LowerBound } from '../../numeric/enclosure.ts';
import { queryAt, type Query } from '../../privacy/curve.ts';
import { withKey } from '../../privacy/mechanism-key.ts';
import { compose, type ComposeOptions, type Problem } from '../compose/compose.ts';
import { answererOf, type Answerer } from '../entries/compose-entries.ts';
import { eachOnce, type Outcome, type Refusal, type Warning } from '../core/outcome.ts';
import { isUsual, USUAL_SETTING } from '../core/setting.ts';

/** The same nodes with another count of `entry`, which is one of them or stands anywhere below them. */
export const withCount = (nodes: readonly PlanNode[], entry: Entry, count: number): readonly PlanNode[] =>
  mapNodes(nodes, (node) => (node === entry ? { ...entry, count } : node));

/**
 * Along what a curve runs: a delta or an epsilon that is given; the count of one of the mechanisms; or how many times a
 * list of mechanisms is run.
 */
export type Along =
  | { readonly name: 'delta' | 'epsilon' | 'times' }
  /** `entry` is one of those of the problem, itself. */
  | { readonly name: 'count'; readonly entry: Entry };

/** A curve: what is solved for, at each of several values. */
export interface CurveQuestion {
  readonly problem: Problem;
  readonly along: Along;
  /** At least one, ascending and different; for count and times whole numbers from 1 to 2^53 - 1. */
  readonly values: readonly Decimal[];
  readonly solveFor: Query['solveFor'];
  /** The other one of epsilon and delta; null where the curve runs along it. */
  readonly given: Decimal | null;
}

export interface CurveOptions extends Omit<ComposeOptions, 'progress'> {
  /** Receives how many points are done. */
  readonly progress?: (done: number) => void;
}

/** Why a line has no value at a point. */
export type NoValue = { readonly reason: Inapplicability } | { readonly refusal: Refusal };

/** The value that was solved for, and the bound that gives it; or why there is nothing. */
export type CurvePoint = { readonly value: Bracket; readonly bound: RowId } | NoValue;

/** One line of a chart, with a point for each of the values. */
export interface CurveLine {
  /** A bound; or the claim, which is the best of all of them. */
  readonly id: BoundId | 'claim';
  readonly points: readonly CurvePoint[];
}

export interface CurveAnswer {
  readonly question: CurveQuestion;
  /** The bounds that were asked for, in their order; the claim where none was. */
  readonly lines: readonly CurveLine[];
  readonly warnings: readonly Warning[];
}

/** A curve, or why no point of it can be answered. */
export type CurveOutcome =
  { readonly kind: 'curve'; readonly curve: CurveAnswer } | { readonly kind: 'refusal'; readonly refusal: Refusal };

/** Every mechanism of a plain list `times` times. */
const repeated = (nodes: readonly PlanNode[], times: number): readonly PlanNode[] =>
  nodes.map((node) => {
    if (!isEntry(node)) throw new Error('Only a plain list of mechanisms is run several times.');
    return { ...node, count: node.count * times };
  });

function problemAt({ problem, along }: CurveQuestion, value: Decimal): Problem {
  const { entries } = problem;
  if (along.name === 'count') return { ...problem, entries: withCount(entries, along.entry, value.toNumber()) };
  return along.name === 'times' ? { ...problem, entries: repeated(entries, value.toNumber()) } : problem;
}

/** Answers queries about a problem, and keeps the work of one query for the next. */
function answererFor(problem: Problem, options: ComposeOptions): Answerer {
  const entries = flatEntries(problem.entries);
  const isPlain = entries !== null && isUsual(problem.setting ?? USUAL_SETTING);
  return isPlain
    ? answererOf({ ...problem, entries }, { ...options, claimOnly: true })
    : (query) => compose(problem, query, options);
}

/** The answer at each of the values. */
function outcomesOf(question: CurveQuestion, options: CurveOptions): Outcome[] {
  const { values, along, given, problem, solveFor } = question;
  const { progress, ...rest } = options;
  const effort: ComposeOptions = { session: createSession(), ...rest };
  const sameProblem = along.name === 'delta' || along.name === 'epsilon' ? answererFor(problem, effort) : null;
  const sameQuery = given === null ? null : withKey(queryAt(solveFor, given));
  return values.map((value, done) => {
    progress?.(done);
    return sameProblem?.(queryAt(solveFor, value)) ?? answererFor(problemAt(question, value), effort)(sameQuery!);
  });
}

function claimAt(outcome: Outcome, solveFor: Query['solveFor']): CurvePoint {
  if (outcome.kind === 'refusal') return { refusal: outcome.refusal };
  const { answer } = outcome;
  return { value: answer[solveFor], bound: answer.bound };
}

function boundAt(id: BoundId, outcome: Outcome, solveFor: Query['solveFor']): CurvePoint {
  const rows =
    outcome.kind === 'answer'
      ? outcome.answer.bounds
      : outcome.refusal.code === 'no-bound'
        ? outcome.refusal.bounds
        : [];
  const row = rows.find((candidate) => candidate.id === id);
  if (row === undefined) return claimAt(outcome, solveFor);
  return row.applies ? { value: row[solveFor], bound: row.id } : { reason: row.reason };
}

/**
 * Points of a function that never falls (or never rises) along the values: what is claimed at one holds before (after) it, and
 * what is certain there after (before) it.
 */
function monotone(points: readonly CurvePoint[], rises: boolean): CurvePoint[] {
  const all = [...points];
  const places = [...points.keys()];
  const upwards = rises ? places : [...places].reverse();
  let highestLower: LowerBound | null = null;
  for (const at of upwards) {
    const point = all[at]!;
    if (!('value' in point)) continue;
    const { lower } = point.value;
    if (lower !== null && (highestLower === null || lower >= highestLower)) highestLower = lower;
    else if (highestLower !== null && highestLower <= point.value.upper)
      all[at] = { ...point, value: { ...point.value, lower: highestLower } };
  }
  let lowestPoint: Extract<CurvePoint, { value: Bracket }> | null = null;
  for (const at of [...upwards].reverse()) {
    const point = all[at]!;
    if (!('value' in point)) continue;
    if (lowestPoint === null || point.value.upper <= lowestPoint.value.upper) lowestPoint = point;
    else all[at] = { value: { lower: point.value.lower, upper: lowestPoint.value.upper }, bound: lowestPoint.bound };
  }
  return all;
}

/** The warnings of all answers, each once; those about one number are left to the points. */
function warningsOf(outcomes: readonly Outcome[]): Warning[] {
  const warnings = outcomes.flatMap((outcome) => (outcome.kind === 'answer' ? outcome.answer.warnings : []));
  const wide = warnings.filter((warning) => warning.code === 'tolerance-not-met');
  const [first] = wide;
  const others = warnings.filter(
    ({ code }) => !['tolerance-not-met', 'delta-infeasible', 'delta-not-covered', 'no-finite-epsilon'].includes(code),
  );
  return [
    ...eachOnce(others),
    ...(first === undefined
      ? []
      : [
          {
            ...first,
            reached: Math.max(...wide.map(({ reached }) => reached)),
            cut: wide.some(({ cut }) => cut),
            rows: wide.length,
          },
        ]),
  ];
}

/**
 * The smallest epsilon or delta along a range of counts, deltas or epsilons: of the best bound, or of each bound in
 * `options.bounds`. Every point is what {@link compose} answers, and is computed once.
 *
 * Where a bound does not apply the line has a gap; refused where no point has an answer.
 */
export function curve(question: CurveQuestion, options: CurveOptions = {}): CurveOutcome {
  const { solveFor } = question;
  const outcomes = outcomesOf(question, options);
  const [first] = outcomes;
  if (first?.kind === 'refusal' && outcomes.every(({ kind }) => kind === 'refusal')) return first;
  const { name } = question.along;
  const line = <Id extends CurveLine['id']>(id: Id, at: (outcome: Outcome) => CurvePoint) => ({
    id,
    points: monotone(outcomes.map(at), name === 'count' || name === 'times'),
  });
  const lines = options.bounds?.map((id) => line(id, (outcome) => boundAt(id, outcome, solveFor))) ?? [
    line('claim', (outcome) => claimAt(outcome, solveFor)),
  ];
  return { kind: 'curve', curve: { question, lines, warnings: warningsOf(outcomes) } };
}
