import { fromDecimal, fromDouble } from '../../numeric/double-double.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { composeAll, latticePower } from '../../numeric/lattice/power.ts';
import { exactly, midpoint } from '../../numeric/enclosure.ts';
import type { LatticeMeasure } from '../../numeric/lattice/measure.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { Tails } from '../../numeric/lattice/tails.ts';
import { spreadOfChance, type Resampling } from './resampling.ts';

/** Laws of more products are composed by transforms: faster, and what rounding adds is below what the chances have. */
const DIRECT_LIMIT = 2 ** 19;

/** The largest (1 + tilt) e for which tilted weights neither over- nor underflow. */
export const LARGEST_TILTED_LOSS = 300;

/** About ln E[e^(tilt L)] of one round. */
const logMomentOfRound = (e: number, { probability }: Resampling, tilt: number): number =>
  Math.log1p(
    midpoint(probability) * (Math.expm1(tilt * e) / (1 + Math.exp(-e)) + Math.expm1(-tilt * e) / (1 + Math.exp(e))),
  );

/** About ln E[e^(tilt L)] of all rounds. */
export const responsesLogMoment = (epsilon: number, parts: readonly Resampling[], tilt: number): number =>
  parts.reduce((sum, part) => sum + part.rounds * logMomentOfRound(epsilon, part, tilt), 0);

/**
 * The tails of one round under a tilt: its log-moments are log1p of small numbers, so their rounding stays small after as
 * many compositions as there are rounds.
 */
function tailsOf(e: number, part: Resampling, tilt: number): Tails {
  const here = logMomentOfRound(e, part, tilt);
  const q = midpoint(part.probability);
  return {
    logMoment(s) {
      const there = logMomentOfRound(e, part, tilt + s);
      return there - here + 2 ** -46 * (Math.abs(there) + Math.abs(here));
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
export const resampledResponses = (epsilon: Decimal, parts: readonly Resampling[], tilt: number): LatticeMeasure =>
  composeAll(
    parts.map((part) => latticePower(round(epsilon, part, tilt), part.rounds, asItIs, DIRECT_LIMIT)),
    DIRECT_LIMIT,
  );
