import { compose, type ComposeOptions } from '../src/composition/compose/compose.ts';
import type { Answer, Outcome, Refusal } from '../src/composition/core/outcome.ts';
import type { Group, Instances, Local, Parallel, Partition, PlanNode } from '../src/composition/core/plan-node.ts';
import { USUAL_SETTING, type Setting } from '../src/composition/core/setting.ts';
import type { Adaptivity, Query } from '../src/privacy/curve.ts';
import { decimal, type Text } from './mechanisms.ts';

export const group = (...nodes: readonly PlanNode[]): Group => ({ node: 'group', label: null, nodes });

export interface ParallelOptions {
  readonly instances?: Instances;
  readonly deltaCap?: Text;
  readonly firstPairConsistent?: boolean;
  readonly label?: string;
}

/** Instances of which at most `sparsity` differ; any number of them where nothing is said. */
export const parallel = (sparsity: number, of: PlanNode, options: ParallelOptions = {}): Parallel => ({
  node: 'parallel',
  label: options.label ?? null,
  sparsity,
  instances: options.instances ?? 'unbounded',
  deltaCap: options.deltaCap === undefined ? null : decimal(options.deltaCap),
  firstPairConsistent: options.firstPairConsistent ?? false,
  of,
});

export const partition = (of: readonly PlanNode[], sparsity = 1): Partition => ({
  node: 'partition',
  label: null,
  sparsity,
  counted: 'parts',
  of,
});

/** Families of instances, at most `sparsity` of which differ in all. */
export const families = (sparsity: number, ...of: readonly PlanNode[]): Partition => ({
  ...partition(of, sparsity),
  counted: 'instances',
});

/** Users who all run the same. */
export const local = (differing: number, of: PlanNode, count: Instances = 'unbounded'): Local => ({
  node: 'local',
  label: null,
  differing,
  users: { kind: 'alike', count, of },
});

/** Users who each run a mechanism of their own. */
export const users = (differing: number, ...each: readonly PlanNode[]): Local => ({
  node: 'local',
  label: null,
  differing,
  users: { kind: 'different', each },
});

export interface PlanOptions extends ComposeOptions {
  readonly adaptivity?: Adaptivity;
  readonly setting?: Partial<Setting>;
}

export function outcomeOf(nodes: readonly PlanNode[], query: Query, options: PlanOptions = {}): Outcome {
  const { adaptivity = 'adaptive', setting, ...rest } = options;
  return compose({ entries: nodes, adaptivity, setting: { ...USUAL_SETTING, ...setting } }, query, rest);
}

/** What a plan costs; a refusal fails the test. */
export function planAnswer(nodes: readonly PlanNode[], query: Query, options?: PlanOptions): Answer {
  const outcome = outcomeOf(nodes, query, options);
  if (outcome.kind === 'refusal') throw new Error(`refused: ${outcome.refusal.code}`);
  return outcome.answer;
}

/** Why a plan is refused; an answer fails the test. */
export function refusalOf(nodes: readonly PlanNode[], query: Query, options?: PlanOptions): Refusal {
  const outcome = outcomeOf(nodes, query, options);
  if (outcome.kind === 'answer') throw new Error('this was not refused');
  return outcome.refusal;
}

/** The claim for what was asked. */
export const claim = (answer: Answer): number => answer[answer.query.solveFor].upper;
