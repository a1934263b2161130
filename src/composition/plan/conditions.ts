import type { Setting, Standing } from '../core/setting.ts';
import type { Condition, ConditionId, ConditionState } from '../theorems/condition.ts';
import type { Theorem } from '../theorems/theorem.ts';
import type { Conduct } from './rules.ts';

const STATES: Readonly<Record<Standing, ConditionState>> = { stated: 'met', assumed: 'assumed', denied: 'failing' };

/**
 * How a condition stands for mechanisms that enter a composition so; null where it is not asked of any of them. A plan
 * with one that fails without a fallback is refused.
 */
function stateOf(id: ConditionId, conducts: readonly Conduct[], setting: Setting): ConditionState | null {
  const answerOnce = conducts.every(({ measure }) => measure === 'any');
  switch (id) {
    case 'fixed-parameters':
    case 'answers-once':
    case 'sparsity':
    case 'first-pair-consistent':
    case 'pure':
    case 'delta-cap':
    case 'bounded-instances':
    case 'disjoint-parts':
    case 'finite-communication':
      return 'met';
    case 'adaptive-adversary':
      if (answerOnce) return null;
      return conducts.every(({ measure, isPure }) => measure === 'any' || (isPure && measure !== 'alone'))
        ? 'met'
        : STATES[setting.adaptiveAdversary];
    case 'discrete':
      if (!conducts.some(({ measure }) => measure === 'pure' || measure === 'approximate')) return null;
      return setting.finiteCommunication === 'stated' ? 'met' : STATES[setting.discrete];
    case 'symmetric':
      return STATES[setting.symmetric];
    case 'same-order':
      return conducts.some(({ isOrdered }) => isOrdered) ? 'assumed' : null;
    case 'equal-data-allowed':
    case 'honest-users':
      return 'assumed';
  }
}

/** The assumptions of the theorems of a node, each once, in the order in which they ask for it. */
export function conditionsOf(
  theorems: readonly Theorem[],
  conducts: readonly Conduct[],
  setting: Setting,
): readonly Condition[] {
  const needed = [...new Set(theorems.flatMap(({ needs }) => needs))];
  return needed.flatMap((id) => {
    const state = stateOf(id, conducts, setting);
    return state === null ? [] : [{ id, state }];
  });
}
