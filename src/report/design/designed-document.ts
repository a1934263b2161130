import type { Exposure } from '../../composition/design/neighbouring-mapping.ts';
import type { Design } from '../../composition/design/design.ts';
import { toDescribe } from '../../composition/design/part.ts';
import { isEntry, childrenAt, type PlanNode } from '../../composition/core/plan-node.ts';
import { formatPath } from '../../document/core/quote.ts';
import { printable } from '../kit/prose.ts';

/** A violation in words: where it is and what is wrong, and its fix. */
export interface ViolationText {
  readonly message: string;
  readonly remedy: string;
}

/** A design with the mechanisms that it runs, as far as its fix depends on them. */
export interface DesignedDocument {
  readonly design: Design;
  readonly entries: readonly PlanNode[];
  readonly exposures: readonly Exposure[];
}

/** A mechanism that a design runs, at its place in the document. */
export interface Run {
  readonly node: PlanNode;
  readonly path: string;
  /** `mechanisms[2] ("svt")`. */
  readonly name: string;
}

/** The mechanism that goes by a label. */
export function runOf({ design, entries }: DesignedDocument, label: string): Run {
  const named = new Set(design.submechanisms.map(({ mechanism }) => mechanism));
  const found = toDescribe(entries, named).find(({ node }) => node.label === label);
  if (found === undefined) throw new RangeError(`The design runs "${label}", which is no part of the plan.`);
  const path = formatPath(found.path);
  return { node: found.node, path, name: `${path} ("${printable(label)}")` };
}

/** The keys of an element that say how many instances there are, and how many differ; null where it has none. */
export function countKeys(node: PlanNode): { readonly instances: string | null; readonly differing: string | null } {
  if (isEntry(node)) return { instances: 'count', differing: null };
  switch (node.node) {
    case 'parallel':
      return { instances: 'instances', differing: 'sparsity' };
    case 'local':
      return { instances: 'users', differing: 'differing' };
    case 'partition':
      return { instances: null, differing: 'sparsity' };
    case 'group':
      return { instances: null, differing: null };
  }
}

/** The place where a sub-mechanism is described. */
export const descriptionOf = ({ design }: DesignedDocument, label: string): string =>
  formatPath(['design', 'submechanisms', design.submechanisms.findIndex(({ mechanism }) => mechanism === label)]);

/** The places of all mechanisms in an element. */
export const mechanismPlaces = (node: PlanNode, path: string): string[] =>
  isEntry(node) ? [path] : childrenAt({ node, path }).flatMap((child) => mechanismPlaces(child.node, child.path));

/** The place where an argument of a sub-mechanism is described. */
export function argumentPlace(document: DesignedDocument, label: string, argument: string): string {
  const submechanism = document.design.submechanisms.find(({ mechanism }) => mechanism === label);
  const place = descriptionOf(document, label);
  const received = submechanism?.receives.findIndex(({ name }) => name === argument) ?? -1;
  if (received >= 0) return `${place}.receives[${received}]`;
  return `${place}.data[${submechanism?.data.findIndex(({ name }) => name === argument) ?? 0}]`;
}
