import type { PrivacyCurve } from '../privacy/curve.ts';
import { NEVER } from '../privacy/failure.ts';
import { curveWithFailure, LOSSLESS, vacuousCurve, type FiniteLossCurve } from '../privacy/finite-loss-curve.ts';
import { boundedRangeAtMost, exactBoundedRange } from './exact-bounded-range.ts';
import { exactGaussian } from './exact-gaussian.ts';
import { exactRandomizedResponse } from './exact-randomized-response.ts';
import { firstFlag, type Flag } from './first-flag.ts';
import { keepProbability } from './keep-probability.ts';
import type { Measure } from './measure.ts';
import type { ResamplingGuarantee } from './resampling-guarantee.ts';
import { resamplingsAfterFlag, type Resampling } from './resampling.ts';
import { transitions, type L2pSetting } from './setting.ts';

/** Whether both ends of a curve are wanted, or only the upper one, which may be much faster. */
export type Ends = 'both' | 'upper';

/** The curve of a flag, in both orders of the neighbours, and of resamplings with this guarantee after it. */
export function curveAfterFlag(
  guarantee: ResamplingGuarantee,
  flags: readonly Flag[],
  parts: readonly Resampling[],
  ends: Ends = 'both',
): FiniteLossCurve {
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
 * Source: derived; pairs that dominate every step compose adaptively: Zhu, Dong, Wang (2022), Theorem 10.
 */
export function exactAccounting(
  setting: L2pSetting,
  measure: Measure,
  guarantee: ResamplingGuarantee,
  ends: Ends = 'both',
): PrivacyCurve {
  const { fakeSwitch } = setting;
  const rounds = transitions(setting);
  if (rounds === 0) return curveWithFailure(LOSSLESS, NEVER, 'tight');
  const keep = keepProbability(setting, measure);
  // Where x may be kept for certain, a switch without fake ones would tell which neighbour it is.
  if (fakeSwitch.isZero() && keep.logMost.upper >= 0) return curveWithFailure(vacuousCurve(null), NEVER, 'upper-only');
  const curve = curveAfterFlag(
    guarantee,
    firstFlag(keep, fakeSwitch),
    resamplingsAfterFlag(keep, fakeSwitch, rounds),
    ends,
  );
  return curveWithFailure(curve, NEVER, ends === 'both' ? 'tight' : 'upper-only');
}
