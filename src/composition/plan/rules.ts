import type { Entry, MechanismKind } from '../../privacy/mechanism.ts';
import { epsilonDeltaOf, hasPurePart, hasTradeOff, isZeroLoss } from '../../privacy/mechanisms/records.ts';
import type { Setting, Standing } from '../core/setting.ts';
import {
  concurrentFDp,
  concurrentRenyi,
  concurrentFixed,
  concurrentFixedParameters,
  noninteractive,
} from '../theorems/concurrent.ts';
import {
  parallelBoundedNumber,
  parallelDeltaCap,
  parallelFDpFirstPairConsistent,
  parallelFDpInteractive,
  parallelFirstPairConsistent,
  parallelInteractive,
  parallelNoninteractive,
  parallelOne,
  parallelPure,
  parallelRenyiFirstPairConsistent,
  parallelRenyiInteractive,
} from '../theorems/parallel.ts';
import type { Theorem, Condition, ConditionId, ConditionState } from '../theorems/theorem.ts';

/**
 * By which of its guarantees a mechanism enters a composition theorem: (e, 0)-DP, (e, d)-DP, Renyi DP or its trade-off
 * function; any: it answers once, so that theorems on lists of mechanisms hold for it as it is; alone: it composes with
 * nothing, so that its trade-off function holds by definition; nothing: it says nothing.
 */
export type Measure = 'nothing' | 'any' | 'alone' | 'pure' | 'approximate' | 'renyi' | 'f-dp';

/**
 * The guarantee by which an interactive or continual mechanism enters in a setting: a trade-off function needs finite
 * communication and adaptive adversaries.
 */
export function measureOf(entry: Entry, setting: Setting): Measure {
  const { mechanism, kind } = entry;
  if (isZeroLoss(mechanism)) return 'nothing';
  if (kind === 'noninteractive') return 'any';
  const tradeOff = setting.finiteCommunication === 'stated' && setting.adaptiveAdversary !== 'denied';
  if (hasTradeOff(mechanism) && tradeOff) return 'f-dp';
  if (!hasPurePart(mechanism)) return 'renyi';
  return isPure(entry) ? 'pure' : 'approximate';
}

/** Whether a mechanism is (e, 0)-DP for some e. */
export const isPure = ({ mechanism }: Pick<Entry, 'mechanism'>): boolean =>
  hasPurePart(mechanism) && epsilonDeltaOf(mechanism).delta.isZero();

/** How a mechanism somewhere below a node enters its composition. */
export interface Conduct {
  readonly measure: Exclude<Measure, 'nothing'>;
  readonly kind: MechanismKind;
  /** Whether it may show late that its data differ. */
  readonly isLate: boolean;
  /** Whether it is (e, d)-DP as declared, which theorems on such mechanisms name. */
  readonly isDp: boolean;
  /** Whether it is (e, 0)-DP for some e. */
  readonly isPure: boolean;
  /** Whether it counts which of two neighbours has the record more, or is the first of a pair. */
  readonly isOrdered: boolean;
}

/** The theorem by which mechanisms run at the same time, where all of their parameters are fixed; null for one alone. */
export function concurrentRule({ measure }: Conduct, adaptive: boolean): Theorem | null {
  switch (measure) {
    case 'alone':
      return null;
    case 'any':
      return noninteractive;
    case 'pure':
    case 'approximate':
      return adaptive ? concurrentFixedParameters : concurrentFixed;
    case 'renyi':
      return concurrentRenyi;
    case 'f-dp':
      return concurrentFDp;
  }
}

/** How a k-sparse parallel composition is limited, as far as that decides which theorem covers it. */
export interface Limits {
  readonly firstPairConsistent: boolean;
  /** The limit of what all instances pay: their number, or a cap on delta. */
  readonly creation: 'unbounded' | 'bounded' | 'capped';
}

/** The theorem by which at most some of many instances pay; null where none covers it, or where it is paid set by set. */
export function parallelRule(conduct: Conduct, { firstPairConsistent, creation }: Limits): Theorem | null {
  const { measure, kind } = conduct;
  const continual = kind === 'continual';
  switch (measure) {
    case 'any':
      return conduct.isDp ? parallelInteractive : parallelNoninteractive;
    case 'alone':
      return conduct.isLate ? null : parallelOne;
    case 'pure':
    case 'approximate':
      if (!continual) return parallelInteractive;
      if (firstPairConsistent) return parallelFirstPairConsistent;
      if (measure === 'pure') return parallelPure;
      if (creation === 'unbounded') return null;
      return creation === 'capped' ? parallelDeltaCap : parallelBoundedNumber;
    case 'renyi':
      if (!continual) return parallelRenyiInteractive;
      if (firstPairConsistent) return parallelRenyiFirstPairConsistent;
      return creation === 'bounded' ? concurrentRenyi : null;
    case 'f-dp':
      if (!continual) return parallelFDpInteractive;
      if (firstPairConsistent) return parallelFDpFirstPairConsistent;
      if (conduct.isPure) return parallelPure;
      return creation === 'bounded' ? concurrentFDp : null;
  }
}

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
