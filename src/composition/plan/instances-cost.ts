import type { Entry } from '../../privacy/mechanism.ts';
import type { Parallel } from '../plan-node.ts';
import { createdTogether, inBothOrders } from '../theorems/parallel-delta-cap.ts';
import { NOTHING, onlyIfDiffering, type Cost } from './cost.ts';
import { countsTwice } from './mechanism-cost.ts';
import { multiplied } from './multiplied.ts';
import type { Context } from './resolved-node.ts';
import type { Place } from './uncovered.ts';

/** Instances of one mechanism, of which at most some get different data. */
export interface InstancesOf extends Pick<Parallel, 'sparsity' | 'instances' | 'deltaCap' | 'firstPairConsistent'> {
  /** What a document counts them by. */
  readonly counted: 'instances' | 'users';
}

/** Whether some instances never get different data. */
export const isSparse = ({ sparsity, instances }: InstancesOf): boolean =>
  instances === 'unbounded' || sparsity < instances;

/** Whether it may show late which instances get different data. */
export const differsLate = (firstPairConsistent: boolean, { plan, side }: Context): boolean =>
  !firstPairConsistent && !(side === 'attained' && plan.adaptivity === 'nonadaptive');

const isDp = ({ mechanism }: Entry): boolean => mechanism.type === 'dp';
const isRenyi = ({ mechanism }: Entry): boolean => mechanism.type === 'rdp' || mechanism.type === 'zcdp';

/** The delta that was declared, of a mechanism whose delta counts twice. */
const halved = (entry: Entry): Entry => {
  const { mechanism } = entry;
  return mechanism.type === 'dp' ? { ...entry, mechanism: { ...mechanism, delta: mechanism.delta.div(2) } } : entry;
};

/** What all instances pay together of what each pays whatever its data; what has no limit is told. */
function allInstances(
  each: readonly Entry[],
  { instances, deltaCap, counted }: InstancesOf,
  place: Place,
  context: Context,
): readonly Entry[] {
  const times = (entries: readonly Entry[], count: number): readonly Entry[] =>
    multiplied(entries, count, place, context);
  const others = each.filter((entry) => !isDp(entry));
  if (others.length > 0) {
    if (instances !== 'unbounded') return times(each, instances);
    const code = others.every(isRenyi) ? 'unbounded-renyi' : 'unbounded-f-dp';
    context.uncovered({ code, each: others, counted, ...place });
    return [];
  }
  const lopsided = countsTwice(context);
  const cap = deltaCap !== null && lopsided ? inBothOrders(deltaCap) : deltaCap;
  const all = createdTogether(each, { instances, deltaCap: cap }, times);
  if (all !== null) return all;
  context.uncovered({ code: 'unbounded-approximate', each: lopsided ? each.map(halved) : each, counted, ...place });
  return [];
}

/** What instances that each cost `each` cost together. */
export function instancesCost(node: InstancesOf, each: Cost, place: Place, context: Context): Cost {
  const { sparsity, instances, firstPairConsistent } = node;
  if (sparsity === 0) return NOTHING;
  const { differing, created } = differsLate(firstPairConsistent, context) ? each : onlyIfDiffering(each);
  if (instances !== 'unbounded' && sparsity >= instances) {
    return {
      differing: multiplied(differing, instances, place, context),
      created: multiplied(created, instances, place, context),
    };
  }
  return {
    differing: multiplied(differing, sparsity, place, context),
    created: created.length === 0 ? [] : allInstances(created, node, place, context),
  };
}
