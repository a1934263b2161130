import type { Decimal } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import type { Parallel } from '../plan-node.ts';
import { deltasTogether, inBothOrders, revealing, withoutDeltas } from '../theorems/parallel-delta-cap.ts';
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

const isDp = ({ mechanism }: Entry): boolean => mechanism.type === 'dp';
const isRenyi = ({ mechanism }: Entry): boolean => mechanism.type === 'rdp' || mechanism.type === 'zcdp';

/** The delta that was declared, of a mechanism whose delta counts twice. */
const halved = (entry: Entry): Entry => {
  const { mechanism } = entry;
  return mechanism.type === 'dp' ? { ...entry, mechanism: { ...mechanism, delta: mechanism.delta.div(2) } } : entry;
};

/** What a cap on deltas comes to where each counts for both orders of neighbours. */
const capOf = (deltaCap: Decimal, context: Context): Decimal =>
  countsTwice(context) ? inBothOrders(deltaCap) : deltaCap;

/** What all instances pay together of what each pays whatever its data; what has no limit is told. */
function allInstances(
  each: readonly Entry[],
  { instances, deltaCap, counted }: InstancesOf,
  place: Place,
  context: Context,
): readonly Entry[] {
  if (instances !== 'unbounded') return multiplied(each, instances, place, context);
  const others = each.filter((entry) => !isDp(entry));
  if (others.length > 0) {
    const code = others.every(isRenyi) ? 'unbounded-renyi' : 'unbounded-f-dp';
    context.uncovered({ code, each: others, counted, ...place });
    return [];
  }
  if (deltaCap !== null) return [revealing(capOf(deltaCap, context))];
  const lopsided = countsTwice(context);
  context.uncovered({ code: 'unbounded-approximate', each: lopsided ? each.map(halved) : each, counted, ...place });
  return [];
}

/** What instances cost together, and whether that rests on the cap on their deltas. */
export interface InstancesTotal {
  readonly cost: Cost;
  readonly capped: boolean;
}

/**
 * What instances that each cost `each` cost together.
 *
 * @param late - whether it may show late which of them get different data
 */
export function instancesTotal(
  node: InstancesOf,
  each: Cost,
  late: boolean,
  place: Place,
  context: Context,
): InstancesTotal {
  const cost = oneByOne(node, each, late, place, context);
  const { deltaCap } = node;
  if (deltaCap === null) return { cost, capped: false };
  const cap = capOf(deltaCap, context);
  const { differing, created } = cost;
  if (deltasTogether([...differing, ...created]).lte(cap)) return { cost, capped: false };
  const failure = [revealing(cap)];
  const pure: Cost = { differing: withoutDeltas(differing), created: withoutDeltas(created) };
  const always = deltasTogether(created).gt(0);
  return {
    cost: always
      ? { ...pure, created: [...pure.created, ...failure] }
      : { ...pure, differing: [...pure.differing, ...failure] },
    capped: true,
  };
}

/** The same, each delta paid on its own unless there is no end of them. */
function oneByOne(node: InstancesOf, each: Cost, late: boolean, place: Place, context: Context): Cost {
  const { sparsity, instances } = node;
  if (sparsity === 0) return NOTHING;
  const { differing, created } = late ? each : onlyIfDiffering(each);
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
