import { largerCurve } from '../../bounds/core/curve-maximum.ts';
import { decimalFromDouble } from '../../numeric/decimal.ts';
import { enclosure, exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { expm1, negate } from '../../numeric/enclosure-arithmetic.ts';
import type { PrivacyCurve } from '../../privacy/curve.ts';
import { NEVER, type Failure } from '../../privacy/failure.ts';
import { curveWithFailure, LOSSLESS, type FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { fakeSwitchOf, transitions, type L2pSetting, type Measure } from '../core/setting.ts';
import { boundedRangeAtMost, exactBoundedRange } from './exact-bounded-range.ts';
import { exactGaussian } from './exact-gaussian.ts';
import { exactRandomizedResponse } from './exact-randomized-response.ts';
import { firstFlag, flagAlone, keepProbability, type Flag } from './first-flag.ts';
import { resamplingsAfterFlag, type Resampling, type ResamplingGuarantee } from './resampling.ts';

/** Whether both ends of a curve are wanted, or only the upper one, which may be much faster. */
export type Ends = 'both' | 'upper';

/** The curve of a flag, in both orders of the neighbours, and of resamplings with this guarantee after it, if there are any. */
export function curveAfterFlag(
  guarantee: ResamplingGuarantee,
  flags: readonly Flag[],
  parts: readonly Resampling[],
  ends: Ends = 'both',
): FiniteLossCurve {
  if (parts.length === 0) return flagAlone(flags);
  switch (guarantee.kind) {
    case 'randomized-response':
      return exactRandomizedResponse(flags, guarantee.epsilon, parts);
    case 'bounded-range':
      return (ends === 'both' ? exactBoundedRange : boundedRangeAtMost)(flags, guarantee.epsilon, parts);
    case 'gaussian':
      return exactGaussian(flags, guarantee.muSquared, parts);
  }
}

/**
 * The privacy curve of L2P with all its flags and both sequences x and y revealed, for replacing one loss: the flag of
 * the first affected batch (see {@link firstFlag}), then in its own and in every later round the resamplings of x and y,
 * each with the guarantee given (see {@link resamplingsAfterFlag}). The first batch is the worst to be affected. No event
 * is conditioned on and no switch is capped: given what was seen, the chance of a later resampling does not depend on the
 * neighbour and is at most that of resamplings().
 *
 * The upper end is a guarantee; the lower end is certain for all that has these flags and guarantees, not for L2P itself.
 *
 * Source: derived. Randomized responses and Gaussians are pairs that dominate a step whatever was seen before, and such pairs
 * compose adaptively: Zhu, Dong, Wang (2022), Theorem 10. No one mechanism dominates all of a bounded range; there the largest
 * moment of the class is taken for each step, which multiplies whatever was seen before.
 */
export function exactAccounting(
  setting: L2pSetting,
  measure: Measure,
  guarantee: ResamplingGuarantee,
  ends: Ends = 'both',
): PrivacyCurve {
  const fakeSwitch = fakeSwitchOf(setting);
  const rounds = transitions(setting);
  if (rounds === 0) return curveWithFailure(LOSSLESS, NEVER, 'tight');
  const keep = keepProbability(setting, measure);
  const parts = resamplingsAfterFlag(keep, fakeSwitch, rounds);
  const tightness = ends === 'both' ? 'tight' : 'upper-only';
  const after = (flags: readonly Flag[], failure: Failure): PrivacyCurve =>
    curveWithFailure(curveAfterFlag(guarantee, flags, parts, ends), failure, tightness);
  const revealing = revealingChance(setting, measure);
  if (revealing === null) return after(firstFlag(keep, fakeSwitch), NEVER);
  // In one order of the neighbours a switch reveals which it is, in the other only one of them may switch at all.
  const failure = { lower: decimalFromDouble(revealing.lower), upper: decimalFromDouble(revealing.upper) };
  return largerCurve(after([certainLoss(negate(keep.change))], failure), after([certainLoss(keep.change)], NEVER));
}

/**
 * The chance of a switch that tells the neighbours apart, 1 - e^-a with a the largest change of ln Pr[S_s = 1]: one of
 * them keeps x for certain, and no switch is fake. Null where a switch can happen for either.
 */
export function revealingChance(setting: L2pSetting, measure: Measure): Enclosure | null {
  const { logMost, change } = keepProbability(setting, measure);
  if (!fakeSwitchOf(setting).isZero() || logMost.upper < 0 || transitions(setting) === 0) return null;
  const { lower, upper } = negate(expm1(negate(change)));
  return enclosure(Math.max(0, lower), Math.min(1, upper));
}

/** A flag that has one outcome, with this loss. */
function certainLoss(loss: Enclosure): Flag {
  const half = { loss, mass: exactly(0.5) };
  return [half, half];
}
