import { Decimal } from '../numeric/decimal.ts';
import { atomicPair, type SinglePair } from './single-pair.ts';
import type { LogAtom } from './transform/atoms.ts';

/** At most this many losses are listed. */
export const LARGEST_DISCRETE_SENSITIVITY = 1e6;

/**
 * Discrete Laplace noise, P(z) proportional to r^|z| with r = e^(-1/scale), on a statistic whose neighbours differ by the
 * whole number s: the losses (s - 2j) / scale for j = 0..s. All z <= 0 give j = 0 and all z >= s give j = s, so their
 * masses are 1/(1+r), r^s/(1+r), and (1-r) r^j / (1+r) between.
 */
export function discreteLaplacePair(scale: Decimal, sensitivity: number): SinglePair {
  const { atoms, lossError, relativeError } = discreteLaplaceAtoms(scale, sensitivity);
  return atomicPair(atoms, sensitivity * new Decimal(1).div(scale).toNumber() * lossError, relativeError);
}

/** The losses of {@link discreteLaplacePair} with their probabilities; every loss is within `lossError` of itself, relatively. */
export function discreteLaplaceAtoms(
  scale: Decimal,
  sensitivity: number,
): { readonly atoms: readonly LogAtom[]; readonly lossError: number; readonly relativeError: number } {
  const rate = new Decimal(1).div(scale).toNumber();
  const base = -Math.log1p(Math.exp(-rate));
  const gap = Math.log(-Math.expm1(-rate));
  const atoms: LogAtom[] = [];
  for (let j = 0; j <= sensitivity; j++) {
    const inner = j > 0 && j < sensitivity ? gap : 0;
    atoms.push({ loss: (sensitivity - 2 * j) * rate, logMass: base + inner - j * rate });
  }
  const relativeError = (40 + 4 * sensitivity * rate + Math.abs(gap)) * Number.EPSILON;
  return { atoms, lossError: 2 * Number.EPSILON, relativeError };
}
