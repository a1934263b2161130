import { midpoint, asLower, exactly, type Enclosure, type LowerBound, enclosure } from '../../numeric/enclosure.ts';
import {
  exponential,
  logarithm,
  subtract,
  add,
  divide,
  expm1,
  multiply,
  squareRoot,
  negate,
  times,
  approximateLogSum,
} from '../../numeric/enclosure-arithmetic.ts';
import { lowerLosses, repeated, lowerHockeyStick, type Cell, type LowerLosses } from './lower-losses.ts';
import { gaussianLogDeltaEnd } from '../gaussian.ts';
import { logNormalTail } from '../../numeric/normal.ts';
import { nextDown, nextUp } from '../../numeric/rounding.ts';

/** The noisy sums of one epoch, in units of the noise: N(mean e_t, I) in `batches` dimensions, t uniform. */
export interface Spike {
  /** At least 0; exact. */
  readonly mean: number;
  /** A whole number from 1. */
  readonly batches: number;
}

/** ln Phi(x - mean). */
function logBelowOne(x: number, mean: number): Enclosure {
  const shifted = x - mean;
  return enclosure(logNormalTail(-nextDown(shifted)).lower, logNormalTail(-nextUp(shifted)).upper);
}

/**
 * ln P(max_t w_t < c) = ln Phi(c - mean) + (T - 1) ln Phi(c) of the largest of the T noisy sums of one epoch, for every
 * real `c`: the sums are independent given t, and the probability is the same for every t. Encloses.
 */
export function logMaximumBelow({ mean, batches }: Spike, c: number): Enclosure {
  const { lower, upper } = add(logBelowOne(c, mean), times(batches - 1, logNormalTail(-c)));
  return enclosure(lower, Math.min(0, upper));
}

/** P(max_t w_t >= c), with full relative accuracy where it is small. See {@link logMaximumBelow}. */
export function maximumAbove(spike: Spike, c: number): Enclosure {
  const { lower, upper } = negate(expm1(logMaximumBelow(spike, c)));
  return enclosure(Math.max(0, lower), Math.min(1, upper));
}

/** ln of the density of the largest sum at c over Phi(c)^(T-2) phi(c): both spikes have that factor. In doubles. */
function logRelativeDensity({ mean, batches }: Spike, c: number): number {
  const below = (x: number): number => midpoint(logNormalTail(-x));
  return approximateLogSum(mean * (c - mean / 2) + below(c), Math.log(batches - 1) + below(c - mean));
}

/**
 * About the loss ln p(c)/q(c) of the largest sum, p and q its densities under the two spikes; for choosing events, where
 * any choice is sound: no error bound is given.
 */
export const maximumLoss = (p: Spike, q: Spike, c: number): number =>
  logRelativeDensity(p, c) - logRelativeDensity(q, c);

const THRESHOLD_HALVINGS = 36;

/** Thresholds beyond this are not tried. */
const FARTHEST = 2 ** 60;

/** About the c at which {@link maximumLoss} is `loss`, which rises from -infinity to infinity where mean p > mean q. */
export function thresholdAtLoss(p: Spike, q: Spike, loss: number): number {
  // Where there is one batch the loss is (p - q) (c - (p + q) / 2).
  const alone = (p.mean + q.mean) / 2 + loss / (p.mean - q.mean);
  let [low, high] = [alone - 1, alone + 1];
  for (let reach = 1; maximumLoss(p, q, low) > loss && reach < FARTHEST; reach *= 2) low -= reach;
  for (let reach = 1; maximumLoss(p, q, high) < loss && reach < FARTHEST; reach *= 2) high += reach;
  for (let i = 0; i < THRESHOLD_HALVINGS; i++) {
    const middle = low + (high - low) / 2;
    if (maximumLoss(p, q, middle) < loss) low = middle;
    else high = middle;
  }
  return high;
}

/** A division of the line of the largest sum into cells, by the points between them, which ascend. */
type Division = readonly number[];

/** A cell's probability; where most lies below it, from what lies above either end, else from what lies below. */
function cellMass(spike: Spike, from: number, to: number): Enclosure {
  const below = (c: number): Enclosure => exponential(logMaximumBelow(spike, c));
  if (from === -Infinity) return below(to);
  if (to === Infinity) return maximumAbove(spike, from);
  return logMaximumBelow(spike, to).upper < -Math.LN2
    ? subtract(below(to), below(from))
    : subtract(maximumAbove(spike, from), maximumAbove(spike, to));
}

interface Masses {
  readonly p: Enclosure;
  readonly q: Enclosure;
}

/** The probabilities of the cells, the outermost of which reach to infinity. */
const massesOf = (p: Spike, q: Spike, division: Division): Masses[] =>
  [-Infinity, ...division].map((from, i) => {
    const to = division[i] ?? Infinity;
    return { p: cellMass(p, from, to), q: cellMass(q, from, to) };
  });

/** The cells in one direction, without those whose mass has no certain lower end. */
function cellsOf(masses: readonly Masses[], direction: 'remove' | 'add'): Cell[] {
  return masses.flatMap(({ p, q }) => {
    const [own, other] = direction === 'remove' ? [p, q] : [q, p];
    if (own.lower <= 0 || other.upper <= 0) return [];
    const loss = logarithm(own).lower - logarithm(other).upper;
    return [{ mass: own.lower, loss: loss - Math.abs(loss) * 2 ** -52 }];
  });
}

const POINTS = 2048;

/** Between these lies all of the weight of the largest sum that matters. */
const OUTSIDE = { below: 1e-18, above: 1e-60 };

/** The first c on a line of which `holds` is true, to one in 2^40 of a length of `width`. */
function firstWhere(holds: (c: number) => boolean, from: number, width: number): number {
  let [low, high] = [from, from + width];
  for (let i = 0; i < 40; i++) {
    const middle = low + (high - low) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** About the losses at places at equal distances on the part of the line that matters; both ascend. */
interface LossTable {
  readonly places: readonly number[];
  readonly losses: readonly number[];
}

function lossTable(p: Spike, q: Spike): LossTable {
  const from = firstWhere((c) => logMaximumBelow(q, c).upper > Math.log(OUTSIDE.below), -40, 80 + q.mean);
  const to = firstWhere((c) => maximumAbove(p, c).lower < OUTSIDE.above, -40, 80 + p.mean);
  const places = Array.from({ length: POINTS + 1 }, (_, i) => from + ((to - from) * i) / POINTS);
  return { places, losses: places.map((c) => maximumLoss(p, q, c)) };
}

/** The largest power of two up to x. */
const powerOfTwoBelow = (x: number): number => 2 ** Math.floor(Math.log2(x));

/** How many steps the deviation of one loss, and that of the sum, is divided into. */
const [PER_DEVIATION, PER_TOTAL] = [8, 256];

function stepFor(p: Spike, { places, losses }: LossTable, epochs: number): number {
  let [mass, mean, square] = [0, 0, 0];
  for (let i = 0; i < POINTS; i++) {
    const weight = Math.max(0, cellMass(p, places[i]!, places[i + 1]!).lower);
    const loss = (losses[i]! + losses[i + 1]!) / 2;
    mass += weight;
    mean += weight * loss;
    square += weight * loss * loss;
  }
  const deviation = Math.sqrt(Math.max(0, square / mass - (mean / mass) ** 2));
  const finest = (losses[POINTS]! - losses[0]!) / POINTS;
  return powerOfTwoBelow(2 * Math.max(finest, deviation / PER_DEVIATION, (deviation * Math.sqrt(epochs)) / PER_TOTAL));
}

/** The points at which the loss is (i + 1/2) step - shifts_i, i from `first`. */
function divisionAt(table: LossTable, step: number, first: number, shifts: readonly number[]): Division {
  const { places, losses } = table;
  const division: number[] = [];
  for (let [i, at] = [0, 0]; ; i++) {
    const level = (first + i + 0.5) * step - (shifts[i] ?? 0);
    while (at < POINTS && losses[at + 1]! < level) at++;
    if (at === POINTS) return division;
    const [low, high] = [losses[at]!, losses[at + 1]!];
    const c = places[at]! + (places[at + 1]! - places[at]!) * Math.min(1, Math.max(0, (level - low) / (high - low)));
    if (c > (division.at(-1) ?? -Infinity)) division.push(c);
    else return division;
  }
}

/**
 * Cells whose losses are nearly whole multiples of the step: first those between the points half a step away, then the
 * points moved by how far the losses of the cells on either side are off.
 */
function cellMasses(p: Spike, q: Spike, table: LossTable, step: number): Masses[] {
  const first = Math.ceil(table.losses[0]! / step);
  const masses = massesOf(p, q, divisionAt(table, step, first, []));
  const errors = masses.map(({ p: own, q: other }, i) => {
    const error = Math.log(midpoint(own) / midpoint(other)) - (first + i) * step;
    return Math.abs(error) < step / 4 ? error : 0;
  });
  const shifts = errors.map((error, i) => (error + (errors[i + 1] ?? 0)) / 2);
  return massesOf(p, q, divisionAt(table, step, first, shifts));
}

/**
 * Lower bounds on the losses of `epochs` independent epochs in either direction, p over q (remove) and q over p (add), from
 * the largest sum of each epoch, divided into cells.
 */
export function shuffledEpochs(p: Spike, q: Spike, epochs: number): Readonly<Record<'remove' | 'add', LowerLosses>> {
  const table = lossTable(p, q);
  const step = stepFor(p, table, epochs);
  const masses = cellMasses(p, q, table, step);
  const losses = (direction: 'remove' | 'add'): LowerLosses =>
    repeated(lowerLosses(cellsOf(masses, direction), step), epochs);
  return { remove: losses('remove'), add: losses('add') };
}

/** Training in whole epochs: each shuffles the records and cuts them into batches, to whose sums Gaussian noise is added. */
export interface ShuffledBatches {
  /** Sensitivity over the noise's standard deviation, above 0; exact, or a lower bound. */
  readonly mu: number;
  /** T, the batches of an epoch, of one size; a whole number from 1. */
  readonly batches: number;
  /** E, a whole number from 1; default 1. */
  readonly epochs?: number;
  /**
   * add-remove: a record is exchanged for one that contributes nothing, so that batches keep their size (zero-out), and a
   * record contributes a vector of length at most mu. replace-one: for any other; mu is the length of their difference.
   */
  readonly neighbours: 'add-remove' | 'replace-one';
}

/** What shuffled batches cost at least, at any epsilon and any delta. */
interface ShuffledLowerBound {
  /** Some such mechanism has no smaller delta at this `epsilon`, any real number. */
  readonly delta: (epsilon: number) => LowerBound;
  /** Some such mechanism has no smaller epsilon >= 0 at this `delta` in [0, 1]; Infinity at 0. */
  readonly epsilon: (delta: number) => LowerBound;
}

/** e^a - e^(eps + b), from below, at least 0: what an event of these log-probabilities shows of delta. */
function gain(a: Enclosure, b: Enclosure, epsilon: number): number {
  const ratio: number = expm1(add(exactly(epsilon), subtract(b, a))).upper;
  return ratio < 0 ? Math.max(0, multiply(exponential(a), exactly(-ratio)).lower) : 0;
}

/** From the event that one noisy sum of the epoch is large, or that none is. */
function gainOfOneEpoch(p: Spike, q: Spike, epsilon: number): number {
  const logAbove = (spike: Spike, c: number): Enclosure => logarithm(maximumAbove(spike, c));
  const [large, small] = [thresholdAtLoss(p, q, epsilon), thresholdAtLoss(p, q, -epsilon)];
  return Math.max(
    gain(logAbove(p, large), logAbove(q, large), epsilon),
    gain(logMaximumBelow(q, small), logMaximumBelow(p, small), epsilon),
  );
}

/** From the sum of all noisy sums: N(mean / sqrt(T), 1) in each epoch, so that its distance grows with sqrt(E / T). */
function gainOfSum(distance: Enclosure, epsilon: number): number {
  const logDelta = gaussianLogDeltaEnd(distance, exactly(epsilon), 'lower');
  return exponential(exactly(logDelta)).lower;
}

/** Beyond this squares would overflow. */
const LARGEST_MU = 1e100;

/** Below this the largest sums of several epochs are not looked at: the sum of all shows more. */
const LEAST_FOR_EPOCHS = 1e-4;

const HALVINGS = 44;

function epsilonWhere(exceeds: (epsilon: number) => boolean): number {
  if (!exceeds(0)) return 0;
  let [low, high] = [0, 1];
  for (; exceeds(high) && high < 2 ** 1000; high *= 2) low = high;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = low + (high - low) / 2;
    if (exceeds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * A certain lower bound on what shuffled batches with Gaussian noise cost, in the worst case over records and queries:
 *
 *   delta >= P(S) - e^eps Q(S) for every event S,  P = (1/T) sum_t N(a e_t, I),  Q = (1/T) sum_t N(b e_t, I) in T dimensions,
 *
 * in units of the noise; a = 2 mu and b = mu for add-remove (zero-out), a = mu and b = 0 for replace-one.
 *
 * Why: let every other record contribute -mu v, v one unit vector. The batch of the record in question then has a sum that
 * is mu larger where that contributes nothing, and 2 mu larger where it contributes mu v, than the sums of all the other
 * batches, which are known; shuffling puts it into any of the T batches alike. Where records are replaced, the two values
 * differ by mu v, and the others have the second.
 *
 * Events: the largest coordinate at least C, where P - e^eps Q is 1 - e^eps - Phi(C - a) Phi(C)^(T-1) + e^eps Phi(C - b)
 * Phi(C)^(T-1) (its complement for the pair swapped); the sum of all coordinates, which is a Gaussian pair at a distance of
 * (a - b) sqrt(E / T); over several epochs, which events of their largest coordinates, each divided into cells, are likelier
 * under P: a composition of pairs with finitely many outcomes. The largest is taken. Every event is legal, so that only its
 * probabilities must be certain; they are rounded against the bound.
 *
 * It holds for epochs that are shuffled anew. It holds too where they are shuffled once, or where batches are the same in
 * every run: permuting the coordinates of each epoch afresh turns these outcomes into those. Further steps after the last
 * whole epoch only cost more.
 *
 * Accuracy: the probabilities of one epoch to 1e-12 (relative) down to 1e-300; the bound itself is as tight as its events.
 *
 * Source: Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha, Zhang, "How private are DP-SGD implementations?", ICML 2024 (the
 * pair and the event of the largest coordinate, one epoch); the same, "Scalable DP-SGD: shuffling vs. Poisson subsampling",
 * NeurIPS 2024 (cells, several epochs). The other direction, the sum and replace-one: derived.
 */
export function shuffledLowerBound({ mu, batches, epochs = 1, neighbours }: ShuffledBatches): ShuffledLowerBound {
  if (!(mu > 0 && mu <= LARGEST_MU)) throw new RangeError(`mu must be in (0, ${LARGEST_MU}] (got ${mu}).`);
  for (const count of [batches, epochs]) {
    if (!(Number.isSafeInteger(count) && count >= 1)) throw new RangeError(`a whole number from 1 (got ${count}).`);
  }
  const p: Spike = { mean: neighbours === 'add-remove' ? 2 * mu : mu, batches };
  const q: Spike = { mean: neighbours === 'add-remove' ? mu : 0, batches };
  const distance = multiply(exactly(mu), squareRoot(divide(exactly(epochs), exactly(batches))));
  const composed = epochs > 1 && mu > LEAST_FOR_EPOCHS ? Object.values(shuffledEpochs(p, q, epochs)) : [];
  const delta = (epsilon: number): LowerBound => {
    if (Number.isNaN(epsilon)) throw new RangeError('epsilon must be a number.');
    if (!Number.isFinite(epsilon)) return asLower(epsilon > 0 ? 0 : 1);
    return asLower(
      Math.max(
        gainOfOneEpoch(p, q, epsilon),
        gainOfSum(distance, epsilon),
        ...composed.map((losses) => lowerHockeyStick(losses, epsilon)),
      ),
    );
  };
  return {
    delta,
    epsilon: (target) => {
      if (!(target >= 0 && target <= 1)) throw new RangeError(`delta must be in [0, 1] (got ${target}).`);
      // Both pairs have losses without bound.
      return asLower(target === 0 ? Infinity : epsilonWhere((epsilon) => delta(epsilon) > target));
    },
  };
}
