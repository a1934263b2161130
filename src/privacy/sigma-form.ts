import { Decimal } from '../numeric/decimal.ts';
import type { Enclosure } from '../numeric/enclosure.ts';
import { encloseRational, Rational, roundedDecimal } from '../numeric/rational.ts';
import { squaredRatio } from './log-moment.ts';
import type { DiscreteGaussian, Gaussian, SigmaForm, VarianceForm } from './mechanism.ts';

/**
 * How the sigma of noise was written; null where it was written as a number or by its square, or the noise is by now another
 * one than was written (a search varied its sigma, a distance its sensitivity).
 */
export function sigmaForm({ sigma, sensitivity, written }: Gaussian | DiscreteGaussian): SigmaForm | null {
  if (written === undefined || 'variance' in written) return null;
  return written.noiseMultiplier.times(sensitivity).eq(sigma) ? written : null;
}

/** A sigma that is computed from its square has so many digits. */
const DIGITS = 60;
const Down = Decimal.clone({ precision: DIGITS, rounding: Decimal.ROUND_DOWN });

/** The root of a variance above 0, rounded down to 60 digits: it is off by less than 1e-58 of itself. */
export const sigmaOfVariance = (variance: Rational): Decimal =>
  new Decimal(new Down(roundedDecimal(variance, 2 * DIGITS, 'down')).sqrt());

/** How noise of a variance says so. */
export const formOfVariance = ({ numerator, denominator }: Rational): VarianceForm => ({
  variance: { numerator: new Decimal(numerator.toString()), denominator: new Decimal(denominator.toString()) },
});

/** The variance that noise was written by; null where it was not, or the noise is by now another one. */
export function writtenVariance({ sigma, written }: Gaussian | DiscreteGaussian): Rational | null {
  if (written === undefined || !('variance' in written)) return null;
  const { numerator, denominator } = written.variance;
  const variance = Rational.ofDecimal(numerator).over(Rational.ofDecimal(denominator));
  return sigmaOfVariance(variance).eq(sigma) ? variance : null;
}

/** sigma^2, exactly: the variance that noise was written by, or the square of its sigma. */
export const varianceOf = (noise: Gaussian | DiscreteGaussian): Rational =>
  writtenVariance(noise) ?? Rational.ofDecimal(noise.sigma.times(noise.sigma));

/** mu^2 = (sensitivity / sigma)^2, by the variance where that was written. */
export function muSquaredOfNoise(noise: Gaussian | DiscreteGaussian): Enclosure {
  const variance = writtenVariance(noise);
  if (variance === null) return squaredRatio(noise.sensitivity, noise.sigma);
  const s = Rational.ofDecimal(noise.sensitivity);
  return encloseRational(s.times(s).over(variance));
}
