import type { Decimal } from '../../numeric/decimal.ts';
import { enclosure } from '../../numeric/enclosure.ts';
import {
  highestLoss,
  logGainFromCells,
  logHockeyStick,
  type LatticeMeasure,
  coarsenOther,
  coarsenOwn,
  coarsenUpward,
} from '../../numeric/lattice/measure.ts';
import { coarseningsFor, composeAll, latticePower } from '../../numeric/lattice/power.ts';
import type { SinglePair } from '../../privacy/single-pair.ts';
import { advance, partOf, type Watch } from '../../numeric/watch.ts';
import type { TiltedMethod } from './tilted-curve.ts';

/** `count` mechanisms dominated by one pair. */
export interface PairGroup {
  readonly pair: SinglePair;
  readonly count: number;
}

/** The relative width that a first lattice aims at, or more. */
const QUICK = 1e-6;

/** More cells than this over the window of the sum take too long. */
const MOST_CELLS = 2 ** 20;

/**
 * A final lattice step for which the relative width of epsilon is about `tolerance`. A group of c pairs begins on a
 * lattice 2^J times finer, J = log4 c, so splitting, cells and every coarsening add at most about step^2 / 2 to the
 * variance of the whole group; half the relative change of the variance is that of epsilon.
 *
 * Where a loss has a largest atom, the finest lattice is made to pass through the one that weighs most in the sum.
 */
export function latticeSteps(groups: readonly PairGroup[], tolerance: number): { first: number; smallest: number } {
  let [variance, stages] = [0, 0];
  for (const { pair, count } of groups) {
    variance += count * pair.deviation ** 2;
    stages += coarseningsFor(count) + 1;
  }
  const smallest = (25 * Math.sqrt(variance)) / MOST_CELLS;
  // However little is asked, the first lattice is quick: what is needed beyond follows from the width it reaches.
  const targetWidth = Math.max(tolerance, QUICK);
  return { first: Math.max(Math.sqrt((2 * targetWidth * variance) / stages), smallest), smallest };
}

/** The nearest smaller step of which the weightiest group's largest atom is a multiple on its finest lattice. */
export function aligned(groups: readonly PairGroup[], step: number): number {
  const anchored = groups.filter(({ pair }) => pair.largestAtom !== null);
  const heaviest = anchored.reduce<PairGroup | null>(
    (best, group) =>
      best && best.count * best.pair.largestAtom! >= group.count * group.pair.largestAtom! ? best : group,
    null,
  );
  if (!heaviest?.pair.largestAtom) return step;
  const finest = step / 2 ** coarseningsFor(heaviest.count);
  if (Math.abs(heaviest.pair.largestAtom) < finest) return step;
  const multiple = Math.ceil(Math.abs(heaviest.pair.largestAtom) / finest);
  return step * (Math.abs(heaviest.pair.largestAtom) / multiple / finest);
}

/** The composed losses of pairs on one lattice. */
export interface ComposedPairs {
  /** A measure whose hockey-stick curve lies at or above; composed when it is first asked for. */
  readonly above: LatticeMeasure;
  /** Masses of the lattice cells under the distribution whose loss it is, and under the other (times e^loss). */
  readonly own: LatticeMeasure;
  readonly other: LatticeMeasure;
  /** The highest loss that has weight. */
  readonly highest: number;
}

/** Composes pairs under a tilt on the lattice of the given step. */
export function composePairs(
  groups: readonly PairGroup[],
  tilt: number,
  step: number,
  directLimit?: number,
  watch: Watch = {},
): ComposedPairs {
  const parts = groups.map(({ pair, count }) => {
    advance(watch);
    return { ...pair.discretise(tilt, step / 2 ** coarseningsFor(count)), count };
  });
  const total = (
    pick: (part: (typeof parts)[number]) => LatticeMeasure,
    coarsen: (measure: LatticeMeasure) => LatticeMeasure,
    before: number,
  ): LatticeMeasure => {
    const own = partOf(watch, before / 3, (before + 1) / 3);
    const powers = parts.map((part) => latticePower(pick(part), part.count, coarsen, directLimit, own));
    return composeAll(powers, directLimit, own);
  };
  const own = total((part) => part.own, coarsenOwn, 1);
  let above: LatticeMeasure | undefined;
  return {
    get above() {
      above ??= total((part) => part.above, coarsenUpward, 0);
      return above;
    },
    own,
    other: total((part) => part.other, coarsenOther, 2),
    highest: highestLoss(own),
  };
}

/**
 * Any pairs on one lattice: each is replaced by a loss whose curve lies above and by what its lattice cells reveal (a
 * lower bound by post-processing); both compose by convolution.
 *
 * Source: "connect the dots", Doroshenko, Ghazi, Kamath, Kumar, Manurangsi (2022), for the upper side; the lower side
 * is derived (post-processing by the cells).
 */
export function discretisedMethod(
  groups: readonly PairGroup[],
  maximum: Decimal | null,
  tolerance: number,
): TiltedMethod {
  const { first, smallest } = latticeSteps(groups, tolerance);
  return {
    logMoment: (tilt) => groups.reduce((sum, { pair, count }) => sum + count * pair.approximateLogMoment(tilt), 0),
    largestTilt: Math.min(...groups.map(({ pair }) => pair.largestTilt)),
    firstStep: first,
    smallestStep: smallest,
    maximum,
    compose(tilt, targetStep, watch) {
      const step = aligned(groups, targetStep);
      const { above, own, other, highest } = composePairs(groups, tilt, step, undefined, watch);
      return {
        logDelta: (epsilon) => enclosure(logGainFromCells(own, other, epsilon), logHockeyStick(above, epsilon).upper),
        highest,
      };
    },
  };
}
