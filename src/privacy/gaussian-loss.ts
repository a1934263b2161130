import { alongItself, discretiseSmooth, type DiscretisedLoss } from '../numeric/lattice/discretise-density.ts';
import { add, multiply } from '../numeric/enclosure-arithmetic.ts';
import { exactly, type Enclosure } from '../numeric/enclosure.ts';
import { UNIT_ROUNDOFF } from '../numeric/rounding.ts';
import type { SinglePair } from './single-pair.ts';

/** Standard deviations of the tilted loss that are kept on each side; beyond lies less than 1e-35. */
const KEPT = 12.5;
const LEAK = 1e-35;

/** Quadrature below 1e-12, the exponent's rounding, a few elementary functions. */
const RELATIVE_ERROR = 2 ** -39;

/** ln E[e^(tilt L)] = tilt (1 + tilt) mu^2 / 2. */
const logMoment = (mu: Enclosure, tilt: number): Enclosure =>
  multiply(multiply(exactly(tilt), add(exactly(1), exactly(tilt))), multiply(exactly(0.5), multiply(mu, mu)));

function discretise(mu: number, tilt: number, step: number): DiscretisedLoss {
  const variance = mu * mu;
  // Tilting moves the normal loss N(mu^2/2, mu^2) to the mean mu^2 (1/2 + tilt).
  const mean = variance * (0.5 + tilt);
  const scale = 1 / (mu * Math.sqrt(2 * Math.PI));
  return discretiseSmooth(
    {
      parts: [
        alongItself({
          density: (loss) => scale * Math.exp(-((loss - mean) ** 2) / (2 * variance)),
          from: mean - KEPT * mu,
          to: mean + KEPT * mu,
          steepness: () => (KEPT + 3) / mu + 2,
        }),
      ],
      atoms: [],
      tilt,
      logScale: logMoment(exactly(mu), tilt),
      relativeError: RELATIVE_ERROR + 64 * (1 + tilt) * mu * Number.EPSILON,
      lossError: 4 * UNIT_ROUNDOFF * (Math.abs(mean) + KEPT * mu),
      leak: LEAK,
    },
    step,
  );
}

/**
 * Gaussian noise, mu = sensitivity / sigma: the loss is normal with mean mu^2/2 and variance mu^2. A larger mu dominates,
 * so the upper measure is made at the upper end of `mu` and the lower ones at its lower end.
 */
export function gaussianPair(mu: Enclosure): SinglePair {
  const [low, high]: [number, number] = [mu.lower, mu.upper];
  return {
    approximateLogMoment: (tilt) => (tilt * (1 + tilt) * high * high) / 2,
    largestTilt: 1e9 / high,
    largestAtom: null,
    deviation: high,
    discretise(tilt, step) {
      const { above } = discretise(high, tilt, step);
      const { own, other } = discretise(low, tilt, step);
      return { above, own, other };
    },
  };
}
