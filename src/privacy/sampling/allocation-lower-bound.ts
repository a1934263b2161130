import { normalTail } from '../../numeric/normal.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import { nextDown, nextUp, UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { muSquaredOfBatch, sizesOf, type RandomAllocation } from './random-allocation.ts';
import type { Direction } from './sampled-law.ts';

/**
 * About a measure on whole numbers from `first` on: each mass is at most the true one times 1 + `error`, and at least the true one times
 * 1 - `error` but for `left`, all of the mass that was left out.
 */
interface WholeMeasure {
  readonly first: number;
  readonly masses: Float64Array;
  readonly left: number;
  readonly error: number;
  /** Ends of smaller masses are left out. */
  readonly least: number;
}

/** Smaller masses are left out where epsilon is small, and by e^-epsilon smaller ones beyond; and those of which a product might underflow. */
const LEAST = 1e-22;
const SMALL_EPSILON = 16;
const FAINT = 1e-150;
/** More than all roundings, relatively, of a sum of what is left out, and than any that underflows. */
const SLACK = 1e-9;
const NOTHING = 1e-300;
/** Cells for one deviation of one term of the statistic, and at most for one of all; a share of them where statistics are compared. */
const CELLS = 40;
const MOST_CELLS = 400;
const ROUGHLY = 0.2;
/** One term has at most so many cells; the last holds noise far out. */
const MOST_PLACES = 5000;
/** Noise with a larger mu is not tested; places are multiples of this, so that their differences are exact. */
const MOST_MU = 16;
const PLACE = 2 ** -40;
/** Noise further out than so many deviations, with the record, is one cell; and cells of which less is known than this are left out. */
const REACH = 9;
const VAGUE = 1e-8;

function trimmed({ first, masses, left, error, least }: WholeMeasure): WholeMeasure {
  let [start, end] = [0, masses.length];
  let more = left;
  while (start < end - 1 && masses[start]! < least) more += masses[start++]!;
  while (end > start + 1 && masses[end - 1]! < least) more += masses[--end]!;
  const rest = masses.slice(start, end).map((mass) => {
    if (mass >= FAINT) return mass;
    more += mass;
    return 0;
  });
  return { first: first + start, masses: rest, left: more * (1 + SLACK), error, least };
}

const total = ({ masses, left, error }: WholeMeasure): number =>
  masses.reduce((sum, mass) => sum + mass, left) * (1 + SLACK + 2 * error);

/** Sums from each place on, or up to it. */
function cumulative({ first, masses }: WholeMeasure, from: number, to: number, upward: boolean): Float64Array {
  const all = new Float64Array(to - from + 2);
  const at = (i: number): number => masses[i - first] ?? 0;
  if (upward) for (let i = to; i >= from; i--) all[i - from] = all[i - from + 1]! + at(i);
  else for (let i = from; i <= to; i++) all[i - from + 1] = all[i - from]! + at(i);
  return all;
}

/**
 * The law of min(sum, `most`) of independent whole numbers of at least 0. A mass is a sum of products of numbers of at least 0, so that
 * their relative errors add up, to which each product and each of the sums adds U; no product underflows. What was left out of one comes
 * with all of the other.
 */
function sumOf(a: WholeMeasure, b: WholeMeasure, most: number): WholeMeasure {
  const first = Math.min(most, a.first + b.first);
  const [x, y] = [a.masses, b.masses];
  const all = x.length + y.length - 1;
  const last = Math.min(most - first, all - 1);
  const masses = new Float64Array(last + 1);
  const beyond = cumulative(b, b.first, b.first + y.length - 1, true);
  for (let i = 0; i < x.length; i++) {
    const factor = x[i]!;
    if (factor === 0) continue;
    const inside = Math.min(y.length, Math.max(0, last - i));
    for (let j = 0; j < inside; j++) masses[i + j]! += factor * y[j]!;
    masses[last]! += factor * beyond[inside]!;
  }
  return trimmed({
    first,
    masses,
    left: (a.left * total(b) + b.left * total(a)) * (1 + SLACK),
    error: (a.error + b.error + (x.length + y.length + 2) * U) * (1 + SLACK),
    least: Math.min(a.least, b.least),
  });
}

function powerOf(one: WholeMeasure, count: number, most: number): WholeMeasure {
  let result: WholeMeasure | null = null;
  for (let rest = count, doubled = one; ; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = result ? sumOf(result, doubled, most) : doubled;
    if (rest < 2) return result!;
    doubled = sumOf(doubled, doubled, most);
  }
}

/** P(a < x <= b) of a standard normal x, from below and above. */
function between(a: number, b: number): readonly [number, number] {
  if (a >= 0) {
    const [from, to] = [normalTail(a), normalTail(b)];
    return [Math.max(0, nextDown(from.lower - to.upper)), nextUp(from.upper - to.lower)];
  }
  if (b <= 0) return between(-b, -a);
  const [left, right] = [normalTail(-a), normalTail(b)];
  return [Math.max(0, 1 - left.upper - right.upper - 4 * U), 1 - left.lower - right.lower + 4 * U];
}

/** The law of cells: masses that are not known well are left out. */
function lawOfCells(cells: readonly (readonly [number, number])[], least: number): WholeMeasure {
  let [left, error] = [NOTHING, 0];
  const masses = Float64Array.from(cells, ([low, high]) => {
    const middle = low + (high - low) / 2;
    const off = (high - low) / low;
    if (off <= VAGUE) {
      error = Math.max(error, off);
      return middle;
    }
    left += high * (1 + SLACK);
    return 0;
  });
  return trimmed({ first: 0, masses, left, error, least });
}

/**
 * The two laws of the statistic of one batch, with the record in it and without. Its value is the number of a cell in which x lies, x the
 * noise with or without mu, and any cells are legal: their edges are exactly what they are for both laws.
 */
function lawsOf(
  mu: number,
  { lambda, step, most, least }: { lambda: number; step: number; most: number; least: number },
): Record<'with' | 'without', WholeMeasure> {
  const place = (edge: number): number =>
    edge <= 0 ? -Infinity : Math.round((Math.log(Math.expm1(edge) / lambda) + (mu * mu) / 2) / mu / PLACE) * PLACE;
  const edges = Array.from({ length: most + 2 }, (_, j) => (j > most ? Infinity : place((j - 0.5) * step)));
  const law = (shift: number): WholeMeasure =>
    lawOfCells(
      edges.slice(1).map((edge, j) => between(edges[j]! - shift, edge - shift)),
      least,
    );
  return { without: law(0), with: law(mu) };
}

/** More batches of all epochs than these take too long. */
export const MOST_TESTED = 20_000;

export interface AllocationTest {
  /** At most delta at an epsilon, in one direction. */
  readonly gain: (epsilon: number, direction: Direction) => number;
  /** At most the larger of both. */
  readonly delta: (epsilon: number) => number;
}

/** What the best half-line of a statistic gains at an epsilon. */
type Statistic = Readonly<Record<Direction, (epsilon: number) => number>>;

const FACTORS = [0.35, 0.5, 0.62, 0.75, 1.1];

/**
 * mu of one batch, or a little less. Noise of a smaller mu is what one makes of that of a larger, the same way with and without the
 * record: scaled down, with more noise. So the gain is at most that of the true mu.
 */
function muBelow(mechanism: RandomAllocation): number {
  const mu = Math.sqrt(Math.max(0, muSquaredOfBatch(mechanism).lower)) * (1 - 2 * U);
  return Math.floor(mu / PLACE) * PLACE;
}

/** P - e^epsilon Q of the best half-line, P from below and Q from above; along the order of the values, or against it. */
function gainOf(own: WholeMeasure, other: WholeMeasure, upward: boolean): (epsilon: number) => number {
  const from = Math.min(own.first, other.first);
  const to = Math.max(own.first + own.masses.length, other.first + other.masses.length) - 1;
  const [p, q] = [cumulative(own, from, to, upward), cumulative(other, from, to, upward)];
  const sums = (to - from + 16) * U;
  // Where more is 2e-4 at most, 1 / (1 - error) is below 1 + 2 error.
  const [less, more] = [own.error + sums, 2 * (other.error + sums)];
  return (epsilon) => {
    const scale = Math.exp(epsilon) * (1 + 16 * U);
    let best = 0;
    if (!(less < 1e-4 && more < 2e-4)) return best;
    for (let i = 0; i < p.length; i++) {
      best = Math.max(best, p[i]! * (1 - less) - scale * (q[i]! * (1 + more) + other.left));
    }
    return best;
  };
}

/** About the mean and the variance of a law. */
function shapeOf({ first, masses }: WholeMeasure): { readonly mean: number; readonly variance: number } {
  let [mean, square] = [0, 0];
  masses.forEach((mass, i) => {
    mean += mass * (first + i);
    square += mass * (first + i) ** 2;
  });
  return { mean, variance: Math.max(0, square - mean * mean) };
}

/** A statistic: masses of its values with and without the record, with a share of the cells. */
function statistic(
  mechanism: RandomAllocation,
  count: number,
  factor: number,
  share: number,
  least: number,
): Statistic {
  const { batches, selected } = sizesOf(mechanism);
  const mu = muBelow(mechanism);
  if (!(mu > 0 && mu < MOST_MU)) return { remove: () => 0, add: () => 0 };
  const lambda = (factor * selected) / (batches - selected);
  // About the deviation of ln(1 + lambda Y).
  const slope = (lambda / (1 + lambda)) * Math.min(mu, Math.sqrt(Math.expm1(Math.min(mu * mu, 50))));
  const farthest = Math.log1p(lambda * Math.exp(mu * (REACH + mu / 2)));
  const ofAll = (Math.sqrt(batches * count) * slope) / MOST_CELLS;
  const step = Math.max(slope / CELLS, ofAll, farthest / MOST_PLACES) / share;
  const one = lawsOf(mu, { lambda, step, most: Math.ceil(farthest / step) + 1, least });
  const [own, other] = [selected * count, (batches - selected) * count];
  // Larger sums are one: far out, where the record is seen in any case.
  const [a, b] = [shapeOf(one.with), shapeOf(one.without)];
  const deviation = Math.sqrt(own * a.variance + other * b.variance);
  const most = Math.ceil(own * a.mean + other * b.mean + 8 * deviation) + MOST_PLACES;
  const others = powerOf(one.without, other, most);
  const without = sumOf(others, powerOf(one.without, own, most), most);
  const joined = sumOf(others, powerOf(one.with, own, most), most);
  return { remove: gainOf(joined, without, true), add: gainOf(without, joined, false) };
}

/**
 * What a test gains against epochs of k of t batches: of the sum of ln(1 + lambda Y_i) over all batches, rounded to a lattice, Y_i the
 * likelihood ratio of a batch. Any test is legal, and a statistic that is rounded is a statistic; so its gain is at most delta. The
 * lambda is the best of a few near k / (t - k), for which it is nearly the likelihood ratio. Whatever the k batches are, the sum has the same
 * law, a convolution of t - k laws without the record and k with it; each epoch adds as many. One probability of a half-line is taken from
 * below and the other from above, so that the gain errs downward only: by roundings, which are counted (see sumOf), by what is left out of
 * the sums, and by a mu that is a little smaller.
 *
 * Source: derived; by data processing from the pair that the mechanism attains.
 */
export function allocationTest(mechanism: RandomAllocation, count: number): AllocationTest {
  const rough = new LruCache<Statistic>(FACTORS.length);
  const fine = new LruCache<Statistic>(FACTORS.length);
  const bestAt = (epsilon: number, directions: readonly Direction[]): number => {
    const further = SMALL_EPSILON * Math.max(0, Math.ceil(epsilon / SMALL_EPSILON) - 1);
    const least = Math.max(FAINT, LEAST * Math.exp(-further));
    const statisticOf = (kept: LruCache<Statistic>, factor: number, share: number): Statistic =>
      kept.get(`${factor} ${least}`, () => statistic(mechanism, count, factor, share, least));
    let best = { gain: 0, factor: 0, direction: directions[0]! };
    for (const direction of directions) {
      for (const factor of FACTORS) {
        const gain = statisticOf(rough, factor, ROUGHLY)[direction](epsilon);
        if (gain > best.gain) best = { gain, factor, direction };
      }
    }
    return best.gain > 0 ? statisticOf(fine, best.factor, 1)[best.direction](epsilon) : 0;
  };
  return {
    gain: (epsilon, direction) => bestAt(epsilon, [direction]),
    delta: (epsilon) => bestAt(epsilon, ['remove', 'add']),
  };
}
