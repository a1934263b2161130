import { expect, it } from 'vitest';
import { fromDouble } from '../../src/numeric/double-double.ts';
import { exactly } from '../../src/numeric/enclosure.ts';
import { logGainFromCells, type LatticeMeasure } from '../../src/numeric/lattice/measure.ts';
import { tailsOfWeights } from '../../src/numeric/lattice/tails.ts';

const measure = (...values: readonly number[]): LatticeMeasure => {
  const weights = Float64Array.from(values);
  return {
    origin: fromDouble(0),
    step: fromDouble(1),
    first: 0,
    weights,
    tilt: 7,
    logScale: exactly(0),
    relativeError: 0,
    normError: 0,
    leak: 0,
    tails: tailsOfWeights(0, weights, 1),
  };
};

it('the gain from cells far below epsilon is nothing, where factors overflow', () => {
  expect(logGainFromCells(measure(1, 0), measure(1, 0), fromDouble(1000))).toBe(-Infinity);
  expect(logGainFromCells(measure(1, 0), measure(1, 0), fromDouble(-1000))).not.toBeNaN();
});
