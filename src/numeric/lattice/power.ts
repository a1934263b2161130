import type { LatticeMeasure } from './measure.ts';
import { advance, type Watch } from '../watch.ts';
import { add } from '../enclosure-arithmetic.ts';
import { convolveByTransform, type Convolution } from './fft.ts';
import { sum, toDouble } from '../double-double.ts';
import { sumOfTails, TAIL_LEAK, windowOf } from './tails.ts';
import { UNIT_ROUNDOFF as U } from '../rounding.ts';

/** Up to this many multiplications the direct sum is used by default: it keeps every weight to a relative error. */
const DIRECT_LIMIT = 2 ** 23;

function norm1(a: Float64Array): number {
  let sum = 0;
  for (const x of a) sum += Math.abs(x);
  return sum;
}

function convolveDirectly(a: Float64Array, b: Float64Array): Convolution {
  // Of nothing, which far out may be all that has weight, nothing comes.
  const values = new Float64Array(Math.max(0, a.length + b.length - 1));
  a.forEach((x, i) => {
    if (x === 0) return;
    for (let j = 0; j < b.length; j++) values[i + j]! += x * b[j]!;
  });
  return { values, normError: 0 };
}

/** Cuts what lies outside the window that the tails allow: the noise there goes, and what may lie at each end stays. */
function clipped(measure: LatticeMeasure): LatticeMeasure {
  const { first, weights, tails } = measure;
  const step = toDouble(measure.step);
  const window = windowOf(tails, step);
  // A mass moved up by d since the tails were known has e^(tilt d) times the weight (e^((1 + tilt) d) where it is stored
  // times e^loss).
  const clippedMass = 2 * TAIL_LEAK * Math.exp((1 + measure.tilt) * tails.displacement);
  const from = Math.max(0, Math.min(weights.length - 1, Math.floor(window.from / step) - 1 - first));
  const to = Math.max(from + 1, Math.min(weights.length, Math.ceil(window.to / step) + 2 - first));
  return { ...measure, first: first + from, weights: weights.slice(from, to), leak: measure.leak + clippedMass };
}

/**
 * The sum of two independent losses on the same lattice with the same tilt.
 *
 * The error of the result collects the factors' relative errors and roundings, their additive errors times the other's
 * total weight, the error of the transform where it is used, and what either left out times the other's total weight.
 */
export function composeLattices(a: LatticeMeasure, b: LatticeMeasure, directLimit = DIRECT_LIMIT): LatticeMeasure {
  const direct = a.weights.length * b.weights.length <= directLimit;
  const { values, normError } = direct
    ? convolveDirectly(a.weights, b.weights)
    : convolveByTransform(a.weights, b.weights);
  const [massA, massB] = [norm1(a.weights) + a.leak, norm1(b.weights) + b.leak];
  const inherited =
    a.normError * massB +
    b.normError * massA +
    a.normError * b.normError * Math.sqrt(Math.min(a.weights.length, b.weights.length));
  return clipped({
    origin: sum(a.origin, b.origin),
    step: a.step,
    first: a.first + b.first,
    weights: values,
    tilt: a.tilt,
    logScale: add(a.logScale, b.logScale),
    relativeError:
      (a.relativeError + b.relativeError + (direct ? 2 * Math.min(a.weights.length, b.weights.length) * U : 0)) *
      (1 + 2 ** -20),
    normError: (normError + inherited) * (1 + 2 ** -20),
    leak: (a.leak * massB + b.leak * massA) * (1 + 2 ** -20),
    tails: sumOfTails(a.tails, b.tails),
  });
}

/** How often the lattice is made twice as coarse on the way to the sum of `count` losses: its deviation doubles as often. */
export const coarseningsFor = (count: number): number => Math.floor(Math.log2(count) / 2);

/** Where more than this many copies are still to be made, errors matter that much more. */
const MANY = 4096;
const CAREFUL_LIMIT = 2 ** 26;

/**
 * The sum of `count` >= 1 independent losses of the same law, by repeated doubling; after every second doubling the
 * lattice is made twice as coarse, since the deviation has doubled too. The result's step is 2^coarseningsFor(count)
 * times the measure's.
 */
export function latticePower(
  measure: LatticeMeasure,
  count: number,
  coarsen: (measure: LatticeMeasure) => LatticeMeasure,
  directLimit?: number,
  watch: Watch = {},
): LatticeMeasure {
  let result: LatticeMeasure | null = null;
  let doubled = measure;
  for (let rest = count, doublings = 0; ; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = result ? composeLattices(result, doubled, directLimit) : doubled;
    if (rest < 2) return result ?? doubled;
    advance(watch);
    doubled = composeLattices(doubled, doubled, directLimit ?? (rest > MANY ? CAREFUL_LIMIT : DIRECT_LIMIT));
    doublings++;
    if (doublings % 2 === 0) {
      doubled = coarsen(doubled);
      result &&= coarsen(result);
    }
  }
}

/** The sum of several independent losses on one lattice, composed pairwise: few large transforms instead of many. */
export function composeAll(
  measures: readonly LatticeMeasure[],
  directLimit?: number,
  watch: Watch = {},
): LatticeMeasure {
  let level = measures;
  let done = 0;
  while (level.length > 1) {
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, i) => {
      const [a, b] = [level[2 * i]!, level[2 * i + 1]];
      if (!b) return a;
      const both = composeLattices(a, b, directLimit);
      advance(watch, ++done / (measures.length - 1));
      return both;
    });
  }
  return level[0]!;
}
