import type { Decimal } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import type { Budget, Problem } from '../compose/compose.ts';
import { composeEntries } from '../entries/compose-entries.ts';
import type { Next, SearchOptions } from '../solve/largest.ts';
import { largestCount } from '../solve/largest-count.ts';
import { largestParameter } from '../solve/largest-parameter.ts';
import { mechanismsIn } from '../solve/mechanisms.ts';
import type { ParameterName } from '../../privacy/mechanisms/record.ts';
import { parameterOf } from '../../privacy/mechanisms/records.ts';

/** A change of one mechanism with which a composition would be within a budget. */
export type Change = {
  /** Of the mechanism, counted as `mechanismsIn` lists them. */
  readonly index: number;
  /** Its place in the plan: `mechanisms[2].of`. */
  readonly path: string;
  readonly entry: Entry;
  /** The verdict on a smaller change of this kind. */
  readonly next: Next;
  /** The share of the mechanism's worth that is left, 0 to 1: of its calls, or of its epsilon. */
  readonly kept: number;
} & (
  | { readonly kind: 'count'; readonly from: number; readonly to: number }
  | { readonly kind: 'parameter'; readonly name: ParameterName; readonly from: Decimal; readonly to: Decimal }
);

/** Time that may be spent on changes, of several checks together. */
export interface Allowance {
  /** From now on time is spent, until `end` is called. */
  readonly begin: () => void;
  readonly end: () => void;
  readonly isSpent: () => boolean;
}

export interface ChangeOptions extends SearchOptions {
  /** Of how many mechanisms, those first that cost most alone. */
  readonly most: number;
  /** How long changes may be looked for; absent: without an end. */
  readonly allowance?: Allowance;
}

/** Changes that were found. */
export interface Changes {
  /** Those first that take least away. */
  readonly changes: readonly Change[];
  /** Of how many mechanisms. */
  readonly searched: number;
  /** Whether time was up before all were looked at. */
  readonly isCut: boolean;
}

/** Digits of a parameter that a person would write. */
const DIGITS = 3;

/** The cost of a mechanism alone, about: by bounds that hold for almost all, and are quick. */
function aloneCost(entry: Entry, { delta }: Budget): number {
  const problem = { entries: [entry], adaptivity: 'adaptive' } as const;
  const outcome = composeEntries(problem, { solveFor: 'epsilon', delta }, { bounds: ['rdp', 'basic'] });
  return outcome.kind === 'answer' ? outcome.answer.epsilon.upper : 0;
}

/** The places of the mechanisms that cost most alone. */
function costliest(entries: readonly Entry[], budget: Budget, limit: number): number[] {
  const indices = entries.map((_, index) => index);
  if (entries.length <= limit) return indices;
  const costs = entries.map((entry) => aloneCost(entry, budget));
  return indices.sort((a, b) => costs[b]! - costs[a]! || a - b).slice(0, limit);
}

/** The share of an epsilon that a parameter leaves: noise divides it, and rho is its square. */
function keptShare(name: ParameterName, from: Decimal, to: Decimal): number {
  if (name === 'scale' || name === 'sigma') return from.div(to).toNumber();
  if (from.isZero()) return 1;
  const ratio = to.div(from).toNumber();
  return name === 'rho' ? Math.sqrt(ratio) : ratio;
}

function changesOf(problem: Problem, index: number, budget: Budget, options: SearchOptions): Change[] {
  const { entry, path } = mechanismsIn(problem.entries)[index]!;
  const about = { index, path, entry };
  const changes: Change[] = [];
  const fewer = entry.count === 1 ? null : largestCount(problem, [index], budget, options);
  if (fewer !== null && fewer.within !== null && fewer.within < entry.count) {
    const { within: to, next } = fewer;
    changes.push({ ...about, kind: 'count', from: entry.count, to, next, kept: to / entry.count });
  }
  const parameter = parameterOf(entry.mechanism);
  const smaller = parameter && largestParameter(problem, [index], budget, { ...options, digits: DIGITS });
  if (parameter && smaller?.within && !smaller.within.eq(parameter.value)) {
    const { name, value: from } = parameter;
    const { within: to, next } = smaller;
    changes.push({ ...about, kind: 'parameter', name, from, to, next, kept: keptShare(name, from, to) });
  }
  return changes;
}

/** An amount that must be kept, and whether a limit is broken wherever it is: else it is only enough for that. */
export interface Enough {
  readonly budget: Budget;
  readonly isNeeded: boolean;
}

/** Changes that are enough for each of several amounts: of each kind the largest of them, where all have one. */
function enoughForAll(cases: readonly { readonly changes: readonly Change[]; readonly isNeeded: boolean }[]): Change[] {
  return (['count', 'parameter'] as const).flatMap((kind) => {
    const ofKind = cases.flatMap(({ changes, isNeeded }) => {
      const change = changes.find((candidate) => candidate.kind === kind);
      if (change === undefined) return [];
      return isNeeded || change.next !== 'exceeds' ? [change] : [{ ...change, next: 'undecided' as const }];
    });
    const [first, ...others] = ofKind;
    if (first === undefined || ofKind.length < cases.length) return [];
    return [others.reduce<Change>((min, other) => (other.kept < min.kept ? other : min), first)];
  });
}

/**
 * Changes of a single mechanism, each of which brings a composition within all of these amounts: the most calls, and the
 * least private parameter of three digits, all else held; as far as they are found before time is up.
 *
 * Every one was composed and found to be within.
 *
 * @param amounts - at least one
 */
export function changesFor(
  problem: Problem,
  amounts: readonly Enough[],
  { most, allowance, ...options }: ChangeOptions,
): Changes {
  const { exhausted, interrupted } = options;
  const isSpent = allowance?.isSpent ?? (() => false);
  const work: SearchOptions = {
    ...options,
    exhausted: () => exhausted?.() === true || isSpent(),
    interrupted: () => interrupted?.() === true || isSpent(),
  };
  const entries = mechanismsIn(problem.entries).map(({ entry }) => entry);
  allowance?.begin();
  const changes: Change[] = [];
  let searched = 0;
  for (const index of costliest(entries, amounts[0]!.budget, most)) {
    if (work.exhausted?.() === true) break;
    const cases = amounts.map(({ budget, isNeeded }) => ({
      changes: changesOf(problem, index, budget, work),
      isNeeded,
    }));
    changes.push(...enoughForAll(cases));
    searched++;
  }
  const isCut = work.exhausted?.() === true;
  allowance?.end();
  return { changes: changes.sort((a, b) => b.kept - a.kept), searched, isCut };
}
