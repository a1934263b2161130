import * as z from 'zod/mini';
import { ONE } from '../../numeric/decimal.ts';
import { Rational, roundedDecimal } from '../../numeric/rational.ts';
import type { DiscreteGaussian, Gaussian, Laplace } from '../../privacy/mechanism.ts';
import { sigmaForm, writtenVariance } from '../../privacy/gaussian.ts';
import { DISCRETE_SIGMA, DISCRETE_VARIANCE, VARIANCE } from '../../privacy/mechanisms/parameters.ts';
import { ofSensitivity, type Figures } from '../../privacy/mechanisms/record.ts';
import * as field from '../core/fields.ts';
import { inOneForm } from '../core/forms.ts';
import { noiseOf, positiveSensitivity, writableDiscreteSigma, writableSigma } from './sigma-forms.ts';
import { common, required, writtenType, type Keys } from './written-type.ts';

export const laplace = writtenType({
  schema: inOneForm(
    z.strictObject({
      type: z.literal('laplace'),
      scale: z.optional(field.scale),
      sensitivity: z.optional(field.sensitivity),
      epsilon: z.optional(field.epsilon),
      ...common,
    }),
    [{ needs: ['scale'], allows: ['sensitivity'] }, { needs: ['epsilon'] }],
    {
      what: 'a laplace mechanism',
      conflict: 'conflicting-keys',
      description: 'Laplace noise, by its scale and sensitivity (default 1) or by epsilon = sensitivity / scale.',
    },
  ),
  mechanismOf: ({ scale, sensitivity, epsilon }) =>
    scale === undefined
      ? { type: 'laplace', scale: ONE, sensitivity: required(epsilon), byEpsilon: true }
      : { type: 'laplace', scale, sensitivity: sensitivity ?? ONE },
  words: (mechanism: Laplace, figures) =>
    mechanism.byEpsilon === true
      ? `Laplace noise of epsilon ${figures.number(mechanism.sensitivity)}`
      : `Laplace noise of scale ${figures.number(mechanism.scale)}${ofSensitivity(mechanism, figures)}`,
  normal: ({ byEpsilon, sensitivity }: Laplace) => (byEpsilon === true ? { epsilon: sensitivity } : null),
});

/** `10000/11`, `90.5`; beyond forty characters to ten digits, rounded up. */
function quotientText(value: Rational, { number }: Figures): string {
  const text = value.toString();
  const decimal = roundedDecimal(value, 20, 'up');
  return Rational.ofDecimal(decimal).equals(value) || text.length > 40 ? number(decimal) : text;
}

/** ` of variance 10000/11 and sensitivity 2`, ` of sigma 8.4 and sensitivity 2 (noise multiplier 4.2)`, ` of sigma 4.22467888933 (alone (1, 1e-6)-DP)`. */
function ofSigma(mechanism: Gaussian | DiscreteGaussian, figures: Figures): string {
  const { number } = figures;
  const variance = writtenVariance(mechanism);
  if (variance !== null) return ` of variance ${quotientText(variance, figures)}${ofSensitivity(mechanism, figures)}`;
  const sigma = ` of sigma ${number(mechanism.sigma)}${ofSensitivity(mechanism, figures)}`;
  const form = sigmaForm(mechanism);
  if (form === null) return sigma;
  const { noiseMultiplier, guarantee } = form;
  return guarantee === null
    ? `${sigma} (noise multiplier ${number(noiseMultiplier)})`
    : `${sigma} (alone (${number(guarantee.epsilon)}, ${number(guarantee.delta)})-DP)`;
}

/** The keys of a sigma that was written by its square, as a multiple of the sensitivity, or by a guarantee; else null. */
function writtenKeys(mechanism: Gaussian | DiscreteGaussian): Keys | null {
  const variance = writtenVariance(mechanism);
  if (variance !== null) return { variance, sensitivity: mechanism.sensitivity };
  const [form, { sensitivity }] = [sigmaForm(mechanism), mechanism];
  if (form === null) return null;
  const { noiseMultiplier, guarantee } = form;
  return guarantee === null ? { 'noise-multiplier': noiseMultiplier, sensitivity } : { ...guarantee, sensitivity };
}

/** The forms of noise that is discrete or not. */
const FORMS = ['sigma', 'variance', 'noise-multiplier'].map((key) => ({ needs: [key], allows: ['sensitivity'] }));

export const gaussian = writtenType({
  schema: inOneForm(
    z
      .strictObject({
        type: z.literal('gaussian'),
        sigma: z.optional(field.sigma),
        variance: z.optional(field.rationalField(VARIANCE)),
        'noise-multiplier': z.optional(field.noiseMultiplier),
        epsilon: z.optional(field.noiseEpsilon),
        delta: z.optional(field.noiseDelta),
        sensitivity: z._default(field.sensitivity, ONE),
        ...common,
      })
      .check(positiveSensitivity, writableSigma),
    [...FORMS, { needs: ['epsilon', 'delta'], allows: ['sensitivity'] }],
    {
      what: 'a gaussian mechanism',
      conflict: 'conflicting-keys',
      description:
        'Gaussian noise on a statistic of the given Euclidean sensitivity: by its sigma, by its variance sigma^2, by noise-multiplier = sigma / sensitivity, or by the epsilon and delta of one release. From epsilon and delta, sigma is the smallest of 12 digits that suffices (Balle, Wang 2018, Thm 8).',
    },
  ),
  mechanismOf: (parsed) => ({ type: 'gaussian', ...noiseOf(parsed) }),
  words: (mechanism: Gaussian, figures) => `Gaussian noise${ofSigma(mechanism, figures)}`,
  written: writtenKeys,
});

export const discreteGaussian = writtenType({
  schema: inOneForm(
    z
      .strictObject({
        type: z.literal('discrete-gaussian'),
        sigma: z.optional(field.numberField(DISCRETE_SIGMA)),
        variance: z.optional(field.rationalField(DISCRETE_VARIANCE)),
        'noise-multiplier': z.optional(field.noiseMultiplier),
        sensitivity: z._default(field.wholeSensitivity, ONE),
        ...common,
      })
      .check(positiveSensitivity, writableDiscreteSigma),
    FORMS,
    {
      what: 'a discrete-gaussian mechanism',
      conflict: 'conflicting-keys',
      description:
        'Discrete Gaussian noise on a whole-numbered statistic, by its sigma, by its variance (of the continuous Gaussian: sigma^2), or by noise-multiplier = sigma / sensitivity.',
    },
  ),
  mechanismOf: (parsed) => ({ type: 'discrete-gaussian', ...noiseOf(parsed) }),
  words: (mechanism: DiscreteGaussian, figures) => `discrete Gaussian noise${ofSigma(mechanism, figures)}`,
  written: writtenKeys,
});
