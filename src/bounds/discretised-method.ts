import type { Decimal } from '../numeric/decimal.ts';
import { enclosure } from '../numeric/enclosure.ts';
import { highestLoss, logGainFromCells, logLatticeExcess, type LatticeMeasure } from '../numeric/lattice-measure.ts';
import { composeAll, latticePower } from '../numeric/lattice-power.ts';
import type { SinglePair } from '../privacy/single-pair.ts';
import type { TiltedMethod } from './tilted-curve.ts';

/** `count` mechanisms dominated by one pair. */
export interface PairGroup {
  readonly pair: SinglePair;
  readonly count: number;
}

const MOST_CELLS = 2 ** 23;

/**
 * A lattice step for which the relative width of epsilon is about `tolerance`: splitting and cells each change the
 * variance of every pair by at most step^2 / 4.
 */
function firstStep(groups: readonly PairGroup[], tolerance: number): number {
  let [variance, pairs] = [0, 0];
  for (const { pair, count } of groups) {
    variance += count * pair.deviation ** 2;
    pairs += count;
  }
  const fine = Math.sqrt((3 * tolerance * variance) / pairs);
  return Math.max(fine, (25 * Math.sqrt(variance)) / MOST_CELLS);
}

/**
 * Any pairs on one lattice: each is replaced by a loss whose curve lies above and by what its lattice cells reveal (a
 * lower bound by post-processing); both compose by convolution.
 *
 * Source: "connect the dots", Doroshenko, Ghazi, Kamath, Kumar, Manurangsi (2022), for the upper side; the lower side
 * is derived (post-processing by the cells).
 */
export function discretisedMethod(groups: readonly PairGroup[], maximum: Decimal | null, tolerance: number): TiltedMethod {
  return {
    logMoment: (tilt) => groups.reduce((sum, { pair, count }) => sum + count * pair.approximateLogMoment(tilt), 0),
    largestTilt: Math.min(...groups.map(({ pair }) => pair.largestTilt)),
    firstStep: firstStep(groups, tolerance),
    maximum,
    compose(tilt, step) {
      const parts = groups.map(({ pair, count }) => ({ ...pair.discretise(tilt, step), count }));
      const total = (pick: (part: (typeof parts)[number]) => LatticeMeasure): LatticeMeasure =>
        composeAll(parts.map((part) => latticePower(pick(part), part.count)));
      const above = total((part) => part.above);
      const own = total((part) => part.own);
      const other = total((part) => part.other);
      return {
        logDelta: (epsilon) => enclosure(logGainFromCells(own, other, epsilon), logLatticeExcess(above, epsilon).upper),
        highest: highestLoss(above),
      };
    },
  };
}
