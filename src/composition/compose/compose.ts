import type { Adaptivity, Order, Query } from '../../privacy/query.ts';
import { composeEntries, type ComposeOptions } from '../entries/compose-entries.ts';
import { composePlan } from '../plan/compose-plan.ts';
import type { Outcome } from '../core/outcome.ts';
import { firstAlongTheWay } from '../plan/along-the-way.ts';
import { flatEntries, type PlanNode } from '../core/plan-node.ts';
import { isUsual, USUAL_SETTING, type Setting } from '../core/setting.ts';

export type { ComposeOptions } from '../entries/compose-entries.ts';

/** Mechanisms to compose. */
export interface Problem {
  /** At least one. */
  readonly entries: readonly PlanNode[];
  readonly adaptivity: Adaptivity;
  /** Default any; says nothing where all mechanisms are fixed in advance, or where there is structure. */
  readonly order?: Order;
  /** The preconditions of theorems on interactive and continual mechanisms; default: the usual ones. */
  readonly setting?: Setting;
}

/**
 * The cost of mechanisms together: every theorem that applies, the tightest first, and how far below it no claim
 * can go. Refused where no theorem covers them.
 */
export function compose(problem: Problem, query: Query, options: ComposeOptions = {}): Outcome {
  const { entries: nodes, adaptivity, setting = USUAL_SETTING } = problem;
  const entries = flatEntries(nodes);
  const order = entries === null ? 'any' : (problem.order ?? 'any');
  if (adaptivity === 'parameters') {
    const code = entries === null ? 'adaptive-parameters-in-parallel' : 'adaptive-parameters';
    return { kind: 'refusal', refusal: { code } };
  }
  const simple = isUsual(setting) && (adaptivity !== 'nonadaptive' || firstAlongTheWay(nodes) === null);
  if (entries !== null && simple) {
    return composeEntries({ entries, adaptivity, order }, query, options);
  }
  return composePlan({ nodes, adaptivity, order, setting }, query, options);
}
