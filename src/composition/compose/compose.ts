import { decimalFromDouble, exactUpper, Decimal } from '../../numeric/decimal.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import type { Adaptivity, Order, Query } from '../../privacy/curve.ts';
import { relationOf, type Entry, type Neighbours } from '../../privacy/mechanism.ts';
import type { Outcome, Answer, Refusal } from '../core/outcome.ts';
import { flatEntries, type PlanNode, isEntry, childrenAt, walk } from '../core/plan-node.ts';
import { isUsual, USUAL_SETTING, type Setting } from '../core/setting.ts';
import { answererOf, type Answerer, type ComposeOptions } from '../entries/compose-entries.ts';
import { planAnswerer } from '../plan/compose-plan.ts';
import { dpOnce } from '../plan/cost.ts';
import { firstAdaptiveChoice, refusalOfSamples } from '../plan/refusals.ts';

export type { ComposeOptions } from '../entries/compose-entries.ts';

/** Mechanisms to compose. */
export interface Problem {
  /** At least one. */
  readonly entries: readonly PlanNode[];
  readonly adaptivity: Adaptivity;
  /** Default any; says nothing where all mechanisms are fixed in advance, or where there is structure. */
  readonly order?: Order;
  /** The preconditions of theorems on interactive and continual mechanisms; default: the usual ones. */
  readonly setting?: Setting;
}

/** Answers any number of queries about one composition; each answer is that of {@link compose}. */
export function problemAnswerer(problem: Problem, options: ComposeOptions = {}): Answerer {
  const { entries: nodes, adaptivity, setting = USUAL_SETTING } = problem;
  const entries = flatEntries(nodes);
  const order = entries === null ? 'any' : (problem.order ?? 'any');
  if (adaptivity === 'parameters') {
    const code = entries === null ? 'adaptive-parameters-in-parallel' : 'adaptive-parameters';
    return () => ({ kind: 'refusal', refusal: { code } });
  }
  const simple = isUsual(setting) && (adaptivity !== 'nonadaptive' || firstAdaptiveChoice(nodes) === null);
  return entries !== null && simple
    ? answererOf({ entries, adaptivity, order }, options)
    : planAnswerer({ nodes, adaptivity, order, setting }, options);
}

/**
 * The cost of mechanisms together: every theorem that applies, the tightest first, and how far below it no claim
 * can go. Refused where no theorem covers them.
 */
export const compose = (problem: Problem, query: Query, options: ComposeOptions = {}): Outcome =>
  problemAnswerer(problem, options)(query);

/** An amount that may be spent: epsilon at least 0, delta from 0 to 1, both exact. */
export interface Budget {
  readonly epsilon: Decimal;
  readonly delta: Decimal;
}

/**
 * Whether a composition is (epsilon, delta)-differentially private by what is certified of it.
 *
 * within: it is; exceeds: for its declared classes no correct claim is that small; undecided: neither is certain, so it
 * cannot be shown to be within; refused: no theorem covers it.
 */
export type Verdict =
  | {
      readonly kind: 'within' | 'exceeds' | 'undecided';
      /** Its cost at the delta of the budget. */
      readonly answer: Answer;
      /** Its delta at the epsilon of the budget, where that decided or might have decided. */
      readonly delta: Bracket | null;
      /** The answer that decided, one of both. */
      readonly deciding: Answer;
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Further than this above a budget, relatively, asking for delta instead of epsilon decides nothing. */
const NEAR = 1.01;

/** Certified ends compared with a limit; parameters such as 0.1 + 0.2 are compared exactly. */
function kindOf(bracket: Bracket, limit: Decimal): 'within' | 'exceeds' | 'undecided' {
  const { lower, upper } = bracket;
  if (upper !== Infinity && exactUpper(bracket).lte(limit)) return 'within';
  return lower !== null && (lower === Infinity || decimalFromDouble(lower).gt(limit)) ? 'exceeds' : 'undecided';
}

const isNear = (upper: number, limit: Decimal): boolean => limit.isZero() || upper <= NEAR * limit.toNumber();

/**
 * Compares what a problem costs with a budget: the smallest epsilon at its delta and, where that leaves it open, the
 * smallest delta at its epsilon, which is exact where parameters add up to the budget exactly.
 *
 * Errs on the safe side: `within` rests on upper ends only, `exceeds` on lower ends only.
 *
 * @param second - how delta is asked for, where that is not as epsilon is
 */
export function verdictOn(
  problem: Problem,
  budget: Budget,
  options: ComposeOptions = {},
  second: Pick<ComposeOptions, 'quick'> = {},
): Verdict {
  const { epsilon, delta } = budget;
  const byEpsilon = compose(problem, { solveFor: 'epsilon', delta }, options);
  if (byEpsilon.kind === 'refusal') return { kind: 'refused', refusal: byEpsilon.refusal };
  const { answer } = byEpsilon;
  const first = { answer, delta: null, deciding: answer };
  const byFirst = kindOf(answer.epsilon, epsilon);
  if (byFirst !== 'undecided' || !isNear(answer.epsilon.upper, epsilon)) return { kind: byFirst, ...first };
  const byDelta = compose(problem, { solveFor: 'delta', epsilon }, { ...options, ...second });
  if (byDelta.kind === 'refusal') return { kind: 'undecided', ...first };
  const { delta: reached } = byDelta.answer;
  const kind = kindOf(reached, delta);
  return { kind, answer, delta: reached, deciding: kind === 'undecided' ? answer : byDelta.answer };
}

/** The same by the smallest delta at the epsilon of the budget alone. */
export function verdictByDelta(problem: Problem, { epsilon, delta }: Budget, options: ComposeOptions = {}): Verdict {
  const outcome = compose(problem, { solveFor: 'delta', epsilon }, options);
  if (outcome.kind === 'refusal') return { kind: 'refused', refusal: outcome.refusal };
  const { answer } = outcome;
  return { kind: kindOf(answer.delta, delta), answer, delta: answer.delta, deciding: answer };
}

/** Digits of what a part is charged. */
const DIGITS = 12;

/** The mechanisms that are charged for a plan, or why a part of it has no guarantee of its own. */
export type ChargedParts =
  | { readonly kind: 'charged'; readonly entries: readonly Entry[] }
  | { readonly kind: 'refusal'; readonly refusal: Refusal }
  | { readonly kind: 'infinite'; readonly path: string };

/** The relation of neighbors that the guarantees in a part name, of which a plan has one. */
const relationIn = (part: PlanNode): Neighbours | null =>
  walk([part]).reduce<Neighbours | null>((first, { node }) => first ?? (isEntry(node) ? relationOf(node) : null), null);

/**
 * A plan as mechanisms that a filter can charge: each part with parallel instances, parts of the data or users is one
 * continual mechanism with the (epsilon, delta) of the query.
 *
 * The composition of continual mechanisms whose parameters are fixed is a continual mechanism itself, with its own
 * verification function, and another composition may create it [Henzinger, Safavi, Vadhan 2025, Definition 4.4 and Remark
 * 4.2]. A group is charged mechanism by mechanism. Both numbers are rounded up at 12 digits. Guarantees for different
 * neighbors are refused, as they are where the plan is composed.
 */
export function chargedParts(problem: Problem, query: Query): ChargedParts {
  const refusal = refusalOfSamples(problem.entries, query);
  if (refusal !== null) return { kind: 'refusal', refusal };
  const entries: Entry[] = [];
  const waiting: { readonly node: PlanNode; readonly path: string }[] = problem.entries.map((node, i) => ({
    node,
    path: `mechanisms[${i}]`,
  }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { node, path } = next;
    if (isEntry(node)) entries.push(node);
    else if (node.node === 'group') waiting.unshift(...childrenAt({ node, path }));
    else {
      const outcome = compose({ ...problem, entries: [node] }, query);
      if (outcome.kind === 'refusal') return outcome;
      const { epsilon, delta } = outcome.answer;
      if (epsilon.upper === Infinity) return { kind: 'infinite', path };
      const [e, d] = [epsilon, delta].map((value) => exactUpper(value).toSignificantDigits(DIGITS, Decimal.ROUND_UP));
      const neighbours = relationIn(node);
      const charged = dpOnce(e!, d!, 'continual', node.label ?? path);
      entries.push(neighbours === null ? charged : { ...charged, neighbours });
    }
  }
  return { kind: 'charged', entries };
}
