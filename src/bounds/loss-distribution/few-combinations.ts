import type { Decimal } from '../../numeric/decimal.ts';
import { composeAtoms, noLoss, type LossAtoms } from '../../numeric/loss-atoms.ts';
import { logHockeyStickOfSum } from '../../numeric/meet-in-the-middle.ts';
import type { ApproximateLogMoment } from '../core/saddle-point.ts';
import type { TiltedMethod } from './tilted-curve.ts';

/** Losses of which there are few enough to list them. */
export interface ListedLosses {
  /** How many there are at most. */
  readonly size: number;
  readonly atoms: (tilt: number) => LossAtoms;
  /** About ln E[e^(tilt L)]. */
  readonly logMoment: ApproximateLogMoment;
  readonly largestTilt: number;
}

/** So many combinations of each half are summed quicker than an integral, and without smoothing. */
export const FEW_COMBINATIONS = 2 ** 16;

const combinations = (lists: readonly ListedLosses[]): number => lists.reduce((product, { size }) => product * size, 1);

/** Splits into two whose numbers of combinations are as even as a greedy choice makes them. */
function halves(lists: readonly ListedLosses[]): [ListedLosses[], ListedLosses[]] {
  const [a, b]: [ListedLosses[], ListedLosses[]] = [[], []];
  let [sizeA, sizeB] = [1, 1];
  for (const list of [...lists].sort((x, y) => y.size - x.size)) {
    if (sizeA <= sizeB) {
      a.push(list);
      sizeA *= list.size;
    } else {
      b.push(list);
      sizeB *= list.size;
    }
  }
  return [a, b];
}

/** A tilted weight below this is next to nothing beside any that counts. */
const NEGLIGIBLE = 1e-40;

/** The highest loss whose weight is not next to nothing. */
const highestOf = ({ losses, weights }: LossAtoms): number =>
  losses[weights.findIndex((weight) => weight > NEGLIGIBLE)]!;

/**
 * Independent losses that are few: those of two halves are listed under a tilt, and summed by meeting in the middle, without
 * discretisation. null where they are not few.
 */
export function fewCombinations(lists: readonly ListedLosses[], maximum: Decimal | null): TiltedMethod | null {
  const [left, right] = halves(lists);
  if (Math.max(combinations(left), combinations(right)) > FEW_COMBINATIONS) return null;
  return {
    compose(tilt) {
      const [a, b] = [left, right].map((half) =>
        half.map(({ atoms }) => atoms(tilt)).reduce(composeAtoms, noLoss(tilt)),
      ) as [LossAtoms, LossAtoms];
      return { logDelta: (epsilon) => logHockeyStickOfSum(a, b, epsilon), highest: highestOf(a) + highestOf(b) };
    },
    logMoment: (tilt) => lists.reduce((sum, { logMoment }) => sum + logMoment(tilt), 0),
    largestTilt: lists.reduce((least, { largestTilt }) => Math.min(least, largestTilt), Infinity),
    firstStep: null,
    smallestStep: 0,
    maximum,
  };
}
