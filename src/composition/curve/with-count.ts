import type { Entry } from '../../privacy/mechanism.ts';
import type { PlanNode } from '../core/plan-node.ts';
import { mapNodes } from '../core/walk.ts';

/** The same nodes with another count of `entry`, which is one of them or stands anywhere below them. */
export const withCount = (nodes: readonly PlanNode[], entry: Entry, count: number): readonly PlanNode[] =>
  mapNodes(nodes, (node) => (node === entry ? { ...entry, count } : node));
