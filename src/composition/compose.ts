import type { Adaptivity, Order, Query } from '../privacy/query.ts';
import { composeEntries, type ComposeOptions } from './compose-entries.ts';
import { composePlan } from './compose-plan.ts';
import type { Outcome } from './outcome.ts';
import { firstAlongTheWay } from './plan/along-the-way.ts';
import { flatEntries, type PlanNode } from './plan-node.ts';
import { isUsual, USUAL_SETTING, type Setting } from './setting.ts';

export type { ComposeOptions } from './compose-entries.ts';

/** What to compose. */
export interface Problem {
  /** At least one. */
  readonly entries: readonly PlanNode[];
  readonly adaptivity: Adaptivity;
  /** Default any; says nothing where all mechanisms are fixed in advance, or where there is structure. */
  readonly order?: Order;
  /** What is known of the preconditions of theorems on interactive and continual mechanisms; default: nothing is said. */
  readonly setting?: Setting;
}

/**
 * What the mechanisms cost together: every theorem that applies, the tightest first, and how far below it no claim
 * can go.
 *
 * `answer.epsilon.upper` (or `delta.upper`) is a valid claim for every mechanism of the declared classes in the declared
 * setting. Parameters chosen along the way are refused: only filters and odometers cover them. So is structure that no
 * theorem covers, with what no claim can go below, and what is said to be fixed in advance though it is not.
 *
 * @example
 * ```js
 * import { compose, Decimal } from 'dpcompose';
 *
 * const dp = { type: 'dp', epsilon: new Decimal('0.1'), delta: new Decimal(0) };
 * const entries = [{ mechanism: dp, count: 100, kind: 'noninteractive', label: null }];
 * const delta = new Decimal('1e-6');
 * const outcome = compose({ entries, adaptivity: 'adaptive' }, { solveFor: 'epsilon', delta });
 * console.log(outcome.answer.bound); // dp-optimal
 * console.log(Math.ceil(outcome.answer.epsilon.upper * 1e9) / 1e9); // 4.774567589
 * ```
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
