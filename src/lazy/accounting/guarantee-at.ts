import type { Decimal } from '../../numeric/decimal.ts';
import type { UpperBound } from '../../numeric/enclosure.ts';
import type { Measure } from '../core/measure.ts';
import type { L2pSetting } from '../core/setting.ts';
import { exactAccounting } from './accounting.ts';
import { guaranteesOf, type GuaranteeKind } from './resampling-guarantee.ts';

/** An (epsilon, delta) that a lazy learner has, and what its resamplings are taken as for it. */
export interface GuaranteeAt {
  readonly delta: Decimal;
  /** Infinite where exact accounting says nothing. */
  readonly epsilon: UpperBound;
  readonly resampling: GuaranteeKind;
}

/**
 * The smallest epsilon that exact accounting guarantees at delta, over what is known of the resamplings: with x, y and
 * both flags of every round seen (see {@link exactAccounting}).
 */
export function guaranteeAt(setting: L2pSetting, measure: Measure, delta: Decimal): GuaranteeAt {
  const [first, ...rest] = guaranteesOf(measure, setting.eta).map((each): GuaranteeAt => {
    const { upper } = exactAccounting(setting, measure, each, 'upper').epsilon(delta);
    return { delta, epsilon: upper, resampling: each.kind };
  });
  if (first === undefined) throw new RangeError('nothing is known of these resamplings');
  return rest.reduce((best, each) => (each.epsilon < best.epsilon ? each : best), first);
}
