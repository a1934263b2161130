import type { DiscreteGaussian, Gaussian, SigmaForm } from './mechanism.ts';

/**
 * How the sigma of noise was written; null where it was written as a number, or the noise is by now another one than was
 * written (a search varied its sigma, a distance its sensitivity).
 */
export function sigmaForm({ sigma, sensitivity, written }: Gaussian | DiscreteGaussian): SigmaForm | null {
  return written?.noiseMultiplier.times(sensitivity).eq(sigma) === true ? written : null;
}
