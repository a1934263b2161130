import { failureOf } from '../../bounds/core/entries.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { Entry, MechanismKind } from '../../privacy/mechanism.ts';
import { isEntry, withDescendants, type Parallel, type PlanNode } from '../core/plan-node.ts';
import { roomFor } from '../theorems/parallel.ts';
import type { Place, Times } from './design.ts';

/** A part of a plan that a design can create and send to. */
export interface Part {
  readonly label: string;
  /** How each instance is used. */
  readonly kind: MechanismKind;
  /** How many instances there may be. */
  readonly instances: Times;
  /** In what so many of them get, neighbours may differ. */
  readonly sparsity: Times;
  /** Neighbours that agree on the first message to an instance agree on all that follow. */
  readonly firstPairConsistent: boolean;
  /** The cap on delta that the creator of the instances keeps to, where the price rests on it. */
  readonly cap: Cap | null;
}

/** A cap on 1 - prod(1 - delta) over all instances, and how many fit under it. */
export interface Cap {
  readonly delta: Decimal;
  readonly fits: number;
}

/** The mechanisms of a node; null where instances are created inside it, which a design cannot describe. */
function mechanismsOf(node: PlanNode): readonly Entry[] | null {
  const inside = withDescendants(node);
  return inside.every((part) => isEntry(part) || part.node === 'group') ? inside.filter(isEntry) : null;
}

function uniformKind(node: PlanNode): MechanismKind | null {
  const [kind, another] = new Set(mechanismsOf(node)?.map((entry) => entry.kind));
  return another === undefined ? (kind ?? null) : null;
}

type Shape = Omit<Part, 'label' | 'kind'>;

/** Only continual instances that may start to differ late pay their deltas whatever their data. */
function capOf({ deltaCap, firstPairConsistent, of }: Parallel): Cap | null {
  if (deltaCap === null || firstPairConsistent) return null;
  const failing = (mechanismsOf(of) ?? []).filter(
    ({ mechanism, kind }) => mechanism.type === 'dp' && kind === 'continual',
  );
  const fits = roomFor(deltaCap, failureOf(failing).upper);
  return fits === Infinity ? null : { delta: deltaCap, fits };
}

function shapeOf(node: PlanNode): { readonly shape: Shape; readonly of: PlanNode } | null {
  if (isEntry(node)) {
    const interactive = node.kind === 'interactive';
    return {
      shape: { instances: node.count, sparsity: node.count, firstPairConsistent: interactive, cap: null },
      of: node,
    };
  }
  switch (node.node) {
    case 'group':
      return { shape: { instances: 1, sparsity: 1, firstPairConsistent: false, cap: null }, of: node };
    case 'parallel': {
      const { instances, sparsity, firstPairConsistent, of } = node;
      return { shape: { instances, sparsity, firstPairConsistent, cap: capOf(node) }, of };
    }
    case 'local': {
      if (node.users.kind === 'different') return null;
      const { count, of } = node.users;
      return { shape: { instances: count, sparsity: node.differing, firstPairConsistent: false, cap: null }, of };
    }
    case 'partition':
      return null;
  }
}

/** A node as a design sees it; null where a design cannot describe what goes on in it. */
export function partOf(node: PlanNode): Part | null {
  const shapedNode = shapeOf(node);
  const kind = shapedNode === null ? null : uniformKind(shapedNode.of);
  if (shapedNode === null || kind === null || node.label === null) return null;
  const { instances, sparsity, firstPairConsistent, cap } = shapedNode.shape;
  return {
    label: node.label,
    kind,
    instances,
    sparsity,
    firstPairConsistent: firstPairConsistent || kind === 'interactive',
    cap,
  };
}

/** A node that a design has to describe, with its place in the document. */
export interface Described {
  readonly node: PlanNode;
  readonly path: Place;
}

/**
 * The nodes that a design has to describe: those of the plan, but in place of a group that it does not name, what is in
 * the group. None of them is in another, so that nothing is run that is not paid.
 *
 * @param named - the labels that the design names
 */
export function toDescribe(
  nodes: readonly PlanNode[],
  named: ReadonlySet<string>,
  path: Place = ['mechanisms'],
): Described[] {
  return nodes.flatMap((node, index) => {
    const place = [...path, index];
    const apart = !isEntry(node) && node.node === 'group' && (node.label === null || !named.has(node.label));
    return apart ? toDescribe(node.nodes, named, [...place, 'mechanisms']) : [{ node, path: place }];
  });
}
