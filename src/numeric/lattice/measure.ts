import {
  DOUBLE_DOUBLE_ERROR,
  difference,
  scaled,
  sum as total,
  toDouble,
  type DoubleDouble,
  fromDouble,
} from '../double-double.ts';
import { enclosure, exactly, type Enclosure, type LowerBound } from '../enclosure.ts';
import { add, logarithm, multiply, subtract } from '../enclosure-arithmetic.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U, nextDown, nextUp } from '../rounding.ts';
import type { Tails } from './tails.ts';

/**
 * A nonnegative measure on the losses origin + (first + m) step, m = 0, 1, ..., exponentially tilted:
 * the mass at loss L is e^(logScale - tilt L) times its weight. With the tilt at the saddle point of a tail, the
 * weights in that tail are of order one, and errors relative to the total weight stay small relative to the tail.
 */
export interface LatticeMeasure {
  readonly origin: DoubleDouble;
  readonly step: DoubleDouble;
  readonly first: number;
  readonly weights: Float64Array;
  readonly tilt: number;
  readonly logScale: Enclosure;
  /** Bound on the relative error of every weight. */
  readonly relativeError: number;
  /** Bound on the Euclidean norm of the additive errors of the weights. */
  readonly normError: number;
  /** Bound on the total weight that was left out. */
  readonly leak: number;
  /** Where the weight lies, as far as that is known better than the weights show it. */
  readonly tails: Tails;
}

/** The highest loss that has weight. */
export const highestLoss = ({ origin, step, first, weights }: LatticeMeasure): number =>
  origin.high + (first + weights.length - 1) * step.high;

/** When the factors have fallen this far below the first one, the rest (total weight about 1) is left to the error. */
const NEGLIGIBLE = 2 ** -140;

/**
 * ln of the sum over losses L > eps of mass(L) (1 - e^(eps - L)), enclosed: the hockey-stick of the measure at e^eps.
 *
 * With x = L - eps each term is weight e^(-tilt x) (1 - e^-x) times e^(logScale - tilt eps). What was left out adds at
 * most its weight (the factor is at most 1), additive errors by Cauchy-Schwarz with the factors, and an error of x
 * moves a factor by at most (1 + tilt) times itself.
 */
export function logHockeyStick(measure: LatticeMeasure, epsilon: DoubleDouble): Enclosure {
  const { origin, step, first, weights, tilt } = measure;
  const h = toDouble(step);
  const size = weights.length;
  const excessAt = (m: number): number => toDouble(total(difference(scaled(step, first + m), epsilon), origin));
  let start = Math.max(0, Math.min(size, Math.ceil(-excessAt(0) / h)));
  while (start > 0 && excessAt(start - 1) >= 0) start--;
  while (start < size && excessAt(start) < 0) start++;

  let sum = 0;
  let error = 0;
  let mass = 0;
  let squares = 0;
  if (start < size) {
    const x = excessAt(start);
    const damping = Math.exp(-tilt * h);
    const decay = Math.exp(-h);
    const shrink = -Math.expm1(-h);
    let damp = Math.exp(-tilt * x);
    const spent = damp * NEGLIGIBLE;
    let rest = Math.exp(-x);
    let height = -Math.expm1(-x);
    const turn = 8 * U + ELEMENTARY_ERROR * 2 + tilt * h * 2 * U;
    for (let m = start, turns = 1; m < size; m++, turns++) {
      const factor = damp * height;
      const term = weights[m]! * factor;
      sum += term;
      error += Math.abs(term) * turns * turn;
      mass += Math.abs(weights[m]!) * damp;
      squares += factor * factor;
      height += rest * shrink;
      rest *= decay;
      damp *= damping;
      if (damp < spent) {
        error += 2 * damp;
        break;
      }
    }
    // The last part covers the additions.
    error += sum * (ELEMENTARY_ERROR * 2 + measure.relativeError + tilt * x * 2 * U + (size - start) * U);
  }
  const magnitude = Math.abs(origin.high) + Math.abs((first + size) * h) + Math.abs(epsilon.high);
  const misplaced = 8 * DOUBLE_DOUBLE_ERROR * magnitude * (1 + tilt) * (2 * mass + (weights[start - 1] ?? 0));
  const additive = measure.normError * Math.sqrt(squares);
  const below = sum - nextUp(error + misplaced + additive);
  const above = sum + nextUp(error + misplaced + additive + measure.leak);
  const logSum = logarithm(enclosure(Math.max(0, nextDown(below)), Math.max(0, nextUp(above))));
  const shift = subtract(measure.logScale, multiply(exactly(tilt), enclosureOf(epsilon)));
  return add(shift, logSum);
}

/**
 * A lower bound on ln of the gain P(S) - e^eps Q(S) from the best upper set S of cells, given the cells' masses under
 * both distributions (`other` times e^loss). Any S is legal; errors are taken off for the S chosen.
 */
export function logGainFromCells(own: LatticeMeasure, other: LatticeMeasure, epsilon: DoubleDouble): LowerBound {
  const { step, tilt } = own;
  const h = toDouble(step);
  const last = Math.min(own.first + own.weights.length, other.first + other.weights.length) - 1;
  const lowest = Math.max(own.first, other.first);
  const excessAt = (index: number): number => index * h - epsilon.high - epsilon.low;
  let [sum, error, ownSquares, otherSquares, magnitude] = [0, 0, 0, 0, 0];
  let best = 0;
  for (let index = last; index >= lowest; index--) {
    const x = excessAt(index);
    const damp = Math.exp(-tilt * x);
    const rest = damp * Math.exp(-x);
    const gain = own.weights[index - own.first]! * damp;
    const cost = other.weights[index - other.first]! * rest;
    if (gain <= cost && x < 0) break;
    sum += gain - cost;
    const positionError = 4 * U * (Math.abs(index * h) + Math.abs(epsilon.high)) * (1 + tilt);
    error +=
      Math.abs(gain) * (own.relativeError + positionError + ELEMENTARY_ERROR + 8 * U) +
      Math.abs(cost) * (other.relativeError + positionError + 2 * ELEMENTARY_ERROR + 8 * U);
    magnitude += Math.abs(gain) + Math.abs(cost);
    ownSquares += damp * damp;
    otherSquares += rest * rest;
    const additive =
      own.normError * Math.sqrt(ownSquares) + other.normError * Math.sqrt(otherSquares) + other.leak * rest;
    const gained = nextDown(sum - nextUp((error + additive + magnitude * (last - index + 2) * U) * (1 + 2 ** -20)));
    // Where factors overflow it is not a number, and says nothing.
    if (gained > best) best = gained;
  }
  const shift = subtract(own.logScale, multiply(exactly(tilt), enclosureOf(epsilon)));
  return add(shift, logarithm(exactly(best))).lower;
}

const enclosureOf = (a: DoubleDouble): Enclosure => enclosure(nextDown(a.high), nextUp(a.high));

/** The shares of the mass of an odd index, one old step above the even one below it, that go to its neighbours. */
interface Odd {
  /** Factor of the weight that goes down to the even index. */
  readonly down: number;
  /** Factor of the weight that goes up to the next even index. */
  readonly up: number;
}

function halve(measure: LatticeMeasure, { down, up }: Odd): LatticeMeasure {
  const { first, weights, step } = measure;
  const start = Math.floor(first / 2);
  const result = new Float64Array(Math.floor((first + weights.length) / 2) - start + 1);
  weights.forEach((weight, i) => {
    const index = first + i;
    const half = Math.floor(index / 2);
    if (index % 2 === 0) {
      result[half - start]! += weight;
    } else {
      result[half - start]! += weight * down;
      if (up > 0) result[half + 1 - start]! += weight * up;
    }
  });
  const factor = Math.max(1, down + up);
  return {
    ...measure,
    first: start,
    step: fromDouble(2 * toDouble(step)),
    weights: result,
    relativeError: measure.relativeError + 2 * ELEMENTARY_ERROR + 8 * U,
    normError: Math.sqrt(1 + factor * factor) * measure.normError * (1 + 2 ** -20),
    leak: factor * measure.leak,
    tails: { ...measure.tails, displacement: measure.tails.displacement + toDouble(step) },
  };
}

/**
 * The measure on every second lattice point (origin 0) whose curve lies at or above: odd indices are split onto their
 * neighbours as in discretisation, the share 1 / (1 + e^-step) going up.
 */
export function coarsenUpward(measure: LatticeMeasure): LatticeMeasure {
  const h = toDouble(measure.step);
  const share = 1 / (1 + Math.exp(-h));
  return halve(measure, {
    down: Math.exp(-measure.tilt * h) * Math.exp(-h) * share,
    up: Math.exp(measure.tilt * h) * share,
  });
}

/** Cells of twice the width, seen under the distribution whose loss it is. */
export function coarsenOwn(measure: LatticeMeasure): LatticeMeasure {
  return halve(measure, { down: Math.exp(-measure.tilt * toDouble(measure.step)), up: 0 });
}

/** Cells of twice the width, seen under the other distribution (masses times e^loss). */
export function coarsenOther(measure: LatticeMeasure): LatticeMeasure {
  return halve(measure, { down: Math.exp(-(1 + measure.tilt) * toDouble(measure.step)), up: 0 });
}
