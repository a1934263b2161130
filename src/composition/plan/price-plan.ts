import type { RowId } from '../../bounds/core/bound.ts';
import { failureOf } from '../../bounds/core/entries.ts';
import { createSession } from '../../bounds/core/session.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import type { Query } from '../../privacy/curve.ts';
import { limitedInstancesBound } from '../attack/counterexamples/counterexamples.ts';
import type { Answer, Outcome } from '../core/outcome.ts';
import { isEntry } from '../core/plan-node.ts';
import type { ComposeOptions } from '../entries/compose-entries.ts';
import { remainingDelta, roomFor } from '../theorems/parallel.ts';
import { alternatives, asGrouped } from './grouped.ts';
import { coverPlan, totalOf, type Total } from './compose-plan.ts';
import { costKey, type Cost } from './cost.ts';
import { cheapestPrice, claimKey, type Claim } from './price.ts';
import type { Resolution } from './resolve-plan.ts';
import type { Context, Plan, ResolvedNode } from './resolved-node.ts';

/** The answer to the question, of one node alone; null where no bound covers it. */
export type NodePrice = { readonly value: Bracket; readonly bound: RowId } | null;

/** How many instances fit under a cap on delta, and what is left then for one with a smaller delta. */
export interface Room {
  readonly delta: Decimal;
  readonly instances: number;
  readonly remaining: Decimal;
}

/** A node of a plan with what it costs alone. */
export interface PricedNode {
  readonly found: ResolvedNode;
  readonly price: NodePrice;
  /** Where it has a cap that its instances use up. */
  readonly room: Room | null;
  readonly children: readonly PricedNode[];
}

/** A plan with its total and what each part costs alone. */
export interface PricedPlan {
  readonly answer: Answer;
  readonly tree: PricedNode;
}

function roomIn({ node, children }: ResolvedNode): Room | null {
  if (node === null || isEntry(node) || node.node !== 'parallel' || node.deltaCap === null) return null;
  const delta = failureOf(children[0]?.cost.created ?? []).upper;
  const instances = roomFor(node.deltaCap, delta);
  if (instances === Infinity) return null;
  return { delta, instances, remaining: remainingDelta(node.deltaCap, [{ delta, count: instances }]) };
}

/** The same node as every resolution of a plan found it. */
interface Views {
  readonly claims: readonly (readonly [ResolvedNode, Context])[];
  readonly attained: readonly (readonly [ResolvedNode, Context])[];
}

const viewsOf = (resolutions: readonly Resolution[]): (readonly [ResolvedNode, Context])[] =>
  resolutions.map(({ tree, context }) => [tree, context]);

/** The child of each view at one place. */
function childAt({ claims, attained }: Views, index: number): Views {
  const below = (views: Views['claims']): Views['claims'] =>
    views.map(([resolvedNode, context]) => [resolvedNode.children[index]!, context]);
  return { claims: below(claims), attained: below(attained) };
}

/** A text that is equal for nodes that cost the same. */
const keyOf = (claims: readonly Claim[], attained: readonly Cost[]): string =>
  [...claims.map(claimKey), attained.map(costKey)].join(' / ');

class Pricer {
  readonly #prices = new Map<string, NodePrice>();
  readonly #query: Query;
  readonly #options: ComposeOptions;
  readonly #way: number;

  /** @param way - the place of the claim whose theorems are shown */
  constructor(query: Query, options: ComposeOptions, way: number) {
    this.#query = query;
    this.#options = options;
    this.#way = way;
  }

  node(views: Views): PricedNode {
    const [resolvedNode] = views.claims[this.#way]!;
    const children = resolvedNode.children.map((_, index) => this.node(childAt(views, index)));
    return { found: resolvedNode, price: this.#price(views), room: roomIn(views.attained[0]![0]), children };
  }

  #price(views: Views): NodePrice {
    const claims = views.claims.map(([tree, context]) => ({ costs: alternatives(tree, context), sets: tree.sets }));
    const attained = views.attained.flatMap(([tree, context]) => alternatives(tree, context));
    const key = keyOf(claims, attained);
    const cachedPrice = this.#prices.get(key);
    if (cachedPrice !== undefined) return cachedPrice;
    const [{ node }, { plan }] = views.attained[0]!;
    const priced = cheapestPrice({
      claims,
      attained,
      impossibility: (query) => (node === null ? null : limitedInstancesBound([node], query)),
      plan,
      query: this.#query,
      options: this.#options,
    });
    const price = priceIn(priced.outcome);
    this.#prices.set(key, price);
    return price;
  }
}

function priceIn(outcome: Outcome): NodePrice {
  if (outcome.kind === 'refusal') return null;
  const { answer } = outcome;
  return { value: answer[answer.query.solveFor], bound: answer.bound };
}

function pricedTree({ whole, rounds }: Total, query: Query, options: ComposeOptions): PricedNode {
  const claims = rounds.flatMap((round) => round.claims);
  const attained = rounds.flatMap((round) => round.attained);
  const way = claims.indexOf(whole);
  return new Pricer(query, options, way).node({ claims: viewsOf(claims), attained: viewsOf(attained) });
}

/**
 * The cost of a plan, and that of each of its nodes alone: the same question asked of the node as if it were the whole
 * plan. Refused as `compose` refuses.
 */
export function pricePlan(
  plan: Plan,
  query: Query,
  options: ComposeOptions = {},
): ({ readonly kind: 'priced' } & PricedPlan) | Extract<Outcome, { kind: 'refusal' }> {
  const work = { session: createSession(), ...options };
  const covered = coverPlan(plan, query, work);
  if (covered.kind === 'refusal') return covered;
  const total = totalOf(covered, query, work);
  const { outcome } = total;
  if (outcome.kind === 'refusal') return outcome;
  const { found: resolvedNode, ...tree } = pricedTree(total, query, work);
  const whole = outcome.answer.bound === 'grouped' ? asGrouped(resolvedNode, total.whole.context) : resolvedNode;
  return { kind: 'priced', answer: outcome.answer, tree: { ...tree, found: whole, price: priceIn(outcome) } };
}
