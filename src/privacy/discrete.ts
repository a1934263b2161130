import { discretiseUpward, observeCells } from '../numeric/lattice/discretise.ts';
import { exactly } from '../numeric/enclosure.ts';
import type { LossAtoms } from '../numeric/loss-atoms.ts';
import { atomicPair, type SinglePair } from './single-pair.ts';
import { type Decimal, ONE } from '../numeric/decimal.ts';
import type { LogAtom } from './transform/atoms.ts';

const KEPT = 13;

/** sum over whole z of e^(-(z - centre)^2 / 2 sigma^2), to a few roundings per term; positive terms. */
function thetaSum(sigma: number, centre: number): number {
  const reach = Math.ceil(KEPT * sigma) + 1;
  const middle = Math.round(centre);
  let sum = 0;
  for (let d = reach; d >= 0; d--) {
    sum += Math.exp(-((middle + d - centre) ** 2) / (2 * sigma * sigma));
    if (d > 0) sum += Math.exp(-((middle - d - centre) ** 2) / (2 * sigma * sigma));
  }
  return sum;
}

/**
 * Discrete Gaussian noise, P(z) proportional to e^(-z^2 / 2 sigma^2) over the whole numbers, on a statistic whose
 * neighbours differ by the whole number s: the loss of z is (s^2 - 2 s z) / (2 sigma^2). Tilting by e^(t L) moves the
 * centre to -t s, so the values within 13 sigma of it carry all but 1e-36 of the weight.
 *
 * Source: Canonne, Kamath, Steinke, "The discrete Gaussian for differential privacy" (2020).
 */
export function discreteGaussianPair(sigma: number, sensitivity: number): SinglePair {
  const s = sensitivity;
  const rate = s / (sigma * sigma);
  const tilted = (tilt: number): LossAtoms => {
    const centre = -tilt * s;
    const reach = Math.ceil(KEPT * sigma) + 1;
    const from = Math.round(centre) - reach;
    const size = 2 * reach + 1;
    const normaliser = thetaSum(sigma, 0);
    const shifted = thetaSum(sigma, centre);
    // E[e^(tL)] = e^(t (1+t) s^2 / 2 sigma^2) theta(centre) / theta(0)
    const logScale = (tilt * (1 + tilt) * s * rate) / 2 + Math.log(shifted / normaliser);
    return {
      losses: Float64Array.from({ length: size }, (_, i) => rate * (s / 2 - (from + i))),
      weights: Float64Array.from(
        { length: size },
        (_, i) => Math.exp(-((from + i - centre) ** 2) / (2 * sigma * sigma)) / shifted,
      ),
      tilt,
      logScale: exactly(logScale),
      lossError: 4 * Number.EPSILON * rate * (s + Math.abs(centre) + reach),
      relativeError: (8 * size + 400 + 16 * Math.abs(logScale) + 64 * Math.abs(centre / sigma)) * Number.EPSILON,
      leak: 1e-34,
    };
  };
  return {
    approximateLogMoment: (tilt) => (tilt * (1 + tilt) * s * rate) / 2,
    largestTilt: 1e9 / (rate * sigma),
    largestAtom: null,
    deviation: rate * sigma,
    discretise(tilt, step) {
      const atoms = tilted(tilt);
      return { above: discretiseUpward(atoms, step), ...observeCells(atoms, step) };
    },
  };
}

/**
 * Discrete Laplace noise, P(z) proportional to r^|z| with r = e^(-1/scale), on a statistic whose neighbours differ by the
 * whole number s: the losses (s - 2j) / scale for j = 0..s. All z <= 0 give j = 0 and all z >= s give j = s, so their
 * masses are 1/(1+r), r^s/(1+r), and (1-r) r^j / (1+r) between.
 */
export function discreteLaplacePair(scale: Decimal, sensitivity: number): SinglePair {
  const { atoms, lossError, relativeError } = discreteLaplaceAtoms(scale, sensitivity);
  return atomicPair(atoms, sensitivity * ONE.div(scale).toNumber() * lossError, relativeError);
}

/** The losses of {@link discreteLaplacePair} with their probabilities; every loss is within `lossError` of itself, relatively. */
export function discreteLaplaceAtoms(
  scale: Decimal,
  sensitivity: number,
): { readonly atoms: readonly LogAtom[]; readonly lossError: number; readonly relativeError: number } {
  const rate = ONE.div(scale).toNumber();
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
