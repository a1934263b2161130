import type { Decimal } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import type { Budget } from '../budget.ts';
import { type ComposeOptions, type Problem } from '../compose.ts';
import { composeEntries } from '../compose-entries.ts';
import { largestCount } from '../vary/largest-count.ts';
import { largestParameter } from '../vary/largest-parameter.ts';
import { mechanismsIn } from '../vary/mechanisms.ts';
import { parameterOf, type ParameterName } from '../vary/parameter.ts';
import type { Next } from '../vary/varied.ts';

/** A change of one mechanism with which a composition would be within a budget. */
export type Change = {
  /** Of the mechanism, counted as `mechanismsIn` lists them. */
  readonly index: number;
  /** Its place in the plan: `mechanisms[2].of`. */
  readonly path: string;
  readonly entry: Entry;
  /** What is known of a smaller change of this kind. */
  readonly next: Next;
  /** The share of the mechanism's worth that is left, 0 to 1: of its calls, or of its epsilon. */
  readonly kept: number;
} & (
  | { readonly kind: 'count'; readonly from: number; readonly to: number }
  | { readonly kind: 'parameter'; readonly name: ParameterName; readonly from: Decimal; readonly to: Decimal }
);

export interface ChangeOptions extends ComposeOptions {
  /** Of how many mechanisms, those first that cost most alone. */
  readonly most: number;
}

/** Digits of a parameter that a person would write. */
const DIGITS = 3;

/** What a mechanism costs alone, about: bounds that hold for almost all, and are quick. */
function aloneCost(entry: Entry, { delta }: Budget): number {
  const problem = { entries: [entry], adaptivity: 'adaptive' } as const;
  const outcome = composeEntries(problem, { solveFor: 'epsilon', delta }, { bounds: ['rdp', 'basic'] });
  return outcome.kind === 'answer' ? outcome.answer.epsilon.upper : 0;
}

/** The places of the mechanisms that cost most alone. */
function costliest(entries: readonly Entry[], budget: Budget, most: number): number[] {
  const indices = entries.map((_, index) => index);
  if (entries.length <= most) return indices;
  const costs = entries.map((entry) => aloneCost(entry, budget));
  return indices.sort((a, b) => costs[b]! - costs[a]! || a - b).slice(0, most);
}

/** The share of an epsilon that a parameter leaves: noise divides it, and rho is its square. */
function keptShare(name: ParameterName, from: Decimal, to: Decimal): number {
  if (name === 'scale' || name === 'sigma') return from.div(to).toNumber();
  if (from.isZero()) return 1;
  const ratio = to.div(from).toNumber();
  return name === 'rho' ? Math.sqrt(ratio) : ratio;
}

function changesOf(problem: Problem, index: number, budget: Budget, options: ComposeOptions): Change[] {
  const { entry, path } = mechanismsIn(problem.entries)[index]!;
  const about = { index, path, entry };
  const changes: Change[] = [];
  const fewer = entry.count === 1 ? null : largestCount(problem, index, budget, options);
  if (fewer !== null && fewer.count < entry.count) {
    const { count: to, next } = fewer;
    changes.push({ ...about, kind: 'count', from: entry.count, to, next, kept: to / entry.count });
  }
  const parameter = parameterOf(entry.mechanism);
  const smaller = parameter && largestParameter(problem, index, budget, { ...options, digits: DIGITS });
  if (parameter && smaller && !smaller.value.eq(parameter.value)) {
    const { name, value: from } = parameter;
    const { value: to, next } = smaller;
    changes.push({ ...about, kind: 'parameter', name, from, to, next, kept: keptShare(name, from, to) });
  }
  return changes;
}

/**
 * Changes of a single mechanism, each of which brings a composition within a budget: the most calls, and the least private
 * parameter of three digits, all else held. Those first that take least away.
 *
 * Every one was composed and found to be within; none where no change of one mechanism alone is enough.
 */
export function changesFor(problem: Problem, budget: Budget, { most, ...options }: ChangeOptions): readonly Change[] {
  const entries = mechanismsIn(problem.entries).map(({ entry }) => entry);
  return costliest(entries, budget, most)
    .flatMap((index) => changesOf(problem, index, budget, options))
    .sort((a, b) => b.kept - a.kept);
}
