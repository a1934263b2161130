import * as z from 'zod/mini';
import { gaussianNoise } from '../../bounds/closed-form/gaussian-noise.ts';
import { Decimal } from '../../numeric/decimal.ts';
import type { Rational } from '../../numeric/rational.ts';
import type { DiscreteGaussian, Gaussian } from '../../privacy/mechanism.ts';
import { DISCRETE_SIGMA } from '../../privacy/mechanisms/parameters.ts';
import { formOfVariance, sigmaOfVariance } from '../../privacy/gaussian.ts';
import { readDecimal } from '../core/decimal-text.ts';
import { issueOf } from '../core/fields.ts';
import { shorten } from '../core/quote.ts';

/** The keys by which noise says its sigma. */
interface SigmaKeys {
  readonly sigma?: Decimal | undefined;
  readonly 'noise-multiplier'?: Decimal | undefined;
  readonly epsilon?: Decimal | undefined;
  readonly delta?: Decimal | undefined;
  readonly sensitivity: Decimal;
}

/** The keys whose sigma is a multiple of the sensitivity. */
const MULTIPLES = ['noise-multiplier', 'epsilon'] as const;

/** The noise multiplier of keys that have one, or from which it is computed, unless its sigma `fits` in any case; else null. */
function multiplierOf({ 'noise-multiplier': multiplier, epsilon, delta }: SigmaKeys, fits: boolean): Decimal | null {
  if (multiplier !== undefined) return Decimal.isDecimal(multiplier) ? multiplier : null;
  return fits || !Decimal.isDecimal(epsilon) || !Decimal.isDecimal(delta) ? null : gaussianNoise(epsilon, delta);
}

/** Refuses sensitivity 0 where sigma is a multiple of it. */
export const positiveSensitivity = z.check<SigmaKeys>(({ value, issues }) => {
  const key = MULTIPLES.find((multiple) => value[multiple] !== undefined);
  if (key === undefined || !Decimal.isDecimal(value.sensitivity) || !value.sensitivity.isZero()) return;
  const message = `sensitivity must be above 0 beside ${key}: sigma would be 0`;
  const hint = 'What no person can move needs no noise: omit it, or write its sigma.';
  issues.push(issueOf({ code: 'out-of-range', message, hint }, value, ['sensitivity']));
});

/** Whether a sensitivity of these digits and this magnitude times any noise multiplier that is computed can be written. */
const isUsual = (sensitivity: Decimal): boolean => sensitivity.precision() <= 900 && Math.abs(sensitivity.e) <= 100;

/** Refuses a sigma of noise that could not be written as a number: one that is a multiple of the sensitivity. */
export const writableSigma = z.check<SigmaKeys>(({ value, issues }) => {
  const { sensitivity } = value;
  if (!Decimal.isDecimal(sensitivity) || sensitivity.isZero()) return;
  const multiplier = multiplierOf(value, isUsual(sensitivity));
  if (multiplier === null) return;
  const sigma = multiplier.times(sensitivity).toString();
  const decimal = readDecimal(sigma);
  if (Decimal.isDecimal(decimal)) return;
  const message = `sigma, which is a multiple of the sensitivity, must be ${decimal.allowed ?? 'a decimal'}, got ${shorten(sigma)}`;
  issues.push(issueOf({ code: decimal.code, message, hint: 'Write sigma in its place, rounded down.' }, value));
});

/** Refuses a sigma of discrete noise that is a multiple of the sensitivity and out of range. */
export const writableDiscreteSigma = z.check<SigmaKeys>(({ value, issues }) => {
  const { 'noise-multiplier': multiplier, sensitivity } = value;
  if (!Decimal.isDecimal(multiplier) || !Decimal.isDecimal(sensitivity) || sensitivity.isZero()) return;
  const sigma = multiplier.times(sensitivity);
  if (DISCRETE_SIGMA.contains(sigma)) return;
  const message = `sigma, which is noise-multiplier times sensitivity, must be ${DISCRETE_SIGMA.allowed}, got ${sigma.toString()}`;
  const hint = 'Correct one of the two, or write sigma.';
  issues.push(issueOf({ code: 'out-of-range', message, hint }, value, ['noise-multiplier']));
});

/** The sigma of validated keys, and how it was written where not as a number. */
function sigmaOf(keys: SigmaKeys): Pick<Gaussian, 'sigma' | 'sensitivity' | 'written'> {
  const { sigma, 'noise-multiplier': multiplier, epsilon, delta, sensitivity } = keys;
  if (sigma !== undefined) return { sigma, sensitivity };
  const guarantee = epsilon === undefined || delta === undefined ? null : { epsilon, delta };
  const noiseMultiplier = multiplier ?? (guarantee && gaussianNoise(guarantee.epsilon, guarantee.delta));
  if (noiseMultiplier === null) throw new Error('A validated entry lacks a parameter of its form.');
  return { sigma: noiseMultiplier.times(sensitivity), sensitivity, written: { noiseMultiplier, guarantee } };
}

/** The noise of validated keys, which may say its variance. */
export function noiseOf(
  keys: SigmaKeys & { readonly variance?: Rational | undefined },
): Omit<Gaussian, 'type'> & Omit<DiscreteGaussian, 'type'> {
  const { variance, sensitivity } = keys;
  return variance === undefined ? sigmaOf(keys) : noiseOfVariance(variance, sensitivity);
}

/** Gaussian noise of a variance. */
export const noiseOfVariance = (variance: Rational, sensitivity: Decimal): Omit<Gaussian, 'type'> => ({
  sigma: sigmaOfVariance(variance),
  sensitivity,
  written: formOfVariance(variance),
});
