import { fromDouble, toDouble } from '../double-double.ts';
import type { LatticeMeasure } from './measure.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U } from '../rounding.ts';

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
