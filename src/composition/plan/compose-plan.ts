import type { BoundId } from '../../bounds/core/bound.ts';
import { createSession } from '../../bounds/core/session.ts';
import { relativeWidth, type Bracket } from '../../numeric/enclosure.ts';
import type { Query } from '../../privacy/curve.ts';
import { impossibilityBoundOf, limitedInstancesBound } from '../attack/counterexamples/counterexamples.ts';
import {
  consistent,
  type Answer,
  type BoundRow,
  type Outcome,
  type PlanTotals,
  type Refusal,
} from '../core/outcome.ts';
import { givenBracketOf, usualTolerance, type Answerer, type ComposeOptions } from '../entries/compose-entries.ts';
import { once } from '../core/collections.ts';
import { concurrentFixed } from '../theorems/concurrent.ts';
import type { Theorem } from '../theorems/theorem.ts';
import { firstAdaptiveChoice, refusalOfSamples } from './refusals.ts';
import { alternatives, asGrouped, groupedTotal } from './grouped.ts';
import { chosenPart } from './chosen-part.ts';
import { entriesOf } from './cost.ts';
import { cheaper, cheapestPrice, upperOf, widthOf, type Price } from './price.ts';
import { resolvePlan, type Resolution } from './resolve-plan.ts';
import type { Chooser, LateRule, PartsRule, Plan, ResolvedNode, Way } from './resolved-node.ts';

const theoremsOf = ({ theorems, children }: ResolvedNode): Theorem[] => [...theorems, ...children.flatMap(theoremsOf)];

/** The line of an answer for the total of parts that are priced one by one. */
function groupedRow(value: Bracket, fixedBracket: Bracket, { solveFor }: Query): BoundRow {
  const own: Bracket = { ...value, lower: null };
  const other: Bracket = { ...fixedBracket, lower: null };
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
  const fixedBracket = query.solveFor === 'epsilon' ? answer.delta : answer.epsilon;
  const row = groupedRow(grouped, fixedBracket, query);
  const before = answer.bounds.filter((bound) => bound.applies && bound[solveFor].upper <= grouped.upper);
  const bounds = [...before, row, ...answer.bounds.filter((bound) => !before.includes(bound))];
  if (before.length > 0) return { ...answer, bounds };
  const value: Bracket = consistent({ ...grouped, lower: answer[solveFor].lower }, 'grouped');
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
  const fixedBracket = givenBracketOf(query);
  const value: Bracket = { ...grouped, lower: null };
  return {
    query,
    epsilon: query.solveFor === 'epsilon' ? value : fixedBracket,
    delta: query.solveFor === 'delta' ? value : fixedBracket,
    bound: 'grouped',
    tight: false,
    bounds: [groupedRow(grouped, fixedBracket, query), ...rows],
    warnings,
  };
}

/** Several ways to pay for a plan, and legal choices in it. */
export interface Round {
  /** Costs that pay for it: each of them does. */
  readonly claims: readonly Resolution[];
  /** The costs of legal choices. */
  readonly attained: readonly Resolution[];
}

/** A plan with the theorem at each node. */
export interface Covered {
  readonly plan: Plan;
  readonly first: Round;
  /** A second round takes longer, and is worth it where the first leaves much between a claim and its lower bound. */
  readonly second: (() => Round) | null;
}

/** A plan that theorems cover, or why none does. */
export type CoveredPlan = ({ readonly kind: 'covered' } & Covered) | Extract<Outcome, { kind: 'refusal' }>;

const LATE_RULES: readonly LateRule[] = ['sets', 'moments', 'all'];
/** Parts by what dominates, or is dominated by, every choice of them. */
const CHOSEN: Way = { parts: 'chosen', late: 'each' };

/** What covers a plan whatever is asked. */
interface Resolved {
  readonly ranked: Resolution;
  readonly first: () => Round;
  readonly lateRules: readonly LateRule[];
}

function claimed(
  plan: Plan,
  lateRules: readonly LateRule[],
  parts: PartsRule,
  choose?: Chooser,
): readonly Resolution[] {
  return lateRules.map((late) => resolvePlan(plan, 'claim', { parts, late }, choose));
}

function resolved(plan: Plan): Resolved {
  const ranked = resolvePlan(plan);
  const { otherwise } = ranked;
  const lateRules: LateRule[] = ['each', ...LATE_RULES.filter((rule) => otherwise.has(rule))];
  const first = once((): Round => ({
    claims: [
      ...claimed(plan, lateRules, 'ranked'),
      ...(otherwise.has('summed') ? claimed(plan, lateRules, 'summed') : []),
    ],
    attained: [resolvePlan(plan, 'attained')],
  }));
  return { ranked, first: () => first(plan), lateRules };
}

/**
 * Finds the theorems that cover a plan; where none does, what no claim could go below.
 *
 * @param resolvedPlan - its resolution, as another question may have needed it
 */
export function coverPlan(
  plan: Plan,
  query: Query,
  options: ComposeOptions = {},
  resolvedPlan = (): Resolved => resolved(plan),
): CoveredPlan {
  const samples = refusalOfSamples(plan.nodes, query);
  if (samples !== null) return { kind: 'refusal', refusal: samples };
  const open = plan.adaptivity === 'nonadaptive' ? firstAdaptiveChoice(plan.nodes) : null;
  if (open !== null)
    return { kind: 'refusal', refusal: { code: 'chosen-along-the-way', ...open, impossibilityBound: null } };
  const { ranked, first, lateRules } = resolvedPlan();
  const [uncovered] = ranked.uncovered;
  if (uncovered !== undefined) {
    return { kind: 'refusal', refusal: { ...uncovered, impossibilityBound: impossibilityBoundOf(uncovered, query) } };
  }
  const { otherwise } = ranked;
  // Alone, parts are priced choice by choice, which is exact.
  const isAlone = alternatives(ranked.tree, ranked.context).length > 1;
  const second = (): Round => {
    const part = chosenPart(query, options);
    const chosen = resolvePlan(plan, 'attained', CHOSEN, part.below);
    const attained = part.isLast(entriesOf(chosen.tree.cost)) ? [chosen] : first().attained;
    return { claims: claimed(plan, lateRules, 'chosen', part.above), attained };
  };
  return {
    kind: 'covered',
    plan,
    first: first(),
    second: otherwise.has('chosen') && !isAlone ? second : null,
  };
}

/** A claim no further than this from what it cannot go below, relatively, is not worth a second round. */
const CLOSE = 1e-4;

/** The bounds that are exact for a pair that stands for a choice, together with other mechanisms. */
const OF_PAIRS: readonly BoundId[] = ['loss-distribution', 'mixed'];

/** The price of a plan, and the resolutions that were looked at. */
interface Paid {
  readonly price: Price;
  /** That of the cheapest claim. */
  readonly whole: Resolution;
  readonly rounds: readonly Round[];
}

function paidBy({ plan, first, second }: Covered, query: Query, options: ComposeOptions): Paid {
  function cheapestOf({ claims, attained }: Round, bounds = options.bounds): Paid {
    const price = cheapestPrice({
      claims: claims.map(({ tree, context }) => ({ costs: alternatives(tree, context), sets: tree.sets })),
      attained: attained.flatMap(({ tree, context }) => alternatives(tree, context)),
      impossibility: (boundQuery) => limitedInstancesBound(plan.nodes, boundQuery),
      plan,
      query,
      options: bounds === undefined ? options : { ...options, bounds },
    });
    return { price, whole: claims[price.way]!, rounds: [{ claims, attained }] };
  }
  const firstPaid = cheapestOf(first);
  if (second === null || widthOf(firstPaid.price) <= CLOSE || options.exhausted?.() === true) return firstPaid;
  const round = second();
  const exact = cheapestOf(round, options.bounds ?? OF_PAIRS);
  const secondPaid = exact.price.outcome.kind === 'refusal' ? cheapestOf(round) : exact;
  return {
    price: cheaper(firstPaid.price, secondPaid.price, options),
    whole: upperOf(secondPaid.price) < upperOf(firstPaid.price) ? secondPaid.whole : firstPaid.whole,
    rounds: [...firstPaid.rounds, ...secondPaid.rounds],
  };
}

/** The total of a plan, the claim whose theorems lead to it, and the resolutions that were looked at. */
export interface Total {
  readonly outcome: Outcome;
  readonly whole: Resolution;
  readonly rounds: readonly Round[];
}

/** The total of a plan that theorems cover, flattened and grouped, the better of the two. */
export function totalOf(covered: Covered, query: Query, options: ComposeOptions): Total {
  const { price, whole, rounds } = paidBy(covered, query, options);
  const { outcome, entries, sets } = price;
  const base = rounds[0]!.claims.findLast(({ tree }) => tree.sets.eq(1))!;
  // Where nothing less can be claimed, shares of delta for parts have nothing to gain.
  const isLeast = options.claimOnly === true && outcome.kind === 'answer' && outcome.answer.tight;
  const grouped = options.bounds === undefined ? groupedTotal(base.tree, base.context, query, options, !isLeast) : null;
  const plan = (tree: ResolvedNode): PlanTotals => ({
    flattened: outcome.kind === 'answer' ? outcome.answer[query.solveFor] : null,
    // What the grouped total cannot go below is not what the plan cannot go below.
    grouped: grouped === null ? null : { ...grouped, lower: null },
    entries,
    sets,
    theorems: [...new Set(theoremsOf(tree))],
  });
  const regrouped = (): PlanTotals => plan(asGrouped(base.tree, base.context));
  if (outcome.kind === 'answer') {
    const answer = grouped === null ? outcome.answer : withGrouped(outcome.answer, grouped, options);
    const totals = answer.bound === 'grouped' ? regrouped() : plan(whole.tree);
    return { outcome: { kind: 'answer', answer: { ...answer, plan: totals } }, whole, rounds };
  }
  if (grouped === null || outcome.refusal.code !== 'no-bound') return { outcome, whole, rounds };
  const answer = { ...groupedOnly(grouped, query, outcome.refusal), plan: regrouped() };
  return { outcome: { kind: 'answer', answer }, whole, rounds };
}

/**
 * The cost of a composition with structure: all parts in one list of mechanisms (see {@link resolvePlan}), and each part
 * as one (epsilon, delta), whichever is less. Refused where no theorem covers a part. Answers any number of queries.
 */
export function planAnswerer(plan: Plan, options: ComposeOptions = {}): Answerer {
  const work = { session: createSession(), ...options };
  const resolvedOnce = once(resolved);
  return (query) => {
    const covered = coverPlan(plan, query, work, () => resolvedOnce(plan));
    return covered.kind === 'refusal' ? covered : totalOf(covered, query, work).outcome;
  };
}
