import { Decimal, exactUpper } from '../../numeric/decimal.ts';
import { relationOf, type Entry, type Neighbours } from '../../privacy/mechanism.ts';
import type { Query } from '../../privacy/curve.ts';
import type { Refusal } from '../core/outcome.ts';
import { isEntry, childrenAt, walk, type PlanNode } from '../core/plan-node.ts';
import { dpOnce } from '../plan/cost.ts';
import { refusalOfSamples } from '../plan/refusals.ts';
import { compose, type Problem } from './compose.ts';

/** Digits of what a part is charged. */
const DIGITS = 12;

/** The mechanisms that are charged for a plan, or why a part of it has no guarantee of its own. */
export type ChargedParts =
  | { readonly kind: 'charged'; readonly entries: readonly Entry[] }
  | { readonly kind: 'refusal'; readonly refusal: Refusal }
  | { readonly kind: 'infinite'; readonly path: string };

/** The relation of neighbors that the guarantees in a part name, of which a plan has one. */
const relationIn = (part: PlanNode): Neighbours | null =>
  walk([part]).reduce<Neighbours | null>((found, { node }) => found ?? (isEntry(node) ? relationOf(node) : null), null);

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
