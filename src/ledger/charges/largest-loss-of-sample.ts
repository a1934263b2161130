import { Decimal } from '../../numeric/decimal.ts';
import type { Sampled } from '../../privacy/mechanism.ts';
import { largestSampledLoss } from '../../privacy/sampling/largest-loss.ts';

/**
 * An e for which a mechanism on a sample is (e, 0)-DP, rounded up; null where its losses have no bound,
 * and for pairs of one direction.
 */
export function largestLossOfSample(mechanism: Sampled): Decimal | null {
  const { of } = mechanism;
  if (of.type === 'finite-pair' && of.direction === 'fixed') return null;
  const [remove, add] = [largestSampledLoss(mechanism, 'remove'), largestSampledLoss(mechanism, 'add')];
  return remove === null || add === null ? null : Decimal.max(remove, add);
}
