import { isEntry, type PlanNode } from '../../composition/core/plan-node.ts';
import { walk } from '../../composition/core/walk.ts';
import { relationOf, type Neighbours } from '../../privacy/mechanism.ts';
import type { Path, Mistake } from '../core/input-error.ts';

const RELATIONS: readonly string[] = ['add-remove', 'replace-one'] satisfies Neighbours[];

/** The relations for which mechanisms are described, each once. */
const relationsOf = (nodes: readonly PlanNode[]): readonly Neighbours[] => [
  ...new Set(walk(nodes).flatMap(({ node }) => (isEntry(node) ? (relationOf(node) ?? []) : []))),
];

/** Which data are neighbouring: what is said, or else the one relation for which mechanisms are described; null where there is neither. */
export function neighboursOf(said: string | null, nodes: readonly PlanNode[]): string | null {
  if (said !== null) return said;
  const [relation, ...others] = relationsOf(nodes);
  return others.length === 0 ? (relation ?? null) : null;
}

/** The mistake in a relation that is said where mechanisms are described for the other one; null where there is none. */
export function otherRelation(said: string | null, nodes: readonly PlanNode[], path: Path): Mistake | null {
  if (said === null || !RELATIONS.includes(said)) return null;
  const other = relationsOf(nodes).find((relation) => relation !== said);
  if (other === undefined) return null;
  const message = `neighbours is ${said}, and there are mechanisms for ${other}`;
  const hint = 'Guarantees of the two do not add. Describe all mechanisms for the same neighbours.';
  return { path, anchor: 'value', problem: { code: 'conflicting-keys', message, hint } };
}
