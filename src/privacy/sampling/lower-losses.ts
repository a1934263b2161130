import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U, nextDown, nextUp, roundDownBy } from '../../numeric/rounding.ts';

/** A part of space: at least so much of its own distribution, and at least so high a privacy loss over the other. */
export interface Cell {
  readonly mass: number;
  readonly loss: number;
}

/**
 * A lower bound on the law of a privacy loss: at the losses origin + (first + m) step, m = 0, 1, ..., at most the true
 * weights, of parts of space whose losses are at least that. Its hockey-stick divergence is then at most the true one.
 */
export interface LowerLosses {
  readonly origin: number;
  readonly step: number;
  readonly first: number;
  readonly weights: Float64Array;
}

/** Weights below this are left out, so that relative errors hold of all others. */
const SMALLEST = 1e-290;

/** The weights left out at either end have at most these sums. */
const LEFT_OUT = { below: 1e-18, above: 1e-40 };

/** Leaves out the ends that weigh next to nothing. */
function trimmed({ first, weights, ...rest }: LowerLosses): LowerLosses {
  let [from, to] = [0, weights.length];
  for (let sum = 0; from < to - 1 && (sum += weights[from]!) < LEFT_OUT.below;) from++;
  for (let sum = 0; to > from + 1 && (sum += weights[to - 1]!) < LEFT_OUT.above;) to--;
  return { ...rest, first: first + from, weights: weights.slice(from, to) };
}

/** On places of twice the step, the losses rounded down to them. */
function coarser({ origin, step, first, weights }: LowerLosses): LowerLosses {
  const low = Math.floor(first / 2);
  const sums = new Float64Array(Math.floor((first + weights.length - 1) / 2) - low + 1);
  weights.forEach((x, m) => (sums[Math.floor((first + m) / 2) - low]! += x));
  return { origin, step: 2 * step, first: low, weights: sums.map((x) => (x < SMALLEST ? 0 : nextDown(x))) };
}

/** A sum with more places is made coarser. */
const MOST_PLACES = 4096;

/** The sum of two independent losses. Errs downward. */
function composed(a: LowerLosses, b: LowerLosses): LowerLosses {
  if (a.step < b.step) return composed(coarser(a), b);
  if (b.step < a.step) return composed(a, coarser(b));
  const weights = new Float64Array(a.weights.length + b.weights.length - 1);
  a.weights.forEach((x, i) => {
    if (x === 0) return;
    for (let j = 0; j < b.weights.length; j++) weights[i + j]! += x * b.weights[j]!;
  });
  // Every product and every sum rounds once.
  const roundingFactor = 1 - (Math.min(a.weights.length, b.weights.length) + 4) * U;
  weights.forEach((x, i) => (weights[i] = x < SMALLEST ? 0 : x * roundingFactor));
  const sum = trimmed({ origin: a.origin + b.origin, step: a.step, first: a.first + b.first, weights });
  return sum.weights.length > MOST_PLACES ? coarser(sum) : sum;
}

/** The sum of `count` >= 1 independent losses of the same law. Errs downward. */
export function repeated(losses: LowerLosses, count: number): LowerLosses {
  let result: LowerLosses | null = null;
  for (let [rest, doubled] = [count, losses]; ; rest = Math.floor(rest / 2), doubled = composed(doubled, doubled)) {
    if (rest % 2 === 1) result = result ? composed(result, doubled) : doubled;
    if (rest < 2) return result ?? doubled;
  }
}

/** Origins have this many bits after those of the step, so that a few thousand million of them add without rounding. */
const ORIGIN_BITS = 16;

/** How many origins are tried. */
const ORIGINS = 64;

/**
 * The losses of the cells, each rounded down to a place origin + i step. The step is a power of two and the origin a whole
 * multiple of 2^-16 of it, so that places, and sums of them, are exact: of the origins that put some cell on a place, one
 * that loses the least on the average.
 */
export function lowerLosses(cells: readonly Cell[], step: number): LowerLosses {
  if (cells.length === 0) return { origin: 0, step, first: 0, weights: new Float64Array(1) };
  const unit = step / 2 ** ORIGIN_BITS;
  const within = (loss: number): number => Math.floor((loss - step * Math.floor(loss / step)) / unit) * unit;
  const every = Math.ceil(cells.length / ORIGINS);
  const heaviest = cells.toSorted((a, b) => b.mass - a.mass);
  const placeOf = (loss: number, origin: number): number => {
    let place = Math.floor((loss - origin) / step);
    while (origin + place * step > loss) place--;
    return place;
  };
  const average = (origin: number): number =>
    cells.reduce((sum, { mass, loss }) => sum + mass * (origin + step * placeOf(loss, origin)), 0);
  let [origin, best] = [0, -Infinity];
  heaviest.forEach(({ loss }, i) => {
    if (i >= ORIGINS / 2 && i % every !== 0) return;
    const value = average(within(loss));
    if (value > best) [origin, best] = [within(loss), value];
  });
  const places = cells.map(({ loss }) => placeOf(loss, origin));
  const first = places.reduce((a, b) => Math.min(a, b), Infinity);
  const last = places.reduce((a, b) => Math.max(a, b), -Infinity);
  const weights = new Float64Array(last - first + 1);
  cells.forEach(({ mass }, i) => {
    const sum = weights[places[i]! - first]! + mass;
    weights[places[i]! - first] = sum < SMALLEST ? 0 : nextDown(sum);
  });
  return trimmed({ origin, step, first, weights });
}

/** The sum over losses L > eps of weight (1 - e^(eps - L)): a lower bound on delta at eps. */
export function lowerHockeyStick({ origin, step, first, weights }: LowerLosses, epsilon: number): number {
  let sum = 0;
  for (let m = weights.length - 1; m >= 0; m--) {
    const below = nextUp(epsilon - (origin + (first + m) * step));
    if (below >= 0) break;
    sum += roundDownBy(weights[m]! * -Math.expm1(below), ELEMENTARY_ERROR);
  }
  return Math.max(0, sum * (1 - (weights.length + 2) * U));
}
