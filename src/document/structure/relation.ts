import {
  isEntry,
  partsOf,
  mapNodes,
  mostRecords,
  walk,
  type Partition,
  type PlanNode,
} from '../../composition/core/plan-node.ts';
import { RELATIONS, relationOf, type Neighbours } from '../../privacy/mechanism.ts';
import type { Mistake, Path, Problem } from '../core/input-error.ts';
import { quote } from '../core/quote.ts';
import { didYouMean } from '../core/suggest.ts';

const isRelation = (word: string): boolean => RELATIONS.some((relation) => relation === word);

/** Neighbors as a document names them: the relation if it is one in other letters, else the words unchanged. */
export function relationIn(words: string): string {
  const word = words.trim().toLowerCase().replace(/[_ ]/g, '-');
  return isRelation(word) ? word : words;
}

/** The relations for which mechanisms are described, each once. */
const relationsOf = (nodes: readonly PlanNode[]): readonly Neighbours[] => [
  ...new Set(walk(nodes).flatMap(({ node }) => (isEntry(node) ? (relationOf(node) ?? []) : []))),
];

/** Which data are neighbouring: what is said, or else the one relation for which mechanisms are described; null where there is neither. */
export function neighboursOf(words: string | null, nodes: readonly PlanNode[]): string | null {
  if (words !== null) return relationIn(words);
  const [relation, ...others] = relationsOf(nodes);
  return others.length === 0 ? (relation ?? null) : null;
}

/** Whether how many parts differ is left to what neighbours are. */
export const hasImpliedSparsity = (nodes: readonly PlanNode[]): boolean =>
  walk(nodes).some(({ node }) => !isEntry(node) && node.node === 'partition' && node.impliedSparsity === true);

const mostThatDiffer = (node: Partition): number => (node.counted === 'parts' ? partsOf(node) : Infinity);

/**
 * The same nodes, each partition that leaves it open with as many parts that differ as the relation implies: a record that is
 * replaced may leave one part for another, and several records of one person may be in as many. Where there is no relation, it stays open.
 */
export const withImpliedSparsity = (nodes: readonly PlanNode[], neighbours: string | null): PlanNode[] =>
  mapNodes(nodes, (node) =>
    neighbours !== null && !isEntry(node) && node.node === 'partition' && node.impliedSparsity === true
      ? {
          ...node,
          sparsity: Math.min(mostRecords(nodes) * (neighbours === 'replace-one' ? 2 : 1), mostThatDiffer(node)),
          impliedSparsity: undefined,
        }
      : node,
  );

/**
 * The mistake in a relation that is said: one that is empty, or another than that for which mechanisms are described, for which
 * a claim in other words would not hold; null where there is none.
 */
export function otherRelation(words: string | null, nodes: readonly PlanNode[], path: Path): Mistake | null {
  if (words === null) return null;
  const relationName = relationIn(words);
  const mistake = (problem: Problem): Mistake => ({ path, anchor: 'value', problem });
  if (relationName.trim() === '') {
    const message = 'neighbours is empty';
    const hint = `Say which data are neighboring, such as ${RELATIONS[0]}, or omit it.`;
    return mistake({ code: 'unknown-value', message, hint });
  }
  const other = relationsOf(nodes).find((relation) => relation !== relationName);
  if (other === undefined) return null;
  if (!isRelation(relationName)) {
    const message = `neighbours is ${quote(relationName)}, and there are mechanisms for ${other}`;
    const hint = `${didYouMean(relationName, RELATIONS)}Write ${other}, or omit it: a label may say the rest.`;
    return mistake({ code: 'unknown-value', message, hint });
  }
  const message = `neighbours is ${relationName}, and there are mechanisms for ${other}`;
  const hint = 'Guarantees of the two do not add. Describe all mechanisms for the same neighbors.';
  return mistake({ code: 'conflicting-keys', message, hint });
}

/** A declared order where mechanisms are not a list. */
export const declaredOrder = (path: Path): Mistake => ({
  path,
  anchor: 'value',
  problem: {
    code: 'conflicting-keys',
    message: 'order cannot be declared where groups, parts, users or instances run at the same time',
    hint: 'Leave order out, or list the mechanisms flat.',
  },
});
