import {
  Decimal,
  encloseDecimal,
  toLower,
  toUpper,
  ONE,
  ZERO,
  quotientUp,
  productDown,
  productUp,
} from '../../numeric/decimal.ts';
import { enclosure, exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { multiply } from '../../numeric/enclosure-arithmetic.ts';
import { discreteLaplaceKl, laplaceKl } from '../laplace.ts';
import { discreteLaplaceMoment, laplaceMoment, zcdpMoment } from '../log-moment.ts';
import type { DiscreteLaplace, Laplace, DiscreteGaussian, Gaussian, Gdp } from '../mechanism.ts';
import { midpointOfDiscreteLaplace, midpointOfLaplace, midpointOfDiscreteGaussian } from '../randomized-response.ts';
import {
  DISCRETE_SIGMA,
  LARGEST_DISCRETE_SIGMA,
  MU,
  SCALE,
  SENSITIVITY,
  SIGMA,
  SMALLEST_DISCRETE_SIGMA,
  WHOLE_SENSITIVITY,
} from './parameters.ts';
import {
  discreteNoise,
  noise,
  varying,
  exactProduct,
  ofSensitivity,
  type EpsilonDelta,
  type MechanismRecord,
  type Quotient,
} from './record.ts';
import { formOfVariance, muSquaredOfNoise, writtenVariance } from '../gaussian.ts';

const Reciprocal = {
  down: Decimal.clone({ precision: 40, rounding: Decimal.ROUND_DOWN }),
  up: Decimal.clone({ precision: 40, rounding: Decimal.ROUND_UP }),
};

/** 1 / scale, enclosed. */
const rateOf = (scale: Decimal): Enclosure =>
  enclosure(
    toLower(new Decimal(new Reciprocal.down(1).div(scale))),
    toUpper(new Decimal(new Reciprocal.up(1).div(scale))),
  );

/** Noise of this sensitivity and scale is (sensitivity / scale)-DP; the quotient is rounded up at 60 digits. */
const epsilonDelta = ({ sensitivity, scale }: Laplace | DiscreteLaplace): EpsilonDelta => ({
  epsilon: quotientUp(sensitivity, scale),
  delta: ZERO,
});

const epsilonOf = (mechanism: Laplace | DiscreteLaplace): Enclosure => encloseDecimal(epsilonDelta(mechanism).epsilon);

/** Laplace noise. */
export const laplace = {
  ...noise,
  parameters: { scale: SCALE, sensitivity: SENSITIVITY },
  epsilonDelta,
  rho: (mechanism) => laplaceKl(epsilonOf(mechanism)),
  moment: (mechanism) => laplaceMoment(epsilonOf(mechanism)),
  strength: ({ sensitivity, scale }) => ({ numerator: sensitivity, denominator: scale }),
  parameter: (mechanism) =>
    mechanism.byEpsilon === true ? varying(mechanism, 'epsilon', 'sensitivity') : varying(mechanism, 'scale'),
  noise: { values: 'continuous', norm: 'l1' },
  midpoint: midpointOfLaplace,
} satisfies MechanismRecord<Laplace>;

/** Discrete Laplace noise. */
export const discreteLaplace = {
  ...discreteNoise,
  parameters: { scale: SCALE, sensitivity: WHOLE_SENSITIVITY },
  plain: {
    description: 'Discrete Laplace (geometric) noise on a whole-numbered statistic.',
    words: (mechanism, figures) =>
      `discrete Laplace noise of scale ${figures.number(mechanism.scale)}${ofSensitivity(mechanism, figures)}`,
  },
  epsilonDelta,
  rho: (mechanism) => discreteLaplaceKl(epsilonOf(mechanism), rateOf(mechanism.scale)),
  moment: (mechanism) => discreteLaplaceMoment(epsilonOf(mechanism), rateOf(mechanism.scale)),
  parameter: (mechanism) => varying(mechanism, 'scale'),
  noise: { values: 'discrete', norm: 'l1' },
  midpoint: midpointOfDiscreteLaplace,
} satisfies MechanismRecord<DiscreteLaplace>;

/** mu^2 / 2, the zCDP parameter of what has the Renyi divergences of the Gaussian pair of mu. */
export const rhoOfSquare = (muSquared: Enclosure): Enclosure => multiply(exactly(0.5), muSquared);

/** The moments of what has at most those of the Gaussian pair of mu: `enclosed` and `above` are its mu^2. */
const gaussianMoments = <M>(enclosed: (mechanism: M) => Enclosure, above: (mechanism: M) => Decimal) => ({
  muSquared: { enclosed, above },
  rho: (mechanism: M) => rhoOfSquare(enclosed(mechanism)),
  moment: (mechanism: M) => zcdpMoment(rhoOfSquare(enclosed(mechanism))),
});

/** (sensitivity / sigma)^2, exactly. */
function squaredStrength(mechanism: Gaussian): Quotient {
  const { sensitivity, sigma } = mechanism;
  const squared = sensitivity.times(sensitivity);
  const variance = writtenVariance(mechanism);
  if (variance === null) return { numerator: squared, denominator: sigma.times(sigma) };
  const { numerator, denominator } = formOfVariance(variance).variance;
  return { numerator: exactProduct(squared, denominator), denominator: numerator };
}

/** (sensitivity / sigma)^2, the quotient rounded up at 60 digits. */
const ratioAbove = ({ sensitivity, sigma }: Gaussian | DiscreteGaussian): Decimal =>
  quotientUp(productUp(sensitivity, sensitivity), productDown(sigma, sigma));

/** Gaussian noise. */
export const gaussian = {
  ...noise,
  parameters: { sigma: SIGMA, sensitivity: SENSITIVITY },
  ...gaussianMoments(muSquaredOfNoise, ratioAbove),
  strength: squaredStrength,
  // By its variance noise of a matrix mechanism is given over its sensitivity: not a sigma that could be set.
  parameter: (mechanism) => (writtenVariance(mechanism) === null ? varying(mechanism, 'sigma') : null),
  noise: { values: 'continuous', norm: 'l2' },
} satisfies MechanismRecord<Gaussian>;

/** Discrete Gaussian noise, of the same concentration as the continuous one (Canonne, Kamath, Steinke 2020, Theorem 4). */
export const discreteGaussian = {
  ...discreteNoise,
  parameters: { sigma: DISCRETE_SIGMA, sensitivity: WHOLE_SENSITIVITY },
  ...gaussianMoments(muSquaredOfNoise, ratioAbove),
  parameter: (mechanism) => ({
    ...varying(mechanism, 'sigma'),
    isSteady: false,
    smallest: new Decimal(SMALLEST_DISCRETE_SIGMA),
    largest: new Decimal(LARGEST_DISCRETE_SIGMA),
  }),
  noise: { values: 'discrete', norm: 'l2' },
  midpoint: midpointOfDiscreteGaussian,
} satisfies MechanismRecord<DiscreteGaussian>;

/** mu-GDP. At distance k: k mu (Dong, Roth, Su 2022, Thm 2.14). */
export const gdp = {
  parameters: { mu: MU },
  plain: {
    description: 'mu-Gaussian differential privacy.',
    words: ({ mu }, { number }) => `${number(mu)}-GDP`,
  },
  isZeroLoss: ({ mu }) => mu.isZero(),
  hasOwnPair: true,
  ...gaussianMoments(
    ({ mu }: Gdp) => multiply(encloseDecimal(mu), encloseDecimal(mu)),
    ({ mu }) => productUp(mu, mu),
  ),
  along: (mechanism, { times }) => ({ ...mechanism, mu: times(mechanism.mu) }),
  strength: ({ mu }) => ({ numerator: mu, denominator: ONE }),
  parameter: (mechanism) => varying(mechanism, 'mu'),
} satisfies MechanismRecord<Gdp>;
