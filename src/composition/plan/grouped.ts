import { decimalFromDouble } from '../../numeric/decimal.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import { goldenSection } from '../../numeric/convex/minimum.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import type { Query } from '../../privacy/curve.ts';
import { composeEntries, type ComposeOptions } from '../entries/compose-entries.ts';
import { isEntry } from '../core/plan-node.ts';
import { concurrentFixed } from '../theorems/concurrent.ts';
import { alternatives } from './alternatives.ts';
import { asOne, dpOnce, entriesOf } from './cost.ts';
import { conditionsOf, type Conduct } from './rules.ts';
import type { Context, ResolvedNode } from './resolved-node.ts';

/** How finely a share of delta is looked for; every share gives a valid total. */
const SECTIONS = 6;
const SMALLEST_SHARE = 1e-15;

/**
 * The total of a plan whose parts are priced one by one: each part as one (e, d), then the optimal composition of all
 * these. A part whose losses are limited is priced at its largest loss and its chance of failure; of the others each is
 * priced at the same share of delta, chosen so that the total is small. null where there is nothing to group, or where no
 * bound covers a part, or where answers of interactive parts are not discrete, as they must be for that theorem.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Theorem 4.10, of nested compositions (Remark 4.2).
 *
 * @param withShares - whether shares of delta are looked for; where not, null where a part needs one
 */
export function groupedTotal(
  whole: ResolvedNode,
  context: Context,
  query: Query,
  options: ComposeOptions,
  withShares = true,
): Bracket | null {
  const { children } = whole;
  if (children.length < 2 || children.every(({ node }) => node !== null && isEntry(node))) return null;
  const { adaptivity, setting } = context.plan;
  if (setting.discrete === 'denied' && whole.conducts.some(({ measure }) => measure !== 'any')) return null;

  const total = (entries: readonly Entry[], asked: Query): Bracket | null => {
    const outcome = composeEntries({ entries, adaptivity }, asked, options);
    return outcome.kind === 'answer' ? outcome.answer[asked.solveFor] : null;
  };

  const singles = children.filter(({ node }) => node !== null && isEntry(node)).flatMap(({ cost }) => entriesOf(cost));
  const parts = children
    .filter(({ node }) => node !== null && !isEntry(node))
    .map((child) => {
      const choices = alternatives(child, context).map(entriesOf);
      return { label: child.path, choices, one: asOne(choices, child.path) };
    });
  const known = [...singles, ...parts.flatMap(({ one }) => one ?? [])];
  const unlimited = parts.filter(({ one }) => one === null);
  if (unlimited.length === 0) return total(known, query);
  if (!withShares) return null;

  const priced = (share: number): Bracket | null => {
    const delta = decimalFromDouble(share);
    const pairs = unlimited.flatMap(({ label, choices }) => {
      const epsilons = choices.map((entries) => total(entries, { solveFor: 'epsilon', delta })?.upper ?? Infinity);
      const epsilon = Math.max(...epsilons);
      return epsilon < Infinity ? [dpOnce(decimalFromDouble(epsilon), delta, 'interactive', label)] : [];
    });
    return pairs.length < unlimited.length ? null : total([...known, ...pairs], query);
  };
  const most = query.solveFor === 'epsilon' ? query.delta.toNumber() / unlimited.length : 0.5;
  if (!(most > SMALLEST_SHARE)) return null;
  const share = goldenSection((x) => priced(x)?.upper ?? Infinity, SMALLEST_SHARE, most, SECTIONS);
  return priced(share);
}

/** The whole of a plan by the theorem that leads to its grouped total, under which interactive parts are (e, d)-DP. */
export function asGrouped(whole: ResolvedNode, { plan }: Context): ResolvedNode {
  const theorems = [concurrentFixed];
  const conducts = whole.conducts.map((each): Conduct =>
    each.measure === 'any' ? each : { ...each, measure: 'approximate' },
  );
  return { ...whole, theorems, conditions: conditionsOf(theorems, conducts, plan.setting) };
}
