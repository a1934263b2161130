import type { Entry } from '../../privacy/mechanism.ts';
import { isZeroLoss } from '../../privacy/mechanisms/records.ts';
import {
  isEntry,
  childrenAt,
  childrenOf,
  type Local,
  type Partition,
  type PlanNode,
  type Structure,
} from '../core/plan-node.ts';
import { disjointParts, families, localAlike, localDifferent } from '../theorems/disjoint.ts';
import { parallelNoneDiffer } from '../theorems/parallel.ts';
import type { Theorem } from '../theorems/theorem.ts';
import { conditionsOf, isPure, concurrentRule, parallelRule, type Conduct, type Limits } from './rules.ts';
import { together, ONE_SET, setsRepeated, setsTogether } from './cost.ts';
import { alike, instancesTotal, isSparse, type InstancesOf } from './instances-cost.ts';
import { admittedMeasure, isAlone, mechanismCost } from './mechanism-cost.ts';
import { partsTotal } from './parts-cost.ts';
import type { Chooser, Context, LateRule, PartsRule, Plan, ResolvedNode, Side, Way } from './resolved-node.ts';
import type { Uncovered } from '../core/outcome.ts';

/** Where a node stands. */
interface Position {
  readonly path: string;
  /** In instances of which not all may differ, and in which it may show late that they do. */
  readonly sparse: boolean;
  /** In instances or parts of which several may differ: neighbours may stand in one order in one of them, in the other in another. */
  readonly several: boolean;
  /** In a first-pair consistent instance, in which only what its first message goes to has to differ at once. */
  readonly settled: boolean;
}

/**
 * Whether it may show late which instances or parts get different data.
 *
 * An instance that is first-pair consistent (Henzinger, Safavi, Vadhan 2025, Definition 5.12) and runs several mechanisms
 * has to get different data in its first message, which goes to one of them. What is claimed holds where the others may
 * get theirs late; what is attained takes all of them to differ at once.
 */
const differsLate = (firstPairConsistent: boolean, { settled }: Position, { side }: Context): boolean =>
  !firstPairConsistent && !(settled && side === 'attained');

/** A resolved node before its conditions. */
type Unconditioned = Omit<ResolvedNode, 'conditions'>;

const distinct = <T>(items: readonly T[]): T[] => [...new Set(items)];

/** By which theorems mechanisms run at the same time. */
const concurrent = (conducts: readonly Conduct[], { plan }: Context): Theorem[] =>
  distinct(conducts.flatMap((conduct) => concurrentRule(conduct, plan.adaptivity === 'adaptive') ?? []));

/** By which theorems only some of many instances pay. */
const sparsely = (conducts: readonly Conduct[], limits: Limits): Theorem[] =>
  distinct(conducts.flatMap((conduct) => parallelRule(conduct, limits) ?? []));

function withConditions(result: Unconditioned, { plan }: Context): ResolvedNode {
  return { ...result, conditions: conditionsOf(result.theorems, result.conducts, plan.setting) };
}

/** A mechanism whose neighbours stand in one order throughout, where several may differ each in its own. */
function inAnyOrder(entry: Entry, { side }: Context): Entry {
  const { mechanism } = entry;
  if (mechanism.type !== 'finite-pair' || side === 'attained') return entry;
  return { ...entry, mechanism: { ...mechanism, direction: 'either' } };
}

/** Whether the order of neighbours decides its losses, one order being taken throughout. */
const isOrdered = ({ mechanism }: Entry): boolean =>
  mechanism.type === 'sampled' || (mechanism.type === 'finite-pair' && mechanism.direction === 'fixed');

function resolveMechanism(declared: Entry, { path, sparse, several }: Position, context: Context): Unconditioned {
  const entry = several ? inAnyOrder(declared, context) : declared;
  const late = sparse && entry.kind === 'continual';
  const place = { path, label: entry.label };
  const measure = isAlone(entry, late, context) ? 'alone' : admittedMeasure(entry, place, late, context);
  const conducts: Conduct[] =
    measure === 'nothing'
      ? []
      : [
          {
            measure,
            kind: entry.kind,
            isLate: late,
            isDp: entry.mechanism.type === 'dp',
            isPure: isPure(entry),
            isOrdered: isOrdered(entry),
          },
        ];
  return {
    node: declared,
    path,
    theorems: entry.count > 1 ? concurrent(conducts, context) : [],
    cost: mechanismCost({ ...entry, label: entry.label ?? path }, measure, late, context),
    late: false,
    sets: ONE_SET,
    conducts,
    children: [],
  };
}

/** The nodes directly below one, in the position in which it stands but for the path. */
const resolveChildren = (node: Structure, position: Position, context: Context): ResolvedNode[] =>
  childrenAt({ node, path: position.path }).map((child) =>
    resolveNode(child.node, { ...position, path: child.path }, context),
  );

/** Nodes that all run on the same data. */
function resolveTogether(
  node: PlanNode | null,
  path: string,
  children: readonly ResolvedNode[],
  context: Context,
): Unconditioned {
  const conducts = children.flatMap((child) => child.conducts);
  return {
    node,
    path,
    theorems: children.length > 1 ? concurrent(conducts, context) : [],
    cost: together(children.map(({ cost }) => cost)),
    late: false,
    sets: setsTogether(children.map(({ sets }) => sets)),
    conducts,
    children,
  };
}

/** For what never gets different data, and so needs no guarantee. */
const withoutRefusals = (context: Context): Context => ({ ...context, uncovered: () => undefined });

/** How what all instances pay is limited. */
function limitsOf({ instances, deltaCap, firstPairConsistent }: InstancesOf): Limits {
  const number = instances === 'unbounded' ? 'unbounded' : 'bounded';
  return { firstPairConsistent, creation: deltaCap === null ? number : 'capped' };
}

function resolveInstances(
  node: Structure,
  declared: InstancesOf & { readonly of: PlanNode; readonly label: string | null },
  position: Position,
  context: Context,
): Unconditioned {
  const { path, sparse, several, settled } = position;
  const { firstPairConsistent, of, label } = declared;
  const limited = context.way.late === 'all' && declared.instances !== 'unbounded';
  const sparsity = limited && declared.sparsity > 0 ? declared.instances : declared.sparsity;
  const instances = { ...declared, sparsity };
  const some = isSparse(instances);
  const late = differsLate(firstPairConsistent, position, context);
  const inside = sparsity === 0 ? withoutRefusals(context) : context;
  const below = {
    path: childrenAt({ node, path })[0]!.path,
    sparse: late && (some || sparse),
    several: several || sparsity > 1,
    settled: settled || firstPairConsistent,
  };
  const child = resolveNode(of, below, inside);
  const total = instancesTotal(instances, child.cost, late, { path, label }, context);
  const theorems = (): Theorem[] => {
    if (sparsity === 0) return [parallelNoneDiffer];
    if (some) return sparsely(child.conducts, limitsOf(instances));
    return instances.instances === 1 ? [] : concurrent(child.conducts, context);
  };
  return {
    node,
    path,
    theorems: distinct([...theorems(), ...total.theorems]),
    cost: total.cost,
    late,
    sets: setsTogether([total.sets, setsRepeated(child.sets, sparsity)]),
    conducts: sparsity === 0 ? [] : child.conducts,
    children: [child],
  };
}

/** However many parts there are, their number is limited. */
const PARTS: Limits = { firstPairConsistent: false, creation: 'bounded' };

/** How many instances inside a part may differ, as far as it is they that are counted. */
function mayDiffer(part: PlanNode, { way }: Context): number {
  if (isEntry(part) || part.node !== 'parallel' || way.late === 'all') return 1;
  return part.instances === 'unbounded' ? part.sparsity : Math.min(part.sparsity, part.instances);
}

function resolveParts(
  node: Partition | Local,
  { sparsity, counted, of, theorem }: Pick<Partition, 'sparsity' | 'counted' | 'of'> & { readonly theorem: Theorem },
  position: Position,
  context: Context,
): Unconditioned {
  const { path, sparse, several, settled } = position;
  const may = of.map((part) => (counted === 'parts' ? 1 : mayDiffer(part, context)));
  const some = sparsity < may.reduce((sum, count) => sum + count, 0);
  const late = differsLate(false, position, context);
  const inside = sparsity === 0 ? withoutRefusals(context) : context;
  const below = { path, sparse: some ? late : sparse, several: several || sparsity > 1, settled };
  const parts = resolveChildren(node, below, inside);
  const conducts = sparsity === 0 ? [] : parts.flatMap((part) => part.conducts);
  const total = partsTotal(
    parts.map(({ cost, sets }, index) => ({ cost, sets, instances: may[index]! })),
    sparsity,
    context,
  );
  const theorems = some ? [theorem, ...sparsely(conducts, PARTS)] : concurrent(conducts, context);
  return {
    node,
    path,
    theorems: distinct([...theorems, ...total.theorems]),
    cost: total.cost,
    late,
    sets: total.sets,
    conducts,
    children: parts,
  };
}

/** Users are instances, or parts of the data, of their own. */
function resolveUsers(node: Local, position: Position, context: Context): Unconditioned {
  const { users, differing: sparsity, label } = node;
  if (users.kind === 'different') {
    const parts = { sparsity, counted: 'parts', of: users.each, theorem: localDifferent } as const;
    return resolveParts(node, parts, position, context);
  }
  const { count: instances, of } = users;
  const result = resolveInstances(node, { ...alike({ sparsity, instances }, 'users'), of, label }, position, context);
  return { ...result, theorems: [localAlike, ...result.theorems] };
}

/** What is the same on each part is an instance of its own there. */
function resolvePartition(node: Partition, position: Position, context: Context): Unconditioned {
  const { counted, parts: instances } = node;
  if (instances === undefined) {
    return resolveParts(node, { ...node, theorem: counted === 'parts' ? disjointParts : families }, position, context);
  }
  const result = resolveInstances(
    node,
    { ...alike({ ...node, instances }), of: node.of[0]!, label: node.label },
    position,
    context,
  );
  return instances > node.sparsity ? { ...result, theorems: [disjointParts, ...result.theorems] } : result;
}

function find(node: PlanNode, position: Position, context: Context): Unconditioned {
  if (isEntry(node)) return resolveMechanism(node, position, context);
  switch (node.node) {
    case 'group':
      return resolveTogether(node, position.path, resolveChildren(node, position, context), context);
    case 'parallel':
      return resolveInstances(node, { ...node, counted: 'instances' }, position, context);
    case 'partition':
      return resolvePartition(node, position, context);
    case 'local':
      return resolveUsers(node, position, context);
  }
}

function resolveNode(node: PlanNode, position: Position, context: Context): ResolvedNode {
  return withConditions(find(node, position, context), context);
}

/** A plan with the theorem at every node, and what no theorem covers. */
export interface Resolution {
  /** The whole plan: a group of all nodes. */
  readonly tree: ResolvedNode;
  readonly context: Context;
  /** Empty where theorems cover everything. */
  readonly uncovered: readonly Uncovered[];
  /** The rules by which some part could be paid otherwise. */
  readonly otherwise: ReadonlySet<PartsRule | LateRule>;
}

/** The way that is always there. */
const FIRST_WAY: Way = { parts: 'ranked', late: 'each' };

/** Whether nothing but one mechanism is run, and that once. */
function isOneMechanism(nodes: readonly PlanNode[]): boolean {
  const [only, ...others] = nodes.filter((node) => !isEntry(node) || !isZeroLoss(node.mechanism));
  if (only === undefined || others.length > 0) return false;
  if (isEntry(only)) return only.count === 1;
  return only.node === 'group' && isOneMechanism(only.nodes);
}

/** How many of its nodes may get different data. */
function sparsityOf(node: Structure): number {
  return node.node === 'group' ? node.nodes.length : node.node === 'local' ? node.differing : node.sparsity;
}

/** How the only mechanism of these nodes that gets different data shows it; null where several may get such. */
function onlyOne(nodes: readonly PlanNode[], sparse = false): Context['only'] {
  const ofNode = (node: PlanNode): Context['only'] => {
    if (isEntry(node)) return node.count > 1 ? null : sparse && node.kind === 'continual' ? 'late' : 'at once';
    if (sparsityOf(node) > 1) return null;
    const settles = node.node === 'parallel' && node.firstPairConsistent;
    const ways = childrenOf(node).map((child) => onlyOne([child.node], !settles && (sparse || node.node !== 'group')));
    return ways.includes(null) ? null : ways.includes('late') ? 'late' : 'at once';
  };
  const [only, ...others] = nodes;
  return only === undefined || others.length > 0 ? null : ofNode(only);
}

/**
 * Finds the theorem that covers each node of a plan (the decision of Henzinger, Safavi, Vadhan 2025, Table 1, extended to
 * Renyi and f-DP guarantees and to nested structures), and what each node adds to the composition.
 *
 * claim: costs that pay for every mechanism of the declared classes, in the multiset form: each theorem replaces a part
 * by post-processings of randomized responses or of mechanisms that answer once, so that all parts together are
 * dominated by the composition of all of these (derived; never worse than pricing each part as one (e, d) first, since
 * those are post-processings of such a pair's randomized response). attained: the cost of one legal choice.
 */
export function resolvePlan(
  plan: Plan,
  side: Side = 'claim',
  way: Way = FIRST_WAY,
  choose: Chooser = () => null,
): Resolution {
  const uncovered: Uncovered[] = [];
  const otherwise = new Set<PartsRule | LateRule>();
  const context: Context = {
    plan,
    side,
    way,
    choose,
    alone: isOneMechanism(plan.nodes),
    only: onlyOne(plan.nodes),
    uncovered: (part) => uncovered.push(part),
    otherwise: (rule) => otherwise.add(rule),
  };
  const top = { sparse: false, several: false, settled: false };
  const children = plan.nodes.map((node, index) =>
    resolveNode(node, { ...top, path: `mechanisms[${index}]` }, context),
  );
  const tree = withConditions(resolveTogether(null, 'plan', children, context), context);
  return { tree, context, uncovered, otherwise };
}
