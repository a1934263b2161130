import { createSession } from '../bounds/session.ts';
import { asLower, asUpper, relativeWidth, type Bracket } from '../numeric/enclosure.ts';
import type { Query } from '../privacy/query.ts';
import type { ComposeOptions } from './compose-entries.ts';
import { usualTolerance } from './compose-entries.ts';
import { floorOf } from './counterexamples/floor-of.ts';
import type { Answer, BoundRow, Outcome, PlanTotals, Refusal } from './outcome.ts';
import { childrenOf, isEntry, type PlanNode } from './plan-node.ts';
import { alternatives } from './plan/alternatives.ts';
import { asGrouped, groupedTotal } from './plan/grouped.ts';
import { cheapestPrice } from './plan/price.ts';
import { resolvePlan, type Resolution } from './plan/resolve-plan.ts';
import type { Plan, ResolvedNode } from './plan/resolved-node.ts';
import { concurrentFixed } from './theorems/concurrent.ts';
import type { Theorem } from './theorems/theorem.ts';

const theoremsOf = ({ theorems, children }: ResolvedNode): Theorem[] => [...theorems, ...children.flatMap(theoremsOf)];

/** The line of an answer for the total of parts that are priced one by one. */
function groupedRow(value: Bracket, given: Bracket, { solveFor }: Query): BoundRow {
  const own: Bracket = { ...value, lower: null };
  const other: Bracket = { ...given, lower: null };
  return {
    id: 'grouped',
    name: 'each part as one (epsilon, delta), then their optimal composition',
    reference: concurrentFixed.reference,
    applies: true,
    epsilon: solveFor === 'epsilon' ? own : other,
    delta: solveFor === 'delta' ? own : other,
  };
}

/** An answer with the line of the grouped total in its place; ties go to the flattened one. */
function withGrouped(answer: Answer, grouped: Bracket, options: ComposeOptions): Answer {
  const { query } = answer;
  const { solveFor } = query;
  const given = query.solveFor === 'epsilon' ? answer.delta : answer.epsilon;
  const row = groupedRow(grouped, given, query);
  const before = answer.bounds.filter((each) => each.applies && each[solveFor].upper <= grouped.upper);
  const bounds = [...before, row, ...answer.bounds.filter((each) => !before.includes(each))];
  if (before.length > 0) return { ...answer, bounds };
  const value: Bracket = { ...grouped, lower: answer[solveFor].lower };
  return {
    ...answer,
    [solveFor]: value,
    bound: 'grouped',
    tight: relativeWidth(value) <= (options.tolerance ?? usualTolerance('grouped')),
    bounds,
  };
}

/** The answer where only the grouped total is covered. */
function groupedOnly(
  grouped: Bracket,
  query: Query,
  { bounds: rows, warnings }: Extract<Refusal, { code: 'no-bound' }>,
): Answer {
  const given = query.solveFor === 'epsilon' ? query.delta : query.epsilon;
  const echo: Bracket = {
    lower: asLower(given.toNumber()),
    upper: asUpper(given.toNumber()),
    exact: given.toString(),
  };
  const value: Bracket = { ...grouped, lower: null };
  return {
    query,
    epsilon: query.solveFor === 'epsilon' ? value : echo,
    delta: query.solveFor === 'delta' ? value : echo,
    bound: 'grouped',
    tight: false,
    bounds: [groupedRow(grouped, echo, query), ...rows],
    warnings,
  };
}

/** Whether a node holds parts of the data of which not all may differ. */
function hasParts(node: PlanNode): boolean {
  if (isEntry(node)) return false;
  const { node: kind } = node;
  const own = kind === 'partition' || (kind === 'local' && node.users.kind === 'different');
  return own || childrenOf(node).some(hasParts);
}

/** A plan with the theorem at each node. */
export interface Covered {
  /** Costs that pay for it, in different ways: each of them does. */
  readonly claims: readonly [Resolution, ...Resolution[]];
  /** The cost of one legal choice. */
  readonly attained: Resolution;
}

/** A plan that theorems cover, or why none does. */
export type CoveredPlan = ({ readonly kind: 'covered' } & Covered) | Extract<Outcome, { kind: 'refusal' }>;

/** Finds the theorems that cover a plan; where none does, what no claim could go below. */
export function coverPlan(plan: Plan, query: Query): CoveredPlan {
  const ranked = resolvePlan(plan);
  const [uncovered] = ranked.uncovered;
  if (uncovered !== undefined) {
    return { kind: 'refusal', refusal: { ...uncovered, floor: floorOf(uncovered, query) } };
  }
  const attained = resolvePlan(plan, 'attained');
  if (!plan.nodes.some(hasParts)) return { kind: 'covered', claims: [ranked], attained };
  return { kind: 'covered', claims: [ranked, resolvePlan(plan, 'claim', 'summed')], attained };
}

/** The total of a plan that theorems cover, flattened and grouped, the better of the two. */
export function totalOf({ claims, attained }: Covered, query: Query, options: ComposeOptions): Outcome {
  const { outcome, entries } = cheapestPrice(
    claims.map(({ tree, context }) => alternatives(tree, context)),
    alternatives(attained.tree, attained.context),
    attained.context.plan,
    query,
    options,
  );
  const whole = claims.at(-1) ?? claims[0];
  const grouped = options.bounds === undefined ? groupedTotal(whole.tree, whole.context, query, options) : null;
  const plan = (tree: ResolvedNode): PlanTotals => ({
    flattened: outcome.kind === 'answer' ? outcome.answer[query.solveFor] : null,
    // What the grouped total cannot go below is not what the plan cannot go below.
    grouped: grouped === null ? null : { ...grouped, lower: null },
    entries,
    theorems: [...new Set(theoremsOf(tree))],
  });
  const regrouped = (): PlanTotals => plan(asGrouped(whole.tree, whole.context));
  if (outcome.kind === 'answer') {
    const answer = grouped === null ? outcome.answer : withGrouped(outcome.answer, grouped, options);
    return { kind: 'answer', answer: { ...answer, plan: answer.bound === 'grouped' ? regrouped() : plan(whole.tree) } };
  }
  if (grouped === null || outcome.refusal.code !== 'no-bound') return outcome;
  return { kind: 'answer', answer: { ...groupedOnly(grouped, query, outcome.refusal), plan: regrouped() } };
}

/**
 * What a composition with structure costs: all parts in one list of mechanisms (see {@link resolvePlan}), and each part
 * as one (epsilon, delta), whichever is less. Refused where no theorem covers a part.
 */
export function composePlan(plan: Plan, query: Query, options: ComposeOptions = {}): Outcome {
  const covered = coverPlan(plan, query);
  return covered.kind === 'refusal' ? covered : totalOf(covered, query, { session: createSession(), ...options });
}
