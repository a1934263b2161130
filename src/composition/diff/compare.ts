import { valueKey } from '../../privacy/mechanism-key.ts';
import { groupBy } from '../core/collections.ts';
import { isEntry, type PlanNode } from '../core/plan-node.ts';
import { createSession } from '../../bounds/core/session.ts';
import { type Decimal, exactUpper, ZERO } from '../../numeric/decimal.ts';
import { asLower, asUpper, type Bracket } from '../../numeric/enclosure.ts';
import type { Adaptivity, Order, Query } from '../../privacy/curve.ts';
import { compose, type ComposeOptions } from '../compose/compose.ts';
import type { Answer, Refusal } from '../core/outcome.ts';
import type { Setting } from '../core/setting.ts';

/** An element of a specification, and its place in the list, from 0. */
export interface PlacedNode {
  readonly index: number;
  readonly node: PlanNode;
}

/** An element before and after a change: null where it was added or removed. */
export interface MatchedNodes {
  readonly before: PlacedNode | null;
  readonly after: PlacedNode | null;
}

/** The type of an element, whatever its parameters. */
const typeOf = (node: PlanNode): string => (isEntry(node) ? node.mechanism.type : node.node);

/** The content of an element, whatever its label. */
const contentOf = (node: PlanNode): string => valueKey({ ...node, label: null });

/** The same, however many of it there are. */
const kindOf = (node: PlanNode): string => valueKey({ ...node, label: null, ...(isEntry(node) ? { count: 0 } : {}) });

/** By what elements are matched, the surest first; those that have no key (null) are not. */
const WAYS: readonly ((node: PlanNode) => string | null)[] = [({ label }) => label, contentOf, kindOf, typeOf];

/** Whether two elements say by their labels that they are different ones. */
const rivals = (a: PlanNode, b: PlanNode): boolean => a.label !== null && b.label !== null && a.label !== b.label;

/** Whether an element is as it was, but perhaps for its label. */
const isUnchanged = ({ before, after }: MatchedNodes): boolean =>
  before !== null && after !== null && contentOf(before.node) === contentOf(after.node);

/**
 * The elements of two lists, matched by label, then as they are, then but for their count, then by type; of several that
 * match, the first with the first. Elements of different labels are matched only where they are the same.
 *
 * In the order of the list after the change, those removed last.
 */
export function matchNodes(before: readonly PlanNode[], after: readonly PlanNode[]): MatchedNodes[] {
  const place = (nodes: readonly PlanNode[]): PlacedNode[] => nodes.map((node, index) => ({ index, node }));
  let left = place(before);
  let right = place(after);
  const matched: (MatchedNodes & { readonly after: PlacedNode })[] = [];
  for (const [way, keyOf] of WAYS.entries()) {
    const nodesByKey = groupBy(left, ({ node }) => keyOf(node));
    const partners = new Set<PlacedNode>();
    right = right.filter((placed) => {
      const key = keyOf(placed.node);
      const candidates = key === null ? [] : (nodesByKey.get(key) ?? []);
      const partner = candidates.find(
        (candidate) => !partners.has(candidate) && (way <= 1 || !rivals(candidate.node, placed.node)),
      );
      if (partner === undefined) return true;
      partners.add(partner);
      matched.push({ before: partner, after: placed });
      return false;
    });
    left = left.filter((placed) => !partners.has(placed));
  }
  const current = [...matched, ...right.map((placed) => ({ before: null, after: placed }))];
  current.sort((a, b) => a.after.index - b.after.index);
  return [...current, ...left.map((placed) => ({ before: placed, after: null }))];
}

/** One of two specifications that are compared. */
export interface Side {
  readonly entries: readonly PlanNode[];
  readonly adaptivity: Adaptivity;
  readonly order: Order;
  readonly setting: Setting;
  /** Its own query; null where it has none. */
  readonly target: Query | null;
}

/** A difference between two specifications. */
export type Change =
  | ({ readonly kind: 'added' | 'removed' | 'changed' } & MatchedNodes)
  | { readonly kind: 'adaptivity'; readonly before: Adaptivity; readonly after: Adaptivity }
  | { readonly kind: 'order'; readonly before: Order; readonly after: Order }
  | { readonly kind: 'setting'; readonly before: Setting; readonly after: Setting }
  | { readonly kind: 'target'; readonly before: Query; readonly after: Query };

/** The answer for a specification; or why there is none. */
export type Total = { readonly value: Bracket } | { readonly refusal: Refusal };

/** A change, and what it costs alone. */
export interface PricedChange {
  readonly change: Change;
  /** The cost of the specification before with this change only. */
  readonly total: Total;
}

/** The cost of a change of specification. */
export interface Comparison {
  /** The query of both; `after` asks for it at its own target where that asks for the same. */
  readonly query: Query;
  readonly before: Answer;
  readonly after: Answer;
  readonly changes: readonly PricedChange[];
  /** How many elements are as they were. */
  readonly unchanged: number;
  /** Whether the targets ask for different things, so that both are compared at that of `before`. */
  readonly incomparable: boolean;
}

/** Nothing at all costs nothing: delta (0 from epsilon 0 on) is 1 - e^epsilon below. */
const nothing = (query: Query): Bracket =>
  query.solveFor === 'delta' && query.epsilon.isNegative()
    ? { lower: null, upper: asUpper(1) }
    : { lower: asLower(0), upper: asUpper(0), exact: '0' };

function totalOf(side: Side, query: Query, options: ComposeOptions): Total {
  if (side.entries.length === 0) return { value: nothing(query) };
  const outcome = compose(side, query, options);
  return outcome.kind === 'refusal' ? { refusal: outcome.refusal } : { value: outcome.answer[query.solveFor] };
}

/** A list with the element at an index left out, and another one put there. */
const spliced = (
  nodes: readonly PlanNode[],
  index: number,
  removed: 0 | 1,
  ...put: readonly PlanNode[]
): PlanNode[] => [...nodes.slice(0, index), ...put, ...nodes.slice(index + removed)];

/** The specification before with one change only; the target is not part of it. */
function withChange(side: Side, change: Change): Side {
  switch (change.kind) {
    case 'added':
    case 'removed':
    case 'changed': {
      const { before, after } = change;
      if (before === null) {
        return after === null ? side : { ...side, entries: spliced(side.entries, after.index, 0, after.node) };
      }
      return { ...side, entries: spliced(side.entries, before.index, 1, ...(after === null ? [] : [after.node])) };
    }
    case 'adaptivity':
    case 'order':
    case 'setting':
      return { ...side, [change.kind]: change.after };
    case 'target':
      return side;
  }
}

/** The keys of a specification beside its mechanisms. */
const KEYS = ['adaptivity', 'order', 'setting'] as const;

function changesOf(before: Side, after: Side, query: Query, own: Query): { changes: Change[]; unchanged: number } {
  const matched = matchNodes(before.entries, after.entries);
  const changed = matched.filter((pair) => !isUnchanged(pair));
  const nodes = changed.map((pair): Change => {
    const kind = pair.before === null ? 'added' : pair.after === null ? 'removed' : 'changed';
    return { kind, ...pair };
  });
  const keys = KEYS.map((kind) => ({ kind, before: before[kind], after: after[kind] }) as Change);
  const others: Change[] = [...keys, { kind: 'target', before: query, after: own }];
  const changes = [...nodes, ...others.filter((change) => valueKey(change.before) !== valueKey(change.after))];
  return { changes, unchanged: matched.length - changed.length };
}

/**
 * Compares what two specifications cost, and what each difference between them costs alone: the specification before with
 * that change only. Alone, changes need not add up to the whole.
 *
 * @param query - what is asked of `before`, and of `after` unless that asks for the same at a target of its own
 */
export function compare(
  before: Side,
  after: Side,
  query: Query,
  options: ComposeOptions = {},
): Comparison | { readonly refusal: Refusal; readonly of: 'before' | 'after' } {
  const incomparable = after.target !== null && after.target.solveFor !== query.solveFor;
  const own = after.target === null || incomparable ? query : after.target;
  const work = { session: createSession(), ...options };
  const outcomeBefore = compose(before, query, work);
  if (outcomeBefore.kind === 'refusal') return { refusal: outcomeBefore.refusal, of: 'before' };
  const outcomeAfter = compose(after, own, work);
  if (outcomeAfter.kind === 'refusal') return { refusal: outcomeAfter.refusal, of: 'after' };
  const { changes, unchanged } = changesOf(before, after, query, own);
  return {
    query,
    before: outcomeBefore.answer,
    after: outcomeAfter.answer,
    changes: changes.map((change) => ({
      change,
      total: totalOf(withChange(before, change), change.kind === 'target' ? own : query, work),
    })),
    unchanged,
    incomparable,
  };
}

/** The claim, exactly; null where it is infinite. */
const claimed = (bracket: Bracket): Decimal | null => (bracket.upper === Infinity ? null : exactUpper(bracket));

/** Enclosures up to this wide, relatively, stand for one number. */
const NARROW = 1e-6;

/** Differences up to this, relatively, may come of rounding where a claim is no exact decimal. */
const ROUNDING = 1e-9;

const isNarrow = ({ lower, upper }: Bracket): boolean =>
  lower !== null && upper - lower <= NARROW * Math.max(Math.abs(lower), Math.abs(upper));

/** Whether two enclosures have a number in common: what they enclose may be equal. */
export const overlap = (a: Bracket, b: Bracket): boolean =>
  a.lower !== null && b.lower !== null && a.lower <= b.upper && b.lower <= a.upper;

/** Whether two claims differ by no more than what the width of their enclosures, or rounding, may make of one number. */
function isIndistinct(a: Bracket, b: Bracket): boolean {
  if (a.exact !== undefined && b.exact !== undefined) return false;
  if (isNarrow(a) && isNarrow(b) && overlap(a, b)) return true;
  return Math.abs(a.upper - b.upper) <= ROUNDING * Math.max(Math.abs(a.upper), Math.abs(b.upper));
}

/**
 * How much more is claimed after a change than before: exactly, and 0 where the claims are not distinct. Null where one of
 * them is infinite.
 */
export function claimedDifference(before: Bracket, after: Bracket): Decimal | null {
  const [claimBefore, claimAfter] = [claimed(before), claimed(after)];
  if (claimBefore === null || claimAfter === null) return null;
  return isIndistinct(before, after) ? ZERO : claimAfter.minus(claimBefore);
}

/** Whether more is claimed after a change than before, distinctly. */
export function isIncrease(before: Bracket, after: Bracket): boolean {
  const difference = claimedDifference(before, after);
  return difference === null ? before.upper < Infinity : difference.gt(0);
}
