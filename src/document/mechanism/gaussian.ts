import * as z from 'zod/mini';
import { Decimal } from '../../numeric/decimal.ts';
import { Rational, roundedDecimal } from '../../numeric/rational.ts';
import type { DiscreteGaussian, DiscreteLaplace, Gaussian, Laplace } from '../../privacy/mechanism.ts';
import { sigmaForm, writtenVariance } from '../../privacy/gaussian.ts';
import {
  discreteSigma,
  epsilon,
  noiseDelta,
  noiseEpsilon,
  noiseMultiplier,
  published,
  scale,
  sensitivity,
  sigma,
  wholeSensitivity,
} from '../core/fields.ts';
import { inOneForm } from '../core/forms.ts';
import { rationalField, type RationalField } from '../core/rational-field.ts';
import { noiseOf, positiveSensitivity, writableDiscreteSigma, writableSigma } from './sigma-forms.ts';
import { common, ofSensitivity, required, writtenType, type Figures, type Keys } from './written-type.ts';

const ONE = new Decimal(1);

export const laplace = writtenType({
  schema: inOneForm(
    z.strictObject({
      type: z.literal('laplace'),
      scale: z.optional(scale),
      sensitivity: z.optional(sensitivity),
      epsilon: z.optional(epsilon),
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

export const discreteLaplace = writtenType({
  schema: z
    .strictObject({
      type: z.literal('discrete-laplace'),
      scale,
      sensitivity: z._default(wholeSensitivity, ONE),
      ...common,
    })
    .register(published, { description: 'Discrete Laplace (geometric) noise on a whole-numbered statistic.' }),
  mechanismOf: ({ scale, sensitivity }) => ({ type: 'discrete-laplace', scale, sensitivity }),
  words: (mechanism: DiscreteLaplace, figures) =>
    `discrete Laplace noise of scale ${figures.number(mechanism.scale)}${ofSensitivity(mechanism, figures)}`,
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

const LEAST = Rational.ofDecimal(new Decimal('1e-300'));
const MOST = Rational.ofDecimal(new Decimal('1e300'));

/** sigma^2 of Gaussian noise. */
export const VARIANCE: RationalField = {
  name: 'variance',
  allowed: 'a number or a quotient from 1e-300 to 1e300',
  example: '"121/900"',
  inRange: (value) => value.compare(LEAST) >= 0 && value.compare(MOST) <= 0,
  description: 'The variance sigma^2 of Gaussian noise, from 1e-300 to 1e300',
  range: { minimum: 1e-300, maximum: 1e300 },
};
const variance = rationalField(VARIANCE);

export const gaussian = writtenType({
  schema: inOneForm(
    z
      .strictObject({
        type: z.literal('gaussian'),
        sigma: z.optional(sigma),
        variance: z.optional(variance),
        'noise-multiplier': z.optional(noiseMultiplier),
        epsilon: z.optional(noiseEpsilon),
        delta: z.optional(noiseDelta),
        sensitivity: z._default(sensitivity, ONE),
        ...common,
      })
      .check(positiveSensitivity, writableSigma),
    [
      { needs: ['sigma'], allows: ['sensitivity'] },
      { needs: ['variance'], allows: ['sensitivity'] },
      { needs: ['noise-multiplier'], allows: ['sensitivity'] },
      { needs: ['epsilon', 'delta'], allows: ['sensitivity'] },
    ],
    {
      what: 'a gaussian mechanism',
      conflict: 'conflicting-keys',
      description:
        'Gaussian noise on a statistic of the given Euclidean sensitivity: by its sigma, by its variance sigma^2, by noise-multiplier = sigma / sensitivity, or by the epsilon and delta of one release, for which sigma is the smallest of 12 digits that suffices (Balle, Wang 2018, Thm 8).',
    },
  ),
  mechanismOf: (parsed) => ({ type: 'gaussian', ...noiseOf(parsed) }),
  words: (mechanism: Gaussian, figures) => `Gaussian noise${ofSigma(mechanism, figures)}`,
  written: writtenKeys,
});

const SMALLEST_VARIANCE = Rational.of(1, 10_000);
const LARGEST_VARIANCE = Rational.of(40_000_000_000n);

/** sigma^2 of discrete Gaussian noise, of the same range as sigma. */
const discreteVariance = rationalField({
  name: 'variance',
  allowed: 'a number or a quotient from 0.0001 to 4e10',
  example: '"10000/11"',
  inRange: (value) => value.compare(SMALLEST_VARIANCE) >= 0 && value.compare(LARGEST_VARIANCE) <= 0,
  description: 'The parameter sigma^2 of discrete Gaussian noise, from 0.0001 to 4e10',
  range: { minimum: 1e-4, maximum: 4e10 },
});

export const discreteGaussian = writtenType({
  schema: inOneForm(
    z
      .strictObject({
        type: z.literal('discrete-gaussian'),
        sigma: z.optional(discreteSigma),
        variance: z.optional(discreteVariance),
        'noise-multiplier': z.optional(noiseMultiplier),
        sensitivity: z._default(wholeSensitivity, ONE),
        ...common,
      })
      .check(positiveSensitivity, writableDiscreteSigma),
    [
      { needs: ['sigma'], allows: ['sensitivity'] },
      { needs: ['variance'], allows: ['sensitivity'] },
      { needs: ['noise-multiplier'], allows: ['sensitivity'] },
    ],
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
