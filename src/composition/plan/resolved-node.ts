import type { Decimal } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import type { Adaptivity, Order } from '../../privacy/curve.ts';
import type { PlanNode } from '../core/plan-node.ts';
import type { Setting } from '../core/setting.ts';
import type { Condition, Theorem } from '../theorems/theorem.ts';
import type { Cost } from './cost.ts';
import type { Conduct } from './rules.ts';
import type { Uncovered } from '../core/outcome.ts';

/** A composition with structure. */
export interface Plan {
  /** At least one. */
  readonly nodes: readonly PlanNode[];
  readonly adaptivity: Exclude<Adaptivity, 'parameters'>;
  /** Of a list of mechanisms; any where there is structure. */
  readonly order: Order;
  readonly setting: Setting;
}

/** claim: what pays for every mechanism of the declared classes; attained: what some of them really cost. */
export type Side = 'claim' | 'attained';

/**
 * How parts of the data of which not all differ are paid: ranked, by the largest parameters at each place of their lists;
 * summed, by the largest sums of a part; chosen, by a mechanism that dominates every choice of them.
 */
export type PartsRule = 'ranked' | 'summed' | 'chosen';

/**
 * How a limited number of instances is paid that may start to differ late: each, by all instances; sets, by those of one
 * set that differ, times the number of sets; moments, by the Renyi guarantee of all of them where one differs; all, as if
 * all of them differed.
 */
export type LateRule = 'each' | 'sets' | 'moments' | 'all';

/** One of several ways to pay for a plan, each of which pays for it. */
export interface Way {
  readonly parts: PartsRule;
  readonly late: LateRule;
}

/** One mechanism in place of several lists of which one is run: one that dominates each, or one that some choice attains. */
export type Chooser = (choices: readonly (readonly Entry[])[]) => Entry | null;

/** For what a plan is resolved. */
export interface Context {
  readonly plan: Plan;
  readonly side: Side;
  readonly way: Way;
  readonly choose: Chooser;
  /** Whether it is one mechanism that is run once, which composes with nothing. */
  readonly alone: boolean;
  /** How the only mechanism that gets different data shows it, in the first message to it or late; null where several may. */
  readonly only: 'at once' | 'late' | null;
  /** Receives the rules by which some part could be paid otherwise. */
  readonly otherwise: (rule: PartsRule | LateRule) => void;
  /** Receives every part that no theorem covers. */
  readonly uncovered: (part: Uncovered) => void;
}

/** A node of a plan with the theorems that cover it. */
export interface ResolvedNode {
  /** null: the whole plan, a group of all nodes. */
  readonly node: PlanNode | null;
  /** Its place in the document: `mechanisms[2].of`. */
  readonly path: string;
  /** They lead from the costs of its children to its own; none where it only passes them on. */
  readonly theorems: readonly Theorem[];
  readonly conditions: readonly Condition[];
  readonly cost: Cost;
  /** Whether it may show late which of its instances or parts get different data; false where it has none. */
  readonly late: boolean;
  /** How often delta is paid: once for each set of instances that may differ. */
  readonly sets: Decimal;
  /** How the mechanisms in it enter compositions. */
  readonly conducts: readonly Conduct[];
  readonly children: readonly ResolvedNode[];
}
