import { Decimal, encloseDecimal, toLower, toUpper } from '../../numeric/decimal.ts';
import { enclosure, type Enclosure } from '../../numeric/enclosure.ts';
import { quotientUp } from '../../numeric/quotient.ts';
import { discreteLaplaceKl, laplaceKl } from '../laplace.ts';
import { discreteLaplaceMoment, laplaceMoment } from '../log-moment.ts';
import type { DiscreteLaplace, Laplace } from '../mechanism.ts';
import { midpointOfDiscreteLaplace, midpointOfLaplace } from '../randomized-response.ts';
import { discreteNoise, noise, varying } from './common.ts';
import type { EpsilonDelta, MechanismRecord } from './record.ts';

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

const ZERO = new Decimal(0);

/** Noise of this sensitivity and scale is (sensitivity / scale)-DP; the quotient is rounded up at 60 digits. */
const epsilonDelta = ({ sensitivity, scale }: Laplace | DiscreteLaplace): EpsilonDelta => ({
  epsilon: quotientUp(sensitivity, scale),
  delta: ZERO,
});

const epsilonOf = (mechanism: Laplace | DiscreteLaplace): Enclosure => encloseDecimal(epsilonDelta(mechanism).epsilon);

/** Laplace noise. */
export const laplace = {
  ...noise,
  parameters: { scale: 'above-0', sensitivity: 'at-least-0' },
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
  parameters: { scale: 'above-0', sensitivity: 'whole-sensitivity' },
  epsilonDelta,
  rho: (mechanism) => discreteLaplaceKl(epsilonOf(mechanism), rateOf(mechanism.scale)),
  moment: (mechanism) => discreteLaplaceMoment(epsilonOf(mechanism), rateOf(mechanism.scale)),
  parameter: (mechanism) => varying(mechanism, 'scale'),
  noise: { values: 'discrete', norm: 'l1' },
  midpoint: midpointOfDiscreteLaplace,
} satisfies MechanismRecord<DiscreteLaplace>;
