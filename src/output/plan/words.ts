import type { PricedNode } from '../../composition/plan/price-plan.ts';
import { isEntry, partsOf, type Instances, type PlanNode } from '../../composition/core/plan-node.ts';
import type { ConditionId, ConditionState, Theorem } from '../../composition/theorems/theorem.ts';
import { entryText, labelText } from '../kit/statement.ts';
import { givenText, lowerText } from '../kit/number.ts';
import { toLower } from '../../numeric/decimal.ts';
import { grouped } from '../kit/prose.ts';

const manyText = (count: Instances, singular: string, more: string): string =>
  count === 'unbounded' ? `any number of ${more}` : `${grouped(count)} ${count === 1 ? singular : more}`;

function differText(count: number): string {
  return `neighbors differ in ${count === 0 ? 'none' : `at most ${grouped(count)}`}`;
}

/** A node in a few words: its type, label and parameters. */
export function nodeText(node: PlanNode | null): string {
  if (node === null) return 'the whole plan';
  if (isEntry(node)) return entryText(node);
  const name = `${node.node}${labelText(node.label)}`;
  switch (node.node) {
    case 'group':
      return name;
    case 'parallel': {
      const { sparsity, instances, deltaCap, firstPairConsistent } = node;
      const facts = [
        manyText(instances, 'instance', 'instances'),
        differText(sparsity),
        ...(deltaCap === null ? [] : [`delta capped at ${givenText(deltaCap)}`]),
        ...(firstPairConsistent ? ['first-pair consistent'] : []),
      ];
      return `${name}: ${facts.join(', ')}`;
    }
    case 'partition':
      if (node.counted === 'parts') {
        return `${name}: ${manyText(partsOf(node), 'part', 'parts')}, ${differText(node.sparsity)}`;
      }
      return `${name}: ${manyText(node.of.length, 'family', 'families')}, instances: ${differText(node.sparsity)}`;
    case 'local': {
      const { users, differing } = node;
      const count = users.kind === 'different' ? users.each.length : users.count;
      return `${name}: ${manyText(count, 'user', 'users')}, ${differText(differing)}`;
    }
  }
}

/** `Cor 5.5: k-sparse parallel composition of pure continual mechanisms`. */
export const theoremText = ({ number, name }: Theorem): string => `${number}: ${name}`;

const CONDITIONS: Readonly<Record<ConditionId, { readonly short: string; readonly long: string }>> = {
  'fixed-parameters': { short: 'parameters fixed', long: 'all parameters are fixed in advance' },
  'answers-once': { short: 'one answer each', long: 'each noninteractive mechanism answers once' },
  'adaptive-adversary': { short: 'adaptive adversaries', long: 'guarantees hold against adaptive adversaries' },
  discrete: { short: 'discrete answers', long: 'answers of interactive and continual mechanisms are discrete' },
  'finite-communication': { short: 'finite communication', long: 'communication is finite' },
  symmetric: { short: 'symmetric neighbors', long: 'the neighboring relation is symmetric' },
  'equal-data-allowed': { short: 'equal data are neighbors', long: 'equal data sets count as neighbors' },
  'same-order': {
    short: 'one order of neighbors',
    long: 'neighbors have the same order everywhere: every part that differs has the extra record if the whole data set has it',
  },
  sparsity: { short: 'sparse', long: 'no more instances receive different data than declared' },
  'first-pair-consistent': {
    short: 'first-pair consistent',
    long: 'equal first messages imply equal later messages',
  },
  pure: { short: 'delta 0', long: 'every guarantee has delta 0' },
  'delta-cap': { short: 'cap kept', long: 'the creation of instances stops at the cap' },
  'bounded-instances': { short: 'limited number', long: 'no more instances are created than declared' },
  'disjoint-parts': { short: 'disjoint parts', long: 'every record is in one part' },
  'honest-users': { short: 'honest users', long: 'users follow the protocol and do not collude' },
};

/** A precondition of a theorem, in two or three words. */
const shortCondition = (id: ConditionId): string => CONDITIONS[id].short;

/** The same as a clause. */
export const conditionText = (id: ConditionId): string => CONDITIONS[id].long;

/** The consequence of a condition that fails, where a weaker bound stands in for it; else nothing. */
export const fallbackText = (id: ConditionId): string => (id === 'symmetric' ? ' (so every delta counts twice)' : '');

/** The keys of a document by which a condition may be stated. */
const KEYS: Readonly<Partial<Record<ConditionId, string>>> = {
  'adaptive-adversary': 'adaptiveAdversary',
  discrete: 'discrete',
  symmetric: 'symmetric',
};

/** The key that states a condition; null where there is none. */
export const conditionKey = (id: ConditionId): string | null => KEYS[id] ?? null;

/** The conditions of a node that stand so, in words. */
export function conditionsIn({ found }: PricedNode, state: ConditionState): string[] {
  const those = found.conditions.filter((condition) => condition.state === state);
  return those.map(({ id }) => `${shortCondition(id)}${state === 'failing' ? fallbackText(id) : ''}`);
}

/** The remaining capacity of a cap: how many instances fit under it; null where there is none. */
export function capacityText({ room }: PricedNode): string | null {
  if (room === null) return null;
  const { delta, instances, remaining } = room;
  const remainder = remaining.gt(0) ? `, then one of delta ${lowerText(toLower(remaining))}` : '';
  return `room under the cap: ${grouped(instances)} of delta ${givenText(delta)}${remainder}`;
}
