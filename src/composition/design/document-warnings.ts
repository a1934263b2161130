import type { Decimal } from '../../numeric/decimal.ts';
import { failureProbability } from '../../privacy/failure.ts';
import type { Design } from './design.ts';
import type { Warning } from '../core/outcome.ts';
import { isEntry, walk, withDescendants, type Parallel, type PlanNode } from '../core/plan-node.ts';

/** Elements of a document, and the design that runs them. */
export interface Documented {
  readonly entries: readonly PlanNode[];
  readonly design: Design | null;
}

/** The deltas of all continual mechanisms that one instance of a node runs. */
const deltasOf = (instance: PlanNode): { readonly delta: Decimal; readonly count: number }[] =>
  withDescendants(instance)
    .filter(isEntry)
    .flatMap(({ mechanism, count, kind }) =>
      kind === 'continual' && mechanism.type === 'dp' ? [{ delta: mechanism.delta, count }] : [],
    );

/** Whether any number of what a node holds is created during the run. */
const isCreator = (node: PlanNode): boolean =>
  !isEntry(node) && (node.node === 'parallel' || (node.node === 'local' && node.users.kind === 'alike'));

function tooSmallCap(node: Parallel, path: string): Warning[] {
  const { deltaCap, of, label, sparsity } = node;
  if (deltaCap === null || sparsity === 0) return [];
  const delta = failureProbability(deltasOf(of)).lower;
  return delta.gt(deltaCap) ? [{ code: 'cap-below-instance', path, label, deltaCap, delta }] : [];
}

/** Caps on delta that not even one instance keeps; of nested elements, those that are not in others. */
export const documentWarnings = ({ entries }: Pick<Documented, 'entries'>): Warning[] =>
  walk(entries).flatMap(({ node, path, above }) =>
    isEntry(node) || node.node !== 'parallel' || above.some((holder) => isCreator(holder.node))
      ? []
      : tooSmallCap(node, path),
  );

/** The same where the design of a document, if it has one, is left unchecked. */
export const uncheckedWarnings = (document: Documented): Warning[] => [
  ...(document.design === null ? [] : [{ code: 'design-not-checked' } as const]),
  ...documentWarnings(document),
];
