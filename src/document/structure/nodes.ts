import type { PlanNode } from '../../composition/core/plan-node.ts';
import type { Setting, Standing } from '../../composition/core/setting.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { ParsedFacts } from './document-schema.ts';
import { type ParsedEntry, toEntry } from '../mechanism/entry-schema.ts';
import type { ParsedNode } from './structure-schema.ts';
import { STRUCTURE_TYPES } from '../core/vocabulary.ts';

/** A validated element that holds others. */
export type ParsedStructure = Exclude<ParsedNode, ParsedEntry>;

/** Whether a validated element holds others. */
export const isStructure = (parsed: ParsedNode): parsed is ParsedStructure => STRUCTURE_TYPES.includes(parsed.type);

const instances = (value: Decimal | 'unbounded'): number | 'unbounded' =>
  value === 'unbounded' ? value : value.toNumber();

function only(nodes: readonly PlanNode[]): PlanNode {
  const [node] = nodes;
  if (node === undefined) throw new Error('A validated element lacks what it holds.');
  return node;
}

/** The normal form of a validated element, `children` being what it holds in the same form. */
export function toNode(parsed: ParsedNode, children: readonly PlanNode[]): PlanNode {
  if (!isStructure(parsed)) return toEntry(parsed);
  const label = parsed.label ?? null;
  switch (parsed.type) {
    case 'group':
      return { node: 'group', label, nodes: children };
    case 'parallel':
      return {
        node: 'parallel',
        label,
        sparsity: parsed.sparsity.toNumber(),
        instances: instances(parsed.instances),
        deltaCap: parsed.deltaCap ?? null,
        firstPairConsistent: parsed.firstPairConsistent,
        of: only(children),
      };
    case 'partition':
      return {
        node: 'partition',
        label,
        sparsity: parsed.sparsity?.toNumber() ?? 1,
        ...(parsed.sparsity === undefined && { impliedSparsity: true }),
        counted: parsed.counted,
        of: children,
        ...(parsed.parts === undefined ? {} : { parts: parsed.parts.toNumber() }),
      };
    case 'local':
      return {
        node: 'local',
        label,
        differing: parsed.differing.toNumber(),
        users:
          parsed.each === undefined
            ? { kind: 'alike', count: instances(parsed.users ?? 'unbounded'), of: only(children) }
            : { kind: 'different', each: children },
      };
  }
}

const standing = (fact: boolean | undefined): Standing => (fact === undefined ? 'assumed' : fact ? 'stated' : 'denied');

/** The preconditions of theorems in a validated document. */
export const toSetting = ({ discrete, adaptiveAdversary, symmetric, finiteCommunication }: ParsedFacts): Setting => ({
  discrete: standing(discrete),
  adaptiveAdversary: standing(adaptiveAdversary),
  symmetric: standing(symmetric),
  finiteCommunication: standing(finiteCommunication),
});
