import type { Decimal } from '../../numeric/decimal.ts';
import type { DoubleDouble } from '../../numeric/double-double.ts';
import { enclosure, exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { add, logarithm, multiply, subtract } from '../../numeric/enclosure-arithmetic.ts';
import { composeAtoms, noLoss, type LossAtoms } from '../../numeric/loss-atoms.ts';
import {
  ELEMENTARY_ERROR,
  UNIT_ROUNDOFF as U,
  nextDown,
  nextUp,
  roundDownBy,
  roundUpBy,
} from '../../numeric/rounding.ts';
import type { ApproximateLogMoment } from '../core/moment-curve.ts';
import type { TiltedMethod } from './tilted-curve.ts';

/** Sum over pairs with a + b > threshold of w_a w_b e^(-tilt x) (1 - e^-x), x = a + b - threshold, with its relative error. */
function tiltedHockeyStick(a: LossAtoms, b: LossAtoms, threshold: number): { sum: number; error: number } {
  const { tilt } = a;
  let [position, tail, rest] = [NaN, 0, 0];
  let next = 0;
  let sum = 0;
  const lowerTo = (x: number): void => {
    const gap = position - x;
    const damp = Math.exp(-tilt * gap);
    tail = damp * (tail - rest * Math.expm1(-gap));
    rest *= damp * Math.exp(-gap);
    position = x;
  };
  for (let i = a.losses.length - 1; i >= 0; i--) {
    const x = threshold - a.losses[i]!;
    for (; next < b.losses.length && b.losses[next]! > x; next++) {
      if (next === 0) position = b.losses[0]!;
      else lowerTo(b.losses[next]!);
      rest += b.weights[next]!;
    }
    if (next === 0) continue;
    lowerTo(x);
    sum += a.weights[i]! * tail;
  }
  const turns = a.losses.length + b.losses.length;
  const span = (b.losses[0]! - b.losses.at(-1)! + a.losses[0]! - a.losses.at(-1)!) * (1 + tilt);
  const error = a.relativeError + b.relativeError + turns * (4 * ELEMENTARY_ERROR + 8 * U) + 4 * U * span;
  return { sum, error };
}

/**
 * ln of the sum over atoms a of A and b of B with a + b > eps of mass(a) mass(b) (1 - e^(eps - a - b)), enclosed: the
 * hockey-stick of the sum of two independent losses, in time |A| + |B| although there are |A||B| pairs (the idea of
 * Horowitz and Sahni 1974).
 *
 * For B alone let T(x) = sum_{b > x} w_b e^(-t(b-x)) (1 - e^-(b-x)) and F(x) = sum_{b > x} w_b e^(-(t+1)(b-x)), t the
 * tilt. Lowering x by g turns them into e^(-tg) (T + F (1 - e^-g)) and e^(-(t+1)g) F: positive terms only. Walking A
 * upward lowers x = eps - a, so B is walked downward, each list once.
 *
 * The atoms that the lists leave out add at most their weight. The losses are off by at most r in all, so the value
 * lies between those of the threshold moved by r up and down.
 */
export function logHockeyStickOfSum(a: LossAtoms, b: LossAtoms, epsilon: DoubleDouble): Enclosure {
  const largest = Math.abs(epsilon.high) + Math.max(Math.abs(a.losses[0]!), Math.abs(a.losses.at(-1)!));
  const radius = (a.lossError + b.lossError + 4 * U * largest) * (1 + 8 * U);
  const inherited = 2 * a.tilt * radius;
  const above = tiltedHockeyStick(a, b, epsilon.high - radius);
  const below = tiltedHockeyStick(a, b, epsilon.high + radius);
  const sum = enclosure(
    Math.max(0, roundDownBy(below.sum, below.error + inherited)),
    roundUpBy(roundUpBy(above.sum, above.error + inherited) + a.leak + b.leak, U),
  );
  const shift = multiply(exactly(a.tilt), enclosure(nextDown(epsilon.high - radius), nextUp(epsilon.high + radius)));
  return add(subtract(add(a.logScale, b.logScale), shift), logarithm(sum));
}

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
    largestTilt: lists.reduce((min, { largestTilt }) => Math.min(min, largestTilt), Infinity),
    firstStep: null,
    smallestStep: 0,
    maximum,
  };
}
