import { tiltedCurve, type TiltedMethod } from '../../bounds/loss-distribution/tilted-curve.ts';
import { decimalFromDouble, encloseDecimal, type Decimal } from '../../numeric/decimal.ts';
import { fromDecimal, fromDouble } from '../../numeric/double-double.ts';
import { enclosure, exactly, midpoint, type Enclosure } from '../../numeric/enclosure.ts';
import { negate } from '../../numeric/enclosure-arithmetic.ts';
import { highestLoss, logHockeyStick, type LatticeMeasure } from '../../numeric/lattice/measure.ts';
import { composeAll, latticePower } from '../../numeric/lattice/power.ts';
import type { Tails } from '../../numeric/lattice/tails.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { pureDpMoment } from '../../privacy/log-moment.ts';
import { responseMoment } from './approximate-moments.ts';
import { atMost, worstOf } from './curve-bounds.ts';
import { afterFlag, approximateFlagMoment, type Flag } from './first-flag.ts';
import { momentBound } from './moment-bound.ts';
import { spreadOf, spreadOfChance, type Resampling } from './resampling.ts';

/** Laws of more products are composed by transforms: faster, and what rounding adds is below what the chances have. */
const DIRECT_LIMIT = 2 ** 19;

/** The largest (1 + tilt) e for which tilted weights neither over- nor underflow. */
const LARGEST_TILTED_LOSS = 300;

/** About ln E[e^(tilt L)] of one round. */
const logMomentOfRound = (e: number, { probability }: Resampling, tilt: number): number =>
  Math.log1p(
    midpoint(probability) * (Math.expm1(tilt * e) / (1 + Math.exp(-e)) + Math.expm1(-tilt * e) / (1 + Math.exp(e))),
  );

/** About ln E[e^(tilt L)] of all rounds. */
const responsesLogMoment = (epsilon: number, parts: readonly Resampling[], tilt: number): number =>
  parts.reduce((sum, part) => sum + part.rounds * logMomentOfRound(epsilon, part, tilt), 0);

/**
 * The tails of one round under a tilt: its log-moments are log1p of small numbers, so their rounding stays small after as
 * many compositions as there are rounds.
 */
function tailsOf(e: number, part: Resampling, tilt: number): Tails {
  const base = logMomentOfRound(e, part, tilt);
  const q = midpoint(part.probability);
  return {
    logMoment(s) {
      const there = logMomentOfRound(e, part, tilt + s);
      return there - base + 2 ** -46 * (Math.abs(there) + Math.abs(base));
    },
    variance: q * e * e,
    displacement: 0,
  };
}

/** The loss of one round, which is -e, 0 or e, under a tilt. */
function round(epsilon: Decimal, part: Resampling, tilt: number): LatticeMeasure {
  const e = epsilon.toNumber();
  const step = fromDecimal(epsilon);
  const scale = logMomentOfRound(e, part, tilt);
  const q = midpoint(part.probability);
  const stay = midpoint(part.complement);
  const weights = Float64Array.of(
    (q / (1 + Math.exp(e))) * Math.exp(-tilt * e - scale),
    stay * Math.exp(-scale),
    (q / (1 + Math.exp(-e))) * Math.exp(tilt * e - scale),
  );
  return {
    origin: fromDouble(0),
    step,
    first: -1,
    weights,
    tilt,
    logScale: exactly(scale),
    relativeError: spreadOfChance(part) + 4 * ELEMENTARY_ERROR + (16 + 8 * (tilt * e + Math.abs(scale))) * U,
    normError: 0,
    leak: 0,
    tails: tailsOf(e, part, tilt),
  };
}

const asItIs = (measure: LatticeMeasure): LatticeMeasure => measure;

/**
 * The joint loss of rounds in each of which, with the part's probability, a randomized response of this epsilon is
 * played and otherwise nothing (which of the two is revealed): exactly on the multiples of epsilon, tilted.
 */
const resampledResponses = (epsilon: Decimal, parts: readonly Resampling[], tilt: number): LatticeMeasure =>
  composeAll(
    parts.map((part) => latticePower(round(epsilon, part, tilt), part.rounds, asItIs, DIRECT_LIMIT)),
    DIRECT_LIMIT,
  );

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
