import { exponential } from '../../numeric/enclosure-arithmetic.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { Continuation, noAdversaries, type Adversaries } from './adaptive-adversary.ts';
import { upperStates, type AdaptiveTable } from './adaptive-table.ts';
import { composePairs, type PairGroup } from '../loss-distribution/discretised-method.ts';

/** The joint loss of single pairs on the multiples of a grid's step. */
export interface GridPairs {
  /** Index of the first loss. */
  readonly first: number;
  /** Masses of a measure whose hockey-stick curve lies at or above, and its mass at an infinite loss. */
  readonly above: Float64Array;
  readonly leak: number;
  /** Masses of the cells, from below under the distribution whose loss it is, from above under the other. */
  readonly ownFirst: number;
  readonly own: Float64Array;
  readonly other: Float64Array;
  /** Mass under the other distribution (times e^loss) that may lie in any of the cells. */
  readonly otherLeak: number;
  /** The index of the largest loss of the measure above; Infinity where it has mass at an infinite loss. */
  readonly largest: number;
  readonly mean: number;
  readonly variance: number;
  /** Bounds ln of the sum of mass e^(lambda loss) of the measure above, without its leak. */
  readonly logMoment: (lambda: number) => number;
  /** Bound on the relative rounding error of one step with these pairs. */
  readonly error: number;
}

/** Adding up rounded products is done without transforms: those would add an absolute error. */
const WITHOUT_TRANSFORMS = Infinity;

/** The pairs on the grid of the given step. */
export function gridPairs(groups: readonly PairGroup[], step: number): GridPairs {
  const { above, own, other } = composePairs(groups, 0, step, WITHOUT_TRANSFORMS);
  const masses = above.weights.map((w) => w * exponential(above.logScale).upper * (1 + 2 * above.relativeError));
  const leak = above.leak * exponential(above.logScale).upper * (1 + 1e-12);
  const lowest = Math.max(own.first, other.first);
  const size = Math.min(own.first + own.weights.length, other.first + other.weights.length) - lowest;
  const lossOf = (n: number): number => (above.first + n) * step;
  const mass = masses.reduce((sum, m) => sum + m, 0);
  const mean = masses.reduce((sum, m, n) => sum + m * lossOf(n), 0) / mass;
  return {
    first: above.first,
    above: masses,
    leak,
    ownFirst: lowest,
    own: Float64Array.from(
      { length: size },
      (_, n) => own.weights[lowest - own.first + n]! * exponential(own.logScale).lower * (1 - 2 * own.relativeError),
    ),
    other: Float64Array.from(
      { length: size },
      (_, n) =>
        other.weights[lowest - other.first + n]! *
        Math.exp(-(lowest + n) * step) *
        exponential(other.logScale).upper *
        (1 + 2 * other.relativeError),
    ),
    otherLeak: other.leak * exponential(other.logScale).upper * (1 + 1e-12),
    largest: leak > 0 ? Infinity : above.first + masses.length - 1,
    mean,
    variance: masses.reduce((sum, m, n) => sum + m * (lossOf(n) - mean) ** 2, 0) / mass,
    logMoment(lambda) {
      const end = lambda * lossOf(masses.findLastIndex((m) => m > 0));
      const sum = masses.reduce((total, m, n) => (m > 0 ? total + m * Math.exp(lambda * lossOf(n) - end) : total), 0);
      return end + Math.log(sum) + 1e-9 + Math.abs(end) * 4 * U;
    },
    error: (masses.length + 64) * 4 * U + 1e-13,
  };
}

/** Upper bounds at the states 0..size: sum over losses of mass V(x - L), the leak being an infinite loss. */
export function upperAfterPairs(
  { first, above, leak }: GridPairs,
  rest: Pick<AdaptiveTable, 'upper' | 'largest' | 'tail'>,
  h: number,
  size: number,
): Float64Array {
  const last = first + above.length - 1;
  const reach = Math.max(Math.abs(first), Math.abs(last)) + 1;
  const states = upperStates(rest, h, size, reach);
  return Float64Array.from({ length: size + 1 }, (_, i) => {
    let sum = 0;
    for (let n = 0; n < above.length; n++) sum += above[n]! * states[i + reach - first - n]!;
    return Math.min(1, sum + leak);
  });
}

/**
 * The adversaries of the states 0..size who see the pairs' cell before what remains (of the states 0..size too, with this relative
 * `error`): each goes on as the adversary,
 * of the two next to the true place x - ln(P(cell) / Q(cell)), who gains more there.
 */
export function adversariesAfterPairs(
  { ownFirst, own, other, otherLeak }: GridPairs,
  rest: Adversaries,
  error: number,
  h: number,
  size: number,
): Adversaries {
  const far = size + Math.max(Math.abs(ownFirst), Math.abs(ownFirst + own.length)) + 4;
  const continuation = new Continuation(h).loadMirrored(rest, error, far, far);
  const rises = Float64Array.from({ length: size + 1 }, (_, i) => Math.exp(i * h));
  const cells = Array.from(own, (mass, n) => {
    const label = ownFirst + n;
    const exact = Math.log(mass / other[n]!) / h;
    // Where a mass underflows the ratio says nothing; true losses lie within a cell or so of the label.
    const place = Number.isFinite(exact) ? Math.max(label - 2, Math.min(label + 2, exact)) : label;
    return {
      mass,
      cost: other[n]!,
      leak: otherLeak * Math.exp(-label * h),
      down: Math.ceil(place),
      fall: Math.exp(-place * h),
    };
  }).filter(({ mass, cost }) => mass > 0 && cost > 0);
  const result = noAdversaries(size + 1);
  for (let i = 0; i <= size; i++) {
    let [accept, falseAccept, leaked] = [0, 0, 0];
    for (const { mass, cost, leak, down, fall } of cells) {
      const rise = rises[i]! * fall;
      const state = continuation.better(i - down, rise);
      accept += mass * continuation.accept(state);
      falseAccept += cost * continuation.falseAccept(state);
      leaked = Math.max(leaked, leak * continuation.falseAccept(state));
    }
    result.accept[i] = accept;
    result.falseAccept[i] = falseAccept + leaked;
  }
  return result;
}
