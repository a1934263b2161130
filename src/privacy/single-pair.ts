import { discretiseUpward, observeCells } from '../numeric/lattice/discretise.ts';
import type { DiscretisedLoss } from '../numeric/lattice/discretise-density.ts';
import { exactly } from '../numeric/enclosure.ts';
import type { LossAtoms } from '../numeric/loss-atoms.ts';
import type { LogAtom } from './atoms-transform.ts';

/** One dominating pair of distributions, seen through its privacy loss. */
export interface SinglePair {
  /** About ln E[e^(tilt L)], for choosing a tilt. */
  readonly approximateLogMoment: (tilt: number) => number;
  /** The largest tilt the discretisation bears. */
  readonly largestTilt: number;
  /** The highest loss that has an atom, for choosing a lattice; null where there is none. */
  readonly largestAtom: number | null;
  /** About the standard deviation of the loss, for choosing a lattice. */
  readonly deviation: number;
  /** The finite losses under a tilt, one by one, in descending order; absent where they are not listed. */
  readonly atoms?: (tilt: number) => LossAtoms;
  /** The finite losses under a tilt, on the multiples of `step`. */
  readonly discretise: (tilt: number, step: number) => DiscretisedLoss;
}

/** Tilts are limited so that tilt times loss stays well inside the range of exponentials. */
export const LARGEST_EXPONENT = 300;

/** Where all losses are 0 the lattice and the tilt still need a common scale, lest tilt times step overflow. */
const SMALLEST_SCALE = 1e-9;

/**
 * The pair with finitely many losses, in descending order. Losses are good to `lossError` absolutely, masses to
 * `relativeError`.
 */
export function atomicPair(atoms: readonly LogAtom[], lossError: number, relativeError: number): SinglePair {
  const farthest = atoms.reduce((max, { loss }) => Math.max(max, Math.abs(loss)), 0);
  const largestTerm = (tilt: number): number =>
    atoms.reduce((max, { loss, logMass }) => Math.max(max, logMass + tilt * loss), -Infinity);
  const approximateLogMoment = (tilt: number): number => {
    const top = largestTerm(tilt);
    return top + Math.log(atoms.reduce((sum, { loss, logMass }) => sum + Math.exp(logMass + tilt * loss - top), 0));
  };
  const tilted = (tilt: number): LossAtoms => {
    const scale = approximateLogMoment(tilt);
    const spread = Math.abs(scale) + tilt * farthest;
    return {
      losses: Float64Array.from(atoms, ({ loss }) => loss),
      weights: Float64Array.from(atoms, ({ loss, logMass }) => Math.exp(logMass + tilt * loss - scale)),
      tilt,
      logScale: exactly(scale),
      lossError,
      relativeError: relativeError + 2 * tilt * lossError + (8 + 4 * spread) * Number.EPSILON,
      leak: 0,
    };
  };
  const mean = atoms.reduce((sum, { loss, logMass }) => sum + Math.exp(logMass) * loss, 0);
  const variance = atoms.reduce((sum, { loss, logMass }) => sum + Math.exp(logMass) * (loss - mean) ** 2, 0);
  return {
    approximateLogMoment,
    largestTilt: LARGEST_EXPONENT / Math.max(SMALLEST_SCALE, farthest),
    largestAtom: atoms.reduce((max, { loss }) => Math.max(max, loss), -Infinity),
    // A single loss has none, and the lattice still needs a scale.
    deviation: Math.max(Math.sqrt(variance), 1e-3 * farthest, SMALLEST_SCALE),
    atoms: tilted,
    discretise(tilt, step) {
      const list = tilted(tilt);
      return { above: discretiseUpward(list, step), ...observeCells(list, step) };
    },
  };
}
