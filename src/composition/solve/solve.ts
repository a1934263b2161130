import { Decimal, decimalFromDouble, toUpper, exactUpper, ZERO, ONE } from '../../numeric/decimal.ts';
import { budgetAt, budgetOf, riskVerdicts, type RateLimit, type RiskLimit } from '../risk/limits.ts';
import { compose, verdictOn, type ComposeOptions, type Problem, type Budget } from '../compose/compose.ts';
import { createSession } from '../../bounds/core/session.ts';
import { relativeWidth } from '../../numeric/enclosure.ts';
import type { Query } from '../../privacy/curve.ts';
import type { Answer, Refusal } from '../core/outcome.ts';
import { flatEntries, type PlanNode, type PlacedNode } from '../core/plan-node.ts';
import type { Beginning, End, Next, SearchOptions } from './largest.ts';
import { largestCount, largestStructureNumber, structureNumber, type StructureNumber } from './largest-count.ts';
import { largestParameter, USUAL_DIGITS, type ParameterOptions } from './largest-parameter.ts';
import { heldFrom, mechanismsIn, nodesIn, withNode } from './mechanisms.ts';
import type { ParameterName } from '../../privacy/mechanisms/record.ts';

/** How far apart epsilons are whose lines are compared, relatively; near 0 as far as this. */
const APART = 0.05;
const SMALLEST = 1e-3;

/** Gains of less than this, relatively to the limit, are none. */
const GAIN = 1e-8;

/** A budget, and how much more delta it has than a problem needs. */
interface Room {
  readonly budget: Budget;
  readonly room: number;
}

/**
 * A budget within which a true-positive rate stays below its limit, and which leaves more room for a problem than that of
 * an epsilon at hand; null where none near it does. Each epsilon has such a budget, and one of them is just as large as the
 * rate allows: where e^epsilon a + delta(epsilon) is smallest: to that a parabola through three of its points leads, or it is the
 * largest loss, where delta has a corner. Any of them is sound.
 */
function betterBudget(
  problem: Problem,
  limit: RateLimit,
  { epsilon: at }: Budget,
  options: ComposeOptions,
): Budget | null {
  const middle = at.toNumber();
  const step = Math.max(SMALLEST, APART * middle);
  const roomAt = (x: number): Room | null => {
    const epsilon = decimalFromDouble(Math.max(0, x));
    const budget = budgetAt(limit, epsilon);
    if (budget === null) return null;
    const outcome = compose(problem, { solveFor: 'delta', epsilon }, options);
    return outcome.kind === 'refusal' ? null : { budget, room: toUpper(budget.delta) - outcome.answer.delta.upper };
  };
  const [left, middleRoom, right] = [roomAt(middle - step), roomAt(middle), roomAt(middle + step)];
  if (middleRoom === null) return null;
  const [before, after] = [left?.room ?? NaN, right?.room ?? NaN];
  const vertex = middle + (step * (before - after)) / (2 * (before + after - 2 * middleRoom.room));
  const largest = compose(problem, { solveFor: 'epsilon', delta: ZERO }, options);
  const ends = [vertex, largest.kind === 'answer' ? largest.answer.epsilon.upper : Infinity].filter(Number.isFinite);
  const all = [left, right, ...ends.map(roomAt)].filter((candidate) => candidate !== null);
  const best = all.reduce((max, candidate) => (candidate.room > max.room ? candidate : max), middleRoom);
  return best.room - middleRoom.room > GAIN * limit.most.toNumber() ? best.budget : null;
}

/**
 * A question about a composition within a budget: how many mechanisms there may be, or how little private each of them;
 * or a number of a node that holds others.
 */
export type SolveQuestion = {
  readonly problem: Problem;
  /** What may be spent, or how well neighbouring data may be told apart. */
  readonly budget: Budget | RiskLimit;
} & Unknown;

/** The same within a budget. */
type BudgetQuestion = SolveQuestion & { readonly budget: Budget };

export type Unknown =
  | {
      /** reports: how many are shuffled. */
      readonly unknown: 'count' | 'parameter' | 'reports';
      /** The mechanisms that vary, in the order of the document (`mechanismsIn`); at least one. */
      readonly varied: readonly number[];
    }
  | {
      readonly unknown: StructureNumber;
      /** The node that has it: `mechanisms[2].of`. */
      readonly path: string;
    };

/**
 * The unknown that is solved for: the count of one mechanism, a multiple of the counts of several, a parameter of mechanisms, a number
 * of a node, or what all together cost.
 */
export type SolvedName = 'count' | 'multiple' | ParameterName | StructureNumber | 'total-epsilon' | 'total-delta';

/** A value that is shown to be within a budget. */
export interface Solution {
  readonly value: Decimal;
  /** The nodes that vary, with that value; none where the count is 0. */
  readonly nodes: readonly PlacedNode[];
  /** The answer that shows it to be within; null where nothing is left to compose. */
  readonly answer: Answer | null;
}

/** The last value that was found to be within, near to which that ends; or, where every value is, the last of all. */
export interface Ended extends Solution {
  readonly kind: 'solved' | 'unbounded';
  readonly name: SolvedName;
  /** The verdict on the next larger value (of noise: the next smaller). */
  readonly next: Next;
  /** The first value beyond that which is certain to exceed the budget; null where none is known. */
  readonly exceeding: Decimal | null;
  /** Whether all values beyond that are known to exceed it too. */
  readonly isSteady: boolean;
  /** The digits that a decimal was looked for in; null for whole numbers and totals. */
  readonly digits: number | null;
}

/** The state of a search when time was up. */
export interface Cut extends Pick<Ended, 'name' | 'exceeding' | 'isSteady'> {
  readonly kind: 'cut';
  /** The last value that was shown to be within; null where none was. */
  readonly within: Solution | null;
}

/** Nothing fits: not the least that was tried, nor what is held alone where the mechanisms that vary may be left out. */
export interface Never extends Pick<Ended, 'name'> {
  readonly kind: 'never';
  /** The reason: what does not vary, or the least value that was tried. */
  readonly of: 'held' | 'least';
  /** Whether that is certain to exceed the budget, or only not shown to be within. */
  readonly isCertain: boolean;
  /** The answer that decides it. */
  readonly answer: Answer;
}

/** The result of a question; refused: no theorem covers it. */
export type SolveOutcome = Ended | Cut | Never | { readonly kind: 'refused'; readonly refusal: Refusal };

export type SolveOptions = SearchOptions & Pick<ParameterOptions, 'digits'>;

/** The end of a search, whatever it was for. */
interface SearchResult extends End<Decimal> {
  readonly name: SolvedName;
  readonly isSteady: boolean;
  readonly digits: number | null;
  readonly nodesWith: (value: Decimal) => readonly PlacedNode[];
}

const decimalOf = (value: number | null): Decimal | null => (value === null ? null : new Decimal(value));

/** A whole number that was searched for, as a decimal. */
function whole(end: End<number>, name: SolvedName, nodesWith: (value: number) => readonly PlacedNode[]): SearchResult {
  const { within, exceeding, ...rest } = end;
  return {
    ...rest,
    within: decimalOf(within),
    exceeding: decimalOf(exceeding),
    name,
    isSteady: true,
    digits: null,
    nodesWith: (value) => nodesWith(value.toNumber()),
  };
}

function searched(question: BudgetQuestion, options: SolveOptions & Beginning): SearchResult {
  const { problem, budget, unknown } = question;
  const { digits = USUAL_DIGITS, ...work } = options;
  if ('path' in question) {
    const placed = nodesIn(problem.entries).find(({ path }) => path === question.path);
    if (placed === undefined) throw new RangeError(`there is nothing at ${question.path}`);
    const end = largestStructureNumber(problem, placed, question.unknown, budget, work);
    const own = structureNumber(placed.node, question.unknown);
    const nodesWith = (value: number): PlacedNode[] =>
      own === null ? [] : [{ path: placed.path, node: own.replaced(value) }];
    return whole(end, question.unknown, nodesWith);
  }
  const { varied } = question;
  const all = mechanismsIn(problem.entries);
  const placed = (nodes: readonly PlanNode[]): PlacedNode[] =>
    nodes.map((node, at) => ({ node, path: all[varied[at]!]!.path }));
  if (unknown === 'count') {
    const result = largestCount(problem, varied, budget, work);
    return whole(result, result.name, (value) => placed(result.entriesWith(value)));
  }
  const result = largestParameter(problem, varied, budget, {
    ...work,
    digits,
    name: unknown === 'reports' ? unknown : undefined,
  });
  if (result === null) throw new RangeError('a mechanism that varies has no parameter');
  return { ...result, digits: result.isWhole ? null : digits, nodesWith: (value) => placed(result.entriesWith(value)) };
}

/**
 * Where not even the least that was tried is within a budget: none of the mechanisms where that is within; else nothing,
 * for certain where what is held exceeds the budget by itself.
 */
function none(
  { name, isSteady, verdict, next }: SearchResult,
  question: BudgetQuestion,
  options: ComposeOptions,
): SolveOutcome {
  const { problem, budget, unknown } = question;
  const fixedProblem = 'path' in question ? null : heldFrom(problem, question.varied);
  const alone = fixedProblem && verdictOn(fixedProblem, budget, options);
  const isCount = unknown === 'count' && flatEntries(problem.entries) !== null;
  if (alone?.kind === 'exceeds' || (isCount && alone?.kind === 'undecided')) {
    return { kind: 'never', name, of: 'held', isCertain: alone.kind === 'exceeds', answer: alone.deciding };
  }
  const first = verdict();
  if (first.kind === 'refused') return first;
  if (isCount && alone?.kind !== 'refused') {
    const exceeding = next === 'exceeds' ? ONE : null;
    const solution = { value: ZERO, nodes: [], answer: alone?.deciding ?? null };
    return { kind: 'solved', name, ...solution, next, exceeding, isSteady, digits: null };
  }
  return { kind: 'never', name, of: 'least', isCertain: next === 'exceeds', answer: first.deciding };
}

/** The answer that shows a value to be within. */
function solutionAt(result: SearchResult, value: Decimal): Solution {
  const verdict = result.verdict();
  if (verdict.kind === 'refused') throw new Error('a composition within a budget is not covered');
  return { value, nodes: result.nodesWith(value), answer: verdict.deciding };
}

/**
 * The largest count or the least private parameter of some mechanisms (of several a common multiple, or a common factor),
 * or the largest number of a node, with which a composition is within a budget, all others held.
 *
 * A value is shown to be within by upper ends, and to exceed by lower ends. Between the two it is open.
 */
export function solve(question: SolveQuestion, options: SolveOptions & Beginning = {}): SolveOutcome {
  const work = { session: createSession(), ...options };
  const { budget: limit } = question;
  if (!('measure' in limit)) return withinBudget({ ...question, budget: limit }, work);
  const budget = budgetOf(limit);
  if (budget === null) throw new RangeError('no budget keeps this limit');
  const budgetQuestion: BudgetQuestion = { ...question, budget };
  return limit.measure === 'advantage' ? withinBudget(budgetQuestion, work) : withinRate(budgetQuestion, limit, work);
}

const withinBudget = (question: BudgetQuestion, work: SolveOptions & Beginning): SolveOutcome =>
  outcomeOf(searched(question, work), question, work);

/** Budgets that are tried, one after the other, for a true-positive rate. */
const MOST_BUDGETS = 20;

/** A problem with some nodes in place of those at their places. */
const holding = (problem: Problem, nodes: readonly PlacedNode[]): Problem => ({
  ...problem,
  entries: nodes.reduce((entries, { path, node }) => withNode(entries, path, node), problem.entries),
});

/**
 * The same within a true-positive rate: by the budget that keeps it and leaves most room for what the one before allowed.
 * What exceeds such a budget need not exceed the rate, and is compared with that itself.
 */
function withinRate(question: BudgetQuestion, limit: RateLimit, options: SolveOptions & Beginning): SolveOutcome {
  const { problem } = question;
  let budgetQuestion = question;
  for (let tries = 1; ; tries++) {
    const result = searched(budgetQuestion, options);
    const outcome = outcomeOf(result, budgetQuestion, options);
    if (outcome.kind === 'never') return { ...outcome, isCertain: false };
    if (outcome.kind === 'cut') return { ...outcome, exceeding: null };
    if (outcome.kind !== 'solved') return outcome;
    const isOpen = tries < MOST_BUDGETS && outcome.nodes.length > 0;
    const better = isOpen ? betterBudget(holding(problem, outcome.nodes), limit, budgetQuestion.budget, options) : null;
    if (better !== null) {
      budgetQuestion = { ...budgetQuestion, budget: better };
      continue;
    }
    const { exceeding } = outcome;
    const compared = exceeding && riskVerdicts(holding(problem, result.nodesWith(exceeding)), [limit], options);
    const isCertain = compared?.kind === 'verdicts' && compared.verdicts[0]?.kind === 'exceeds';
    return isCertain ? outcome : { ...outcome, next: 'undecided', exceeding: null };
  }
}

/** The outcome of a search within a budget. */
function outcomeOf(result: SearchResult, question: BudgetQuestion, work: SolveOptions): SolveOutcome {
  const { name, within, exceeding, next, isSteady } = result;
  if (next === 'unknown') {
    return { kind: 'cut', name, within: within && solutionAt(result, within), exceeding, isSteady };
  }
  if (within === null) return none(result, question, work);
  const kind = next === 'none' ? 'unbounded' : 'solved';
  return { kind, name, ...solutionAt(result, within), next, exceeding, isSteady, digits: result.digits };
}

/** The cost of all mechanisms together: the smallest epsilon at a delta, or the smallest delta at an epsilon. */
export function solveTotal(problem: Problem, query: Query, options: ComposeOptions = {}): SolveOutcome {
  const outcome = compose(problem, query, options);
  if (outcome.kind === 'refusal') return { kind: 'refused', refusal: outcome.refusal };
  const { answer } = outcome;
  const { solveFor } = query;
  const total = answer[solveFor];
  const name = `total-${solveFor}` as const;
  if (total.upper === Infinity)
    return { kind: 'never', name, of: 'least', isCertain: total.lower === Infinity, answer };
  const solution = { value: exactUpper(total), nodes: [], answer };
  if (answer.warnings.some(({ code }) => code === 'interrupted')) {
    return { kind: 'cut', name, within: solution, exceeding: null, isSteady: true };
  }
  const next = relativeWidth(total) === 0 ? 'exceeds' : 'undecided';
  return { kind: 'solved', name, ...solution, next, exceeding: null, isSteady: true, digits: null };
}

/** A question about mechanisms within a budget, or about what all mechanisms cost together. */
export type AskedQuestion =
  | { readonly kind: 'within'; readonly question: SolveQuestion }
  | { readonly kind: 'total'; readonly problem: Problem; readonly query: Query };
