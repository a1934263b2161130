import { Decimal, decimalFromDouble } from '../../numeric/decimal.ts';
import { relativeWidth } from '../../numeric/enclosure.ts';
import type { Query } from '../../privacy/query.ts';
import { verdictOn, type Budget } from '../budget.ts';
import { compose, type ComposeOptions, type Problem } from '../compose.ts';
import type { Answer, Refusal } from '../outcome.ts';
import { flatEntries } from '../plan-node.ts';
import { jointParameter } from './joint-parameter.ts';
import { largestCount, largestMultiple } from './largest-count.ts';
import { largestJointParameter } from './largest-parameter.ts';
import { mechanismsIn, withMechanisms, type PlacedEntry } from './mechanisms.ts';
import type { ParameterName } from './parameter.ts';
import type { Next } from './varied.ts';

/** What may be asked of mechanisms within a budget: how many of them, or how little private each of them may be. */
export type Unknown = 'count' | 'parameter';

/** A question about mechanisms within a budget. */
export interface SolveQuestion {
  readonly problem: Problem;
  readonly unknown: Unknown;
  /** The mechanisms that vary, in the order of the document (`mechanismsIn`); at least one. */
  readonly varied: readonly number[];
  readonly budget: Budget;
}

/**
 * What is solved for: the count of one mechanism, a multiple of the counts of several, a parameter of mechanisms, or what
 * all together cost.
 */
export type SolvedName = 'count' | 'multiple' | ParameterName | 'total-epsilon' | 'total-delta';

/**
 * solved: the last value within the budget; unbounded: every value is within; never: none is, nor is what is held alone
 * where the mechanisms that vary cost nothing or are left out; refused: no theorem covers it.
 */
export type SolveOutcome =
  | {
      readonly kind: 'solved' | 'unbounded';
      readonly name: SolvedName;
      readonly value: Decimal;
      /** The mechanisms that vary, with that value; none where the count is 0. */
      readonly entries: readonly PlacedEntry[];
      /** What shows that it is within; null where nothing is left to compose. */
      readonly answer: Answer | null;
      /** What is known of the next larger value (of noise: the next smaller). */
      readonly next: Next;
    }
  | {
      readonly kind: 'never';
      readonly name: SolvedName;
      /** The least that is known, at the delta of the budget. */
      readonly answer: Answer;
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

interface Found {
  readonly value: Decimal;
  readonly next: Next;
  readonly entries: readonly PlacedEntry['entry'][];
}

function search({ problem, unknown, varied, budget }: SolveQuestion, options: ComposeOptions): Found | null {
  if (unknown === 'parameter') return largestJointParameter(problem, varied, budget, options);
  const entries = placed(problem, varied).map(({ entry }) => entry);
  const [only, ...others] = varied;
  const single = only !== undefined && others.length === 0;
  const found = single
    ? largestCount(problem, only, budget, options)
    : largestMultiple(problem, varied, budget, options);
  if (found === null) return null;
  const { count, next } = found;
  return {
    value: new Decimal(count),
    next,
    entries: entries.map((entry) => ({ ...entry, count: single ? count : entry.count * count })),
  };
}

const placed = ({ entries }: Problem, varied: readonly number[]): PlacedEntry[] => {
  const all = mechanismsIn(entries);
  return varied.flatMap((index) => all[index] ?? []);
};

function nameOf({ problem, unknown, varied }: SolveQuestion): SolvedName {
  if (unknown === 'count') return varied.length === 1 ? 'count' : 'multiple';
  const parameter = jointParameter(placed(problem, varied).map(({ entry }) => entry.mechanism));
  if (parameter === null) throw new RangeError('a mechanism that varies has no parameter');
  return parameter.name;
}

/** The answer that shows a problem to be within a budget. */
function decisive(problem: Problem, budget: Budget, options: ComposeOptions): Answer {
  const verdict = verdictOn(problem, budget, options);
  if (verdict.kind === 'refused') throw new Error('a composition within a budget is not covered');
  if (verdict.delta === null) return verdict.answer;
  const byDelta = compose(problem, { solveFor: 'delta', epsilon: budget.epsilon }, options);
  return byDelta.kind === 'answer' ? byDelta.answer : verdict.answer;
}

/** Without the mechanisms that vary, in a list; null where there is structure. */
function held(problem: Problem, varied: readonly number[]): Problem | null {
  const entries = flatEntries(problem.entries);
  return entries === null ? null : { ...problem, entries: entries.filter((_, index) => !varied.includes(index)) };
}

/** Where not even one of the mechanisms that vary is within a budget. */
function none(question: SolveQuestion, name: SolvedName, options: ComposeOptions): SolveOutcome {
  const { problem, unknown, varied, budget } = question;
  const first = verdictOn(problem, budget, options);
  if (first.kind === 'refused') return first;
  const without = unknown === 'count' ? held(problem, varied) : null;
  if (without === null) return { kind: 'never', name, answer: first.answer };
  const zero = { kind: 'solved', name, value: new Decimal(0), entries: [] } as const;
  const next: Next = first.kind === 'exceeds' ? 'exceeds' : 'undecided';
  if (without.entries.length === 0) return { ...zero, answer: null, next };
  const rest = verdictOn(without, budget, options);
  if (rest.kind === 'refused') return rest;
  if (rest.kind !== 'within') return { kind: 'never', name, answer: rest.answer };
  return { ...zero, answer: decisive(without, budget, options), next };
}

/**
 * The largest count or the least private parameter of some mechanisms (of several a common multiple, or a common factor)
 * with which a composition is within a budget, all others held.
 *
 * What is found is shown to be within by upper ends; `next` says what is known of the next larger value, of counts the
 * next whole number, of parameters the next decimal of 12 digits.
 */
export function solve(question: SolveQuestion, options: ComposeOptions = {}): SolveOutcome {
  const { problem, varied, budget } = question;
  const name = nameOf(question);
  const found = search(question, options);
  if (found === null) return none(question, name, options);
  const { value, next } = found;
  const entries = placed(problem, varied).map(({ path }, at) => ({ path, entry: found.entries[at]! }));
  const replacements = new Map(varied.map((index, at) => [index, found.entries[at]!]));
  const solved = { ...problem, entries: withMechanisms(problem.entries, replacements) };
  return {
    kind: next === 'none' ? 'unbounded' : 'solved',
    name,
    value,
    entries,
    answer: decisive(solved, budget, options),
    next,
  };
}

/** A total that is known so well is the smallest that can be claimed, to all that matters. */
const CLOSE = 1e-9;

/** What all mechanisms cost together: the smallest epsilon at a delta, or the smallest delta at an epsilon. */
export function solveTotal(problem: Problem, query: Query, options: ComposeOptions = {}): SolveOutcome {
  const outcome = compose(problem, query, options);
  if (outcome.kind === 'refusal') return { kind: 'refused', refusal: outcome.refusal };
  const { answer } = outcome;
  const { solveFor } = query;
  const total = answer[solveFor];
  const name = `total-${solveFor}` as const;
  if (total.upper === Infinity) return { kind: 'never', name, answer };
  return {
    kind: 'solved',
    name,
    value: total.exact === undefined ? decimalFromDouble(total.upper) : new Decimal(total.exact),
    entries: [],
    answer,
    next: relativeWidth(total) <= CLOSE ? 'exceeds' : 'undecided',
  };
}
