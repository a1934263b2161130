import type { Entry } from '../../privacy/mechanism.ts';
import type { Context } from './resolved-node.ts';
import type { Place } from '../core/outcome.ts';
import { type Decimal, ZERO } from '../../numeric/decimal.ts';
import type { Parallel } from '../core/plan-node.ts';
import { inBothOrders, parallelDeltaCap, parallelRenyiOne, parallelSets } from '../theorems/parallel.ts';
import type { Theorem } from '../theorems/theorem.ts';
import {
  deltasTogether,
  dpOnce,
  isDp,
  withoutDeltas,
  NOTHING,
  onlyIfDiffering,
  ONE_SET,
  setsOf,
  type Cost,
} from './cost.ts';
import { countsTwice, renyiOfSparse } from './mechanism-cost.ts';

/** Every entry `times` as often; more than 2^53 - 1 of one are reported as uncovered. */
function multiplied(entries: readonly Entry[], times: number, place: Place, { uncovered }: Context): readonly Entry[] {
  if (times === 0) return [];
  const all = entries.map((entry) => ({ ...entry, count: entry.count * times }));
  if (all.every(({ count }) => count <= Number.MAX_SAFE_INTEGER)) return all;
  uncovered({ code: 'too-many-mechanisms', ...place });
  return entries;
}

/** Instances of one mechanism, of which at most some get different data. */
export interface InstancesOf extends Pick<Parallel, 'sparsity' | 'instances' | 'deltaCap' | 'firstPairConsistent'> {
  /** The unit in which a document counts them. */
  readonly counted: 'instances' | 'users';
}

/** Parts or users that all run the same, as instances of it. */
export const alike = (
  { sparsity, instances }: Pick<InstancesOf, 'sparsity' | 'instances'>,
  counted: InstancesOf['counted'] = 'instances',
): InstancesOf => ({ sparsity, instances, deltaCap: null, firstPairConsistent: false, counted });

/** Whether some instances never get different data. */
export const isSparse = ({ sparsity, instances }: InstancesOf): boolean =>
  instances === 'unbounded' || sparsity < instances;

const isRenyi = ({ mechanism }: Entry): boolean => mechanism.type === 'rdp' || mechanism.type === 'zcdp';

/** The delta that was declared, of a mechanism whose delta counts twice. */
const halved = (entry: Entry): Entry =>
  isDp(entry) ? { ...entry, mechanism: { ...entry.mechanism, delta: entry.mechanism.delta.div(2) } } : entry;

/** A mechanism that reveals everything with probability `delta`, and nothing else. */
const revealing = (delta: Decimal): Entry => dpOnce(ZERO, delta, 'continual');

/** A cap on deltas, doubled where each counts for both orders of neighbours. */
const capOf = (deltaCap: Decimal, context: Context): Decimal =>
  countsTwice(context) ? inBothOrders(deltaCap) : deltaCap;

/** The cost of instances together, and the theorems beside those of their mechanisms. */
interface InstancesTotal {
  readonly cost: Cost;
  readonly theorems: readonly Theorem[];
  /** How often delta is paid: the number of sets of instances that may differ. */
  readonly sets: Decimal;
}

/** Mechanisms that each instance pays whatever its data: approximate ones, and others. */
interface Created {
  readonly failures: readonly Entry[];
  readonly others: readonly Entry[];
}

/** Divides the mechanisms that are paid whatever the data. */
export const splitCreated = (created: readonly Entry[]): Created => ({
  failures: created.filter(isDp),
  others: created.filter((entry) => !isDp(entry)),
});

/** Of a limited number of instances: those that differ, and what all of them pay. */
function limited(
  differing: readonly Entry[],
  { failures, others }: Created,
  { sparsity, instances }: InstancesOf & { readonly instances: number },
  place: Place,
  context: Context,
): InstancesTotal {
  const times = (entries: readonly Entry[], count: number): readonly Entry[] =>
    multiplied(entries, count, place, context);
  const plainTotal = (): InstancesTotal => ({
    cost: { differing: times(differing, sparsity), created: times([...failures, ...others], instances) },
    theorems: [],
    sets: ONE_SET,
  });
  if (failures.length > 0 && sparsity < instances && countsTwice(context)) context.otherwise('all');
  if (others.length === 0 || context.side === 'attained') return plainTotal();
  const sets = setsOf(instances, sparsity);
  const isRenyiOfOne = sparsity === 1 && others.every(({ mechanism }) => mechanism.type !== 'finite-pair');
  if (sets.isFinite()) context.otherwise('sets');
  if (isRenyiOfOne) context.otherwise('moments');
  const paid = times(failures, instances);
  if (context.way.late === 'sets') {
    const cost = { differing: times(differing, sparsity), created: [...paid, ...times(others, sparsity)] };
    return { cost, theorems: [parallelSets], sets };
  }
  if (context.way.late === 'moments' && isRenyiOfOne) {
    const label = place.label ?? place.path;
    const all: Entry = { mechanism: renyiOfSparse(others, instances), count: 1, kind: 'continual', label };
    const cost = { differing: times(differing, sparsity), created: [...paid, all] };
    return { cost, theorems: [parallelRenyiOne], sets: ONE_SET };
  }
  return plainTotal();
}

/** The same where there is no end of instances: approximate mechanisms pay their cap; what has no limit is reported. */
function withoutEnd(
  differing: readonly Entry[],
  { failures, others }: Created,
  { sparsity, deltaCap, counted }: InstancesOf,
  place: Place,
  context: Context,
): Cost {
  const some = multiplied(differing, sparsity, place, context);
  if (others.length > 0) {
    const code = others.every(isRenyi) ? 'unbounded-renyi' : 'unbounded-f-dp';
    context.uncovered({ code, each: others, counted, ...place });
  } else if (failures.length > 0 && deltaCap === null) {
    const paidFailures = countsTwice(context) ? failures.map(halved) : failures;
    context.uncovered({ code: 'unbounded-approximate', each: paidFailures, counted, ...place });
  } else if (failures.length > 0 && deltaCap !== null) {
    return { differing: some, created: [revealing(capOf(deltaCap, context))] };
  }
  return { differing: some, created: [] };
}

/**
 * The cost of instances that each cost `instanceCost`.
 *
 * @param late - whether it may show late which of them get different data
 */
export function instancesTotal(
  node: InstancesOf,
  instanceCost: Cost,
  late: boolean,
  place: Place,
  context: Context,
): InstancesTotal {
  const { sparsity, instances, deltaCap } = node;
  if (sparsity === 0) return { cost: NOTHING, theorems: [], sets: ONE_SET };
  const { differing, created } = late ? instanceCost : onlyIfDiffering(instanceCost);
  const paid = splitCreated(created);
  const total =
    instances === 'unbounded'
      ? { cost: withoutEnd(differing, paid, node, place, context), theorems: [], sets: ONE_SET }
      : limited(differing, paid, { ...node, instances, sparsity: Math.min(sparsity, instances) }, place, context);
  const capped = deltaCap === null ? null : underCap(total.cost, capOf(deltaCap, context));
  return capped === null ? total : { ...total, cost: capped, theorems: [...total.theorems, parallelDeltaCap] };
}

/** The same under a cap on 1 - prod(1 - d_j) over all that are created; null where deltas stay within it anyway. */
function underCap({ differing, created }: Cost, cap: Decimal): Cost | null {
  if (deltasTogether([...differing, ...created]).lte(cap)) return null;
  const pure: Cost = { differing: withoutDeltas(differing), created: withoutDeltas(created) };
  return deltasTogether(created).gt(0)
    ? { ...pure, created: [...pure.created, revealing(cap)] }
    : { ...pure, differing: [...pure.differing, revealing(cap)] };
}
