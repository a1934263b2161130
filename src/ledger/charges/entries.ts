import type { Entry, Mechanism, MechanismKind, Sampled } from '../../privacy/mechanism.ts';
import { failureOf } from '../../bounds/core/entries.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { largestSampledLoss } from '../../privacy/sampling/largest-loss.ts';
import type { EpsilonDelta } from '../../privacy/mechanisms/record.ts';
import { epsilonDeltaOf, hasPurePart } from '../../privacy/mechanisms/records.ts';
import { isMechanism, type Guarantee } from '../core/guarantee.ts';

/** One mechanism as the bounds take it. */
export const launchedEntry = (mechanism: Mechanism, kind: MechanismKind): Entry => ({
  mechanism,
  kind,
  count: 1,
  label: null,
});

/** At most the chance of an infinite loss of one mechanism on a sample, rounded up at 40 digits; shorter ones are exact. */
export const failureAbove = (mechanism: Sampled): Decimal =>
  failureOf([launchedEntry(mechanism, 'noninteractive')]).upper.toSignificantDigits(DIGITS, UP);

const DIGITS = 40;
const UP = 0;

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

/** As epsilonDeltaOf; null where no single (e, d) is behind a guarantee, as with Gaussian noise. */
export const approximateDpOf = (guarantee: Guarantee): EpsilonDelta | null =>
  isMechanism(guarantee) && hasPurePart(guarantee) ? epsilonDeltaOf(guarantee) : null;
