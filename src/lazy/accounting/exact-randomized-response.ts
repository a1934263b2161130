import { decimalFromDouble, encloseDecimal, type Decimal } from '../../numeric/decimal.ts';
import { fromDouble } from '../../numeric/double-double.ts';
import { negate } from '../../numeric/enclosure-arithmetic.ts';
import { enclosure, type Enclosure } from '../../numeric/enclosure.ts';
import { highestLoss, logHockeyStick } from '../../numeric/lattice/measure.ts';
import { tiltedCurve, type TiltedMethod } from '../../bounds/loss-distribution/tilted-curve.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { pureDpMoment } from '../../privacy/log-moment.ts';
import { responseMoment } from './approximate-moments.ts';
import { atMost } from './best-of.ts';
import { afterFlag, approximateFlagMoment, type Flag } from './first-flag.ts';
import { momentBound } from './moment-bound.ts';
import { spreadOf } from './resampling-count.ts';
import { worstOf } from './worst-of.ts';
import { LARGEST_TILTED_LOSS, resampledResponses, responsesLogMoment } from './resampled-responses.ts';
import type { Resampling } from './resampling.ts';

/** No loss of a composition is larger: that of its flag, and one randomized response in every round. */
export function largestLoss(flag: Flag, epsilon: Decimal, parts: readonly Resampling[]): Decimal {
  const rounds = parts.reduce((sum, part) => sum + part.rounds, 0);
  return decimalFromDouble(flag[0].loss.upper).plus(epsilon.times(rounds));
}

function method(flag: Flag, epsilon: Decimal, parts: readonly Resampling[]): TiltedMethod {
  const largestInFlag = Math.max(flag[0].loss.upper, negate(flag[1].loss).upper);
  const ofFlag = approximateFlagMoment(flag);
  const e = epsilon.toNumber();
  return {
    logMoment: (tilt) => responsesLogMoment(e, parts, tilt) + ofFlag(tilt),
    largestTilt: LARGEST_TILTED_LOSS / Math.max(e, largestInFlag),
    firstStep: null,
    smallestStep: 0,
    maximum: largestLoss(flag, epsilon, parts),
    compose(tilt) {
      const rest = resampledResponses(epsilon, parts, tilt);
      const highest = highestLoss(rest) + flag[0].loss.upper;
      const excess = (x: number): Enclosure => logHockeyStick(rest, fromDouble(x));
      return {
        highest,
        logDelta: afterFlag(flag, ({ lower, upper }) => enclosure(excess(upper).lower, excess(lower).upper)),
      };
    },
  };
}

/** Beyond this many resamplings (expected) their joint loss takes too long to list: only the moment bound is used. */
const MOST_LISTED = 2 ** 24;

/**
 * The curve of L2P when every resampling is any (epsilon, 0)-DP mechanism: the flag of the first affected batch, then
 * `parts` of randomized responses, in the worse order of the neighbours. That of this class to rounding, down to a delta
 * of about 1e-24 and for up to 2^24 expected resamplings; beyond either the upper end is the moment bound, and for more
 * resamplings nothing is known from below.
 *
 * Source: derived; optimal composition: Kairouz, Oh, Viswanath (2015), Theorem 3.3.
 */
export function exactRandomizedResponse(
  flags: readonly Flag[],
  epsilon: Decimal,
  parts: readonly Resampling[],
): FiniteLossCurve {
  const moment = { certain: pureDpMoment(encloseDecimal(epsilon)), approximate: responseMoment(epsilon.toNumber()) };
  const listed = spreadOf(parts).mean <= MOST_LISTED;
  return worstOf(
    flags.map((flag) => {
      const bound = momentBound(flag, moment, parts, largestLoss(flag, epsilon, parts));
      return listed ? atMost(tiltedCurve(method(flag, epsilon, parts), 0, { exhausted: () => true }), bound) : bound;
    }),
  );
}
