import { ONE, type Decimal, quotientUp } from '../../numeric/decimal.ts';
import { exactly as exactDouble, midpoint, type Enclosure } from '../../numeric/enclosure.ts';
import { squareRoot } from '../../numeric/enclosure-arithmetic.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { encloseRational, LOG_RATIONAL_ERROR, Rational } from '../../numeric/rational.ts';
import { discreteLaplaceAtoms } from '../discrete.ts';
import { gaussianLogDelta, muSquaredOfNoise, varianceOf } from '../gaussian.ts';
import { isSymmetric, lossesOf } from '../finite-pair.ts';
import { squaredRatio } from '../log-moment.ts';
import type { DiscreteGaussian, FinitePairMechanism, SampledBase } from '../mechanism.ts';
import type { LogAtom } from '../atoms-transform.ts';
import { logOfRest, ratesOf } from './rate.ts';

/** A density under Q along a parameter u, in which the loss l = slope u + shift. */
export interface BaseDensity {
  readonly slope: number;
  readonly shift: number;
  /** The density is smooth on [from, to], which may be infinite. */
  readonly from: number;
  readonly to: number;
  readonly logDensity: (u: number) => number;
  /** normal: of a standard normal u; exponential: e^(-u / 2) up to a factor. */
  readonly law: 'normal' | 'exponential';
}

/** A probability between two. */
export interface Probabilities {
  readonly lower: Rational;
  readonly upper: Rational;
}

/**
 * The law under Q of the loss l = ln dP/dQ of a mechanism's dominating pair (P, Q), P of the data with the record.
 */
export interface BaseLaw {
  /** Losses with ln of their probabilities, in no order. */
  readonly atoms: readonly LogAtom[];
  readonly density: BaseDensity | null;
  /** Probabilities under P of what Q never gives, and under Q of what P never gives. */
  readonly onlyP: Probabilities;
  readonly onlyQ: Probabilities;
  /** The total variation between P and Q. */
  readonly variation: number;
  /** Bounds the relative error of every loss, and of every probability (also of the variation). */
  readonly lossError: number;
  readonly massError: number;
  /** Whether the pair is its own swap. */
  readonly isSymmetric: boolean;
}

const NEVER = Rational.ZERO;
const exactly = (value: Rational): Probabilities => ({ lower: value, upper: value });
const NOTHING = exactly(NEVER);

/** Gaussian noise, mu = sensitivity / sigma: u is standard normal under Q. */
function gaussianLaw(muSquared: Enclosure): BaseLaw {
  const mu = midpoint(squareRoot(muSquared));
  return {
    atoms: [],
    density: {
      slope: mu,
      shift: -(mu * mu) / 2,
      from: -Infinity,
      to: Infinity,
      logDensity: (u) => (-u * u - Math.log(2 * Math.PI)) / 2,
      law: 'normal',
    },
    onlyP: NOTHING,
    onlyQ: NOTHING,
    variation: Math.exp(midpoint(gaussianLogDelta(exactDouble(mu), exactDouble(0)))),
    lossError: 8 * U,
    massError: 2 ** -40,
    isSymmetric: true,
  };
}

/** Laplace noise: e with probability e^-e / 2 under Q, -e with 1/2, between them the density e^(-(l+e)/2) / 4. */
const laplaceLaw = (e: number): BaseLaw => ({
  atoms: [
    { loss: e, logMass: -e - Math.LN2 },
    { loss: -e, logMass: -Math.LN2 },
  ],
  density: {
    slope: 1,
    shift: 0,
    from: -e,
    to: e,
    logDensity: (u) => -(u + e) / 2 - 2 * Math.LN2,
    law: 'exponential',
  },
  onlyP: NOTHING,
  onlyQ: NOTHING,
  variation: -Math.expm1(-e / 2),
  lossError: 4 * U,
  massError: (16 + 4 * e) * U,
  isSymmetric: true,
});

/** Atoms given by their probabilities under P. */
function atomicLaw(underP: readonly LogAtom[], parts: Omit<BaseLaw, 'atoms' | 'density' | 'variation'>): BaseLaw {
  const farthest = underP.reduce((max, { loss }) => Math.max(max, Math.abs(loss)), 0);
  return {
    ...parts,
    atoms: underP.map(({ loss, logMass }) => ({ loss, logMass: logMass - loss })),
    density: null,
    variation: underP.reduce(
      (sum, { loss, logMass }) => (loss > 0 ? sum - Math.exp(logMass) * Math.expm1(-loss) : sum),
      midpoint(encloseRational(parts.onlyP.upper)),
    ),
    massError: parts.massError + farthest * (parts.lossError + 4 * U),
  };
}

/** (e, d)-DP: with probability d each side gives what the other never does, else randomized response. */
function responseLaw(epsilon: Decimal, delta: Decimal): BaseLaw {
  const e = epsilon.toNumber();
  const d = Rational.ofDecimal(delta);
  const survive = delta.isZero() ? 0 : logOfRest(ratesOf(d));
  const base = survive - Math.log1p(Math.exp(-e));
  return atomicLaw(
    [
      { loss: e, logMass: base },
      { loss: -e, logMass: base - e },
    ],
    { onlyP: exactly(d), onlyQ: exactly(d), isSymmetric: true, lossError: 2 * U, massError: (16 + 4 * e) * U },
  );
}

/** A finite pair: where neighbours may stand in either order, the pair that dominates both. */
function finitePairLaw(pair: FinitePairMechanism): BaseLaw {
  const { atoms, onlyP, onlyQ } = lossesOf(pair, pair.direction);
  const deepest = atoms.reduce((max, { logMass }) => Math.max(max, Math.abs(logMass)), 0);
  return atomicLaw(atoms, {
    onlyP: exactly(onlyP),
    onlyQ: exactly(onlyQ),
    isSymmetric: pair.direction === 'either' || isSymmetric(pair),
    lossError: LOG_RATIONAL_ERROR,
    massError: 8 * U + deepest * LOG_RATIONAL_ERROR,
  });
}

/** Values beyond so many deviations are as if they revealed everything: e^-(38^2 / 2) is below 1e-313. */
const REACH = 38;
const BEYOND = Rational.of(1n, 10n ** 300n);
/** Longer lists take too long. */
const MOST_VALUES = 2 ** 16;

/** How far discrete Gaussian noise is listed, and how many values that are. */
function extentOf(noise: DiscreteGaussian) {
  const variance = midpoint(encloseRational(varianceOf(noise)));
  const s = noise.sensitivity.toNumber();
  const reach = Math.ceil(REACH * Math.sqrt(variance)) + 1;
  return { variance, s, reach, size: 2 * reach + s + 1 };
}

/** Whether the law of a mechanism's loss is not too long to be listed. */
export const isListed = (mechanism: SampledBase): boolean =>
  mechanism.type !== 'discrete-gaussian' || extentOf(mechanism).size <= MOST_VALUES;

/** Discrete Gaussian noise, value by value; null where they are too many. */
function discreteGaussianLaw(noise: DiscreteGaussian): BaseLaw | null {
  const { variance, s, reach, size } = extentOf(noise);
  if (size > MOST_VALUES) return null;
  const values = Array.from({ length: size }, (_, i) => i - reach - s);
  const whole = values.reduce((sum, z) => sum + Math.exp((-z * z) / (2 * variance)), 0);
  // Under P centred at 0 and Q at -s, z has the loss (s^2 + 2 s z) / 2v.
  const atoms = values.map((z) => ({
    loss: (s * (s + 2 * z)) / (2 * variance),
    logMass: (-z * z) / (2 * variance) - Math.log(whole),
  }));
  const deepest = ((reach + s) ** 2 / (2 * variance)) * 4 * U;
  return atomicLaw(atoms, {
    onlyP: { lower: NEVER, upper: BEYOND },
    onlyQ: { lower: NEVER, upper: BEYOND },
    isSymmetric: true,
    lossError: 6 * U,
    massError: deepest + (16 + size) * U,
  });
}

/** The law of a mechanism's loss; null where it is not listed. */
export function baseLaw(mechanism: SampledBase): BaseLaw | null {
  switch (mechanism.type) {
    case 'gaussian':
      return gaussianLaw(muSquaredOfNoise(mechanism));
    case 'gdp':
      return gaussianLaw(squaredRatio(mechanism.mu, ONE));
    case 'laplace':
      return laplaceLaw(quotientUp(mechanism.sensitivity, mechanism.scale).toNumber());
    case 'discrete-laplace': {
      const { atoms, relativeError, lossError } = discreteLaplaceAtoms(
        mechanism.scale,
        mechanism.sensitivity.toNumber(),
      );
      return atomicLaw(atoms, {
        onlyP: NOTHING,
        onlyQ: NOTHING,
        isSymmetric: true,
        lossError,
        massError: relativeError,
      });
    }
    case 'dp':
      return responseLaw(mechanism.epsilon, mechanism.delta);
    case 'finite-pair':
      return finitePairLaw(mechanism);
    case 'discrete-gaussian':
      return discreteGaussianLaw(mechanism);
  }
}
