import { aboutComposed, type ComposedLoss } from '../../numeric/contour/composed-loss.ts';
import { fromDouble, toDouble } from '../../numeric/double-double.ts';
import { enclosure, meet, width, widthOverUpper, type Enclosure } from '../../numeric/enclosure.ts';
import { approximateLogSum } from '../../numeric/enclosure-arithmetic.ts';
import { nextDown, nextUp } from '../../numeric/rounding.ts';
import { unlessInterrupted } from '../../numeric/watch.ts';
import { solveEpsilon, type FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { PATIENT, QUICK } from '../../privacy/sampling/single-epoch.ts';
import { LARGE_MU } from '../../privacy/sampling/random-allocation.ts';
import type { Effort } from '../core/bound.ts';
import { sessionOf, type Session } from '../core/session.ts';
import { contourCurve } from './contour-curve.ts';
import type { AllocationPair } from '../../privacy/sampling/allocation-pair.ts';
import type { AlikeAllocated } from './alike-losses.ts';
import { discretisedMethod } from './discretised-method.ts';
import type { Pairs } from './pair-entries.ts';
import { tiltedCurve } from './tilted-curve.ts';

/** A wider curve of random allocations than this is computed in other ways too; the width of lattices where they are quick. */
const WIDE = 1e-5;
/** Wider still, and it may be more than what all batches are without sampling. */
const VERY_WIDE = 0.01;
const OF_LATTICES = 3e-4;
/** Of lattices from the curves of single epochs, at most what so many nats, or twice as many, below delta leave out. */
const LEFT_OUT_DEPTH = 16;
/**
 * They begin with lattices of the first of these widths, and end at the second; where the first is as wide as the third rounding makes it so,
 * and nothing is refined.
 */
const OF_FINE_LATTICES = [1e-5, 1.5e-6, 3e-4] as const;
/** A curve that is wider than this is computed on them. */
const WITHOUT_LATTICE = 3e-6;
/** Of these curves places are so far apart. */
const [SMALLEST_STEP, LARGEST_STEP] = [2 ** -14, 2 ** -9];

/** Of delta, what may be left out, in nats: more where a smaller range is needed. Ranges are so many deviations apart. */
const LEFT_OUT = [27, 23];
const APART = 0.5;
const ABOUT = -30;
/** Below this ln delta ranges become long; where moments overflow it is no number. */
const LEAST = -1000;
/** Below this ln delta, of more batches or of less noise, lattices take minutes. */
const LEAST_ON_LATTICE = -80;
const MOST_ON_LATTICE = { batches: 20_000, muSquared: 12 };
/** A smaller share of delta that is left out is not told apart from below. */
const NEGLIGIBLE = 1e-12;
/** Lines nearer to the axis take long with noise in range. */
const NEAREST = 5;
/** A curve without jumps that is wider is computed with them, unless mu^2 of a batch is more: then that takes minutes, or gains nothing. */
const WITHOUT_JUMPS = 1e-6;
const MOST_MU_SQUARED = 2.1;
/** With jumps no larger epsilon is looked at; see the truncated transform. */
const MOST_EPSILON = 1;
/** Lines further from the axis of so many batches are those on which moments of all noise take long. */
const FARTHEST = 60;
const MANY_BATCHES = 3000;

/**
 * Up to where noise is in range at ln delta, and the loss in which all of it is, with the probability of the rest; null where one batch at
 * the end of the range decides its moments on a line through c, about.
 */
function truncatedAt(pairs: Pairs, logDelta: number, leftOut: number, effort: Effort) {
  const total = pairs.allocated.reduce((sum, { batches, count }) => sum + batches * count, 0);
  const reach = APART * Math.ceil(Math.sqrt(2 * Math.max(1, Math.log(total) - logDelta + leftOut)) / APART);
  const parts = pairs.allocated.map(({ truncated, count }) => ({ ...truncated(sessionOf(effort), reach), count }));
  const lossOf = (way: 'transform' | 'withJumps') =>
    pairs.lossWith(
      parts.map(({ [way]: transform, count }) => ({ count, transform: () => transform, lattice: null })),
      sessionOf(effort),
    );
  const loss = lossOf('transform');
  // Of a normal loss of little deviation d, delta is about d e^(-z^2 / 2) / z^2 / sqrt(2 pi) at z deviations, and c d^2 = z d + 2 / c.
  const { variance } = aboutComposed(loss, 0);
  const z = Math.sqrt(2 * Math.max(0, Math.min(0, Math.log(variance) / 2) - logDelta - 2));
  const deviation = Math.sqrt(variance);
  const c = (z + Math.sqrt(z * z + 8)) / 2 / deviation;
  // Of a loss of larger deviation curves are computed from 1 - delta too, which what is left out is part of.
  const isTame = Math.max(1, z) > NEAREST * deviation && deviation < 1 && parts.every(({ isTame: tame }) => tame(c));
  const hasJumps = pairs.allocated.every(({ muSquared }) => muSquared.upper <= MOST_MU_SQUARED);
  const isFar = c > FARTHEST && pairs.allocated.some(({ batches }) => batches >= MANY_BATCHES);
  return {
    loss,
    lossWithJumps: hasJumps ? lossOf('withJumps') : null,
    isFar,
    reach,
    isTame,
    lost: parts.reduce((sum, { lost, count }) => sum + count * lost, 0) * (1 + 1e-9),
  };
}

/** Curves with noise in a range, near ln delta and an epsilon: without jumps, and with them; null where that is not narrow. */
function truncatedCurves(pairs: Pairs, tolerance: number, effort: Effort) {
  const kept = new Map<string, FiniteLossCurve>();
  const isAddition = pairs.allocated.every(({ direction }) => direction === 'add');
  return (logDelta: number, epsilon: number) => {
    if (!(logDelta > LEAST)) return { tame: null, jumps: null, isFar: false };
    const ranges = LEFT_OUT.map((leftOut) => truncatedAt(pairs, logDelta, leftOut, effort));
    const curveOf = (loss: ComposedLoss, name: string, lost: number): FiniteLossCurve => {
      const key = (): string => `${pairs.key()} ${name}`;
      const curve = kept.get(name) ?? withInfiniteLosses(contourCurve(loss, null, tolerance, effort, key), lost);
      kept.set(name, curve);
      return curve;
    };
    const tame = ranges.find(({ isTame }) => isTame);
    if (tame) {
      const curve = curveOf(tame.loss, String(tame.reach), tame.lost);
      // Additions have no jumps: moments of all noise are quicker, unless the line is far out.
      if (isAddition && !tame.isFar) return { tame: null, jumps: curve, isFar: false };
      return { tame: curve, jumps: null, isFar: false };
    }
    const { lossWithJumps, reach, lost, isFar } = ranges[0]!;
    const all = lost * (1 + Math.exp(MOST_EPSILON)) * (1 + 1e-9);
    const isNear = epsilon <= MOST_EPSILON;
    const jumps =
      lossWithJumps && isNear ? certainUpTo(MOST_EPSILON, curveOf(lossWithJumps, `${reach} with jumps`, all)) : null;
    return { tame: null, jumps, isFar };
  };
}

/**
 * A curve of random allocations: where no batch far out decides by contours with all noise in range, else by those of all noise; and where
 * that is wide on lattices, those of single epochs or, wider, those of sums of batches. Where all are wide, at most that of the batches that
 * the record is in, as if it were known which: delta is jointly convex in the pair, and with the batches of all epochs fixed a run is a
 * composition of Gaussian mechanisms, the same for every choice, in both directions.
 *
 * With much less noise than a batch changes the curve of the batches alone, moved by what sampling takes at most, is all that is computed.
 * [derived] The ratio of a removal, the mean of the Y_i over the t batches of an epoch, is at least Y_j / t, j the batch of the record: the
 * loss is at least that of the batches less ln t for each epoch.
 *
 * @param contour - by contours of all noise
 */
export function allocatedCurve(
  contour: () => FiniteLossCurve,
  pairs: Pairs,
  tolerance: number,
  effort: Effort,
): FiniteLossCurve {
  const truncated = truncatedCurves(pairs, tolerance, effort);
  const ofSingle = (work: number): FiniteLossCurve | null => {
    const epoch = pairs.single?.(sessionOf(effort), work);
    if (epoch === undefined) return null;
    return {
      maximum: null,
      logDelta: (epsilon) => epoch.logDelta(epsilon),
      epsilon: (target) => epoch.epsilon(target),
    };
  };
  let [whole, lattices, choices]: (FiniteLossCurve | null)[] = [null, null, null];
  const ofAll = (): FiniteLossCurve => (whole ??= contour());
  const lattice = (): FiniteLossCurve =>
    (lattices ??= allocatedOnLattice(
      pairs,
      ({ paired }) => paired(sessionOf(effort)),
      [OF_LATTICES, OF_LATTICES],
      effort,
    ));
  const ofChoices = (): FiniteLossCurve =>
    (choices ??= contourCurve(pairs.lossOfChoices(sessionOf(effort)), null, tolerance, effort));
  /**
   * @param near - about epsilon, or less
   * @param reached - how wide it is, from its ends
   * @param logMost - ln of at most delta
   * @param place - an epsilon near it
   */
  const narrowed = (
    logDelta: number,
    near: number,
    read: (curve: FiniteLossCurve) => Enclosure,
    reached: (value: Enclosure) => number,
    logMost: (value: Enclosure) => number,
    place: (value: Enclosure) => number,
  ): Enclosure => {
    const quick = ofSingle(QUICK);
    const alone = quick && read(quick);
    if (alone && reached(alone) <= Math.min(WITHOUT_JUMPS, tolerance)) return alone;
    const { tame, jumps, isFar } = truncated(logDelta, near);
    const first = tame ?? (isFar ? jumps : null);
    let value = read(first ?? ofAll());
    if (alone) value = meet(value, alone);
    if (first && !(reached(value) <= WITHOUT_JUMPS)) value = meet(value, read(ofAll()));
    if (first !== jumps && jumps && !(reached(value) <= WITHOUT_JUMPS) && !effort.exhausted())
      value = meet(value, unlessInterrupted(() => read(jumps)) ?? value);
    const patient = ofSingle(PATIENT);
    if (patient && !(reached(value) <= WITHOUT_JUMPS) && !effort.exhausted()) value = meet(value, read(patient));
    const isLattice = pairs.single === null && logMost(value) > LEAST_ON_LATTICE;
    if (isLattice && !(reached(value) <= WITHOUT_LATTICE) && !effort.exhausted()) {
      const finely = unlessInterrupted(() => finelyOnLattice(pairs, place(value), logMost(value), effort));
      value = meet(value, (finely && unlessInterrupted(() => read(finely))) ?? value);
    }
    if (!(reached(value) <= WIDE) && logMost(value) > LEAST_ON_LATTICE && hasLattice && !effort.exhausted())
      value = meet(value, unlessInterrupted(() => read(lattice())) ?? value);
    if (reached(value) <= VERY_WIDE) return value;
    return meet(value, enclosure(-Infinity, read(ofChoices()).upper));
  };
  const hasLattice = pairs.allocated.every(
    ({ batches, muSquared }) => batches <= MOST_ON_LATTICE.batches && muSquared.upper <= MOST_ON_LATTICE.muSquared,
  );
  const taken = pairs.allocated.reduce(
    (sum, { batches, count, direction }) => (direction === 'add' ? Infinity : sum + count * Math.log(batches)),
    0,
  );
  if (pairs.allocated.some(({ muSquared }) => muSquared.upper >= LARGE_MU ** 2)) return movedBy(taken, ofChoices());
  return {
    maximum: pairs.maximum,
    logDelta: (epsilon) =>
      narrowed(
        aboutLogDelta(pairs, toDouble(epsilon), effort),
        toDouble(epsilon),
        (curve) => curve.logDelta(epsilon),
        width,
        ({ upper }) => upper,
        () => toDouble(epsilon),
      ),
    epsilon: (target) =>
      narrowed(
        target.lower,
        ofOneBatch(pairs, target.lower),
        (curve) => solveEpsilon(curve, target),
        widthOverUpper,
        () => target.lower,
        ({ upper }) => upper,
      ),
  };
}

/** A curve whose upper end holds up to an epsilon. */
const certainUpTo = (most: number, curve: FiniteLossCurve): FiniteLossCurve => ({
  maximum: curve.maximum,
  logDelta(epsilon) {
    const { lower, upper } = curve.logDelta(epsilon);
    return enclosure(lower, toDouble(epsilon) <= most ? upper : 0);
  },
  epsilon(target) {
    const { lower, upper } = solveEpsilon(curve, target);
    return enclosure(lower, upper <= most ? upper : Infinity);
  },
});

/** A curve whose losses are at most this less than those of another, and no larger: the other one, and that moved to the left. */
function movedBy(distance: number, curve: FiniteLossCurve): FiniteLossCurve {
  const upwards = distance * (1 + 1e-9);
  return {
    maximum: curve.maximum,
    logDelta(epsilon) {
      const moved = fromDouble(nextUp(nextUp(toDouble(epsilon)) + upwards));
      return enclosure(upwards === Infinity ? -Infinity : curve.logDelta(moved).lower, curve.logDelta(epsilon).upper);
    },
    epsilon(target) {
      const { lower, upper } = solveEpsilon(curve, target);
      return enclosure(Math.max(0, nextDown(lower - upwards)), upper);
    },
  };
}

/** About the loss of one batch that has so much with a probability. */
const ofOneBatch = ({ allocated }: Pairs, logProbability: number): number =>
  allocated.reduce((most, { muSquared, batches }) => {
    const mu = Math.sqrt(muSquared.upper);
    const place = mu + Math.sqrt(-2 * Math.min(0, logProbability));
    return Math.max(most, Math.log1p(Math.exp(mu * place - muSquared.upper / 2) / batches));
  }, 0);

/** About ln delta at an epsilon, as of a normal loss: of deviation d, at z deviations, about d e^(-z^2 / 2) / (1 + z^2) / sqrt(2 pi). */
function aboutLogDelta(pairs: Pairs, epsilon: number, effort: Effort): number {
  const { mean, variance } = aboutComposed(truncatedAt(pairs, ABOUT, 0, effort).loss, 0);
  const z2 = Math.max(0, epsilon - mean) ** 2 / variance;
  return Math.min(0, Math.log(variance) / 2) - 0.9 - z2 / 2 - Math.log1p(z2);
}

/** Random allocations with others on lattices; the probability of losses that their pairs leave out is added. */
function allocatedOnLattice(
  { groups, allocated, maximum }: Pairs,
  pairOf: (allocated: AlikeAllocated) => AllocationPair,
  [first, tolerance, hopeless]: readonly [first: number, last: number, hopeless?: number],
  effort: Effort,
): FiniteLossCurve {
  const all = groups(sessionOf(effort), (one) => pairOf(one).pair);
  const method = discretisedMethod(all, maximum, first);
  return withInfiniteLosses(tiltedCurve(method, tolerance, effort, hopeless), lostBy(allocated, pairOf));
}

/**
 * The same from the curves of single epochs, by places so near each other that epsilon is as narrow as {@link WITHOUT_JUMPS};
 * null where those would be too near, or where a curve is not known.
 *
 * Places a step s apart leave less than s^2 of a variance open, and so less than a share s^2 a^2 of delta in each epoch, where delta falls
 * by e^(-a epsilon).
 */
function finelyOnLattice(pairs: Pairs, place: number, logDelta: number, effort: Effort): FiniteLossCurve | null {
  const epsilon = place < Infinity ? place : ofOneBatch(pairs, logDelta);
  const epochs = pairs.allocated.reduce((sum, { count }) => sum + count, 0);
  const enough = Math.exp(LEFT_OUT_DEPTH * Math.floor(logDelta / LEFT_OUT_DEPTH - 2));
  const upTo = Math.ceil(4 * epsilon) / 4;
  // As of the kind of which one batch far out has most.
  const fallsBy = pairs.allocated.reduce(
    (least, { muSquared, batches }) => Math.min(least, (Math.log(batches) + epsilon) / muSquared.upper + 1),
    Infinity,
  );
  const step = Math.sqrt((WITHOUT_JUMPS * epsilon) / (fallsBy * epochs));
  if (step < SMALLEST_STEP) return null;
  const places = { step: 2 ** Math.floor(Math.log2(Math.min(LARGEST_STEP, step))), upTo, enough };
  const found = new Map(pairs.allocated.map((one) => [one, one.finelyPaired(sessionOf(effort), places, effort)]));
  if ([...found.values()].includes(null)) return null;
  return allocatedOnLattice(pairs, (one) => found.get(one)!, OF_FINE_LATTICES, effort);
}

/** The probability of losses that pairs of random allocations leave out. */
const lostBy = (allocated: Pairs['allocated'], pairOf: (one: AlikeAllocated) => AllocationPair): number =>
  allocated.reduce((sum, one) => sum + one.count * pairOf(one).failure, 0) * (1 + 1e-9);

/** That of pairs of sums of batches. */
export const lostOnLattice = (allocated: Pairs['allocated'], session: Session): number =>
  lostBy(allocated, ({ paired }) => paired(session));

/** A curve to which a probability of losses that were left out is added. */
export function withInfiniteLosses(curve: FiniteLossCurve, failure: number): FiniteLossCurve {
  if (failure === 0) return curve;
  const added = (most: number): number =>
    Math.min(0, approximateLogSum(most, Math.log(failure)) + 1e-14 * (1 + Math.abs(most)));
  const { maximum } = curve;
  return {
    maximum,
    logDelta(epsilon) {
      const { lower, upper } = curve.logDelta(epsilon);
      return enclosure(lower, added(upper));
    },
    epsilon(target) {
      // At least the delta that is left for finite losses, and at most the whole.
      const { lower: given }: { readonly lower: number } = target;
      const least = given + Math.log1p(-Math.min(1, failure * Math.exp(-given))) - 1e-14 * (1 + Math.abs(given));
      const wider = enclosure(least, Math.max(least, target.upper));
      if (given - least < NEGLIGIBLE) return solveEpsilon(curve, wider);
      const { lower } = solveEpsilon(curve, target);
      return enclosure(lower, least > -Infinity ? solveEpsilon(curve, wider).upper : Infinity);
    },
  };
}
