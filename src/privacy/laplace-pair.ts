import { toUpper, type Decimal } from '../numeric/decimal.ts';
import { alongItself, discretiseSmooth } from '../numeric/lattice/discretise-density.ts';
import { exactly } from '../numeric/enclosure.ts';
import { UNIT_ROUNDOFF } from '../numeric/rounding.ts';
import { LARGEST_EXPONENT, type SinglePair } from './single-pair.ts';

/** ln((e^x - 1) / x), also near 0. */
const logRelativeExpm1 = (x: number): number =>
  Math.abs(x) < 1e-4 ? x / 2 + (x * x) / 24 : x > 0 ? x + Math.log(-Math.expm1(-x) / x) : Math.log(Math.expm1(x) / x);

/** Per mechanism: quadrature below 1e-14, a few elementary functions, and the rounding of tilt times loss. */
const RELATIVE_ERROR = 2 ** -44;

/**
 * Laplace noise of scale b on a statistic of sensitivity s, e = s / b: the loss is e with probability 1/2, -e with
 * probability e^-e / 2, and between them has density e^((L - e)/2) / 4.
 *
 * Derivation: for noise x from the true centre 0 and the neighbour's centre s, L = (|x - s| - |x|) / b, which is e for
 * x <= 0, -e for x >= s and (s - 2x) / b between, x having density e^(-x/b) / 2b there.
 */
export function laplacePair(epsilon: Decimal): SinglePair {
  const e: number = toUpper(epsilon);
  const approximateLogMoment = (tilt: number): number => {
    // 1/2 e^(te) + 1/2 e^(-e(1+t)) + (e/2) e^(-e(1+t)) (e^((2t+1)e) - 1) / ((2t+1)e), divided by e^(te)
    const span = (2 * tilt + 1) * e;
    const inner = (e / 2) * Math.exp(-span + logRelativeExpm1(span));
    return tilt * e + Math.log(0.5 + 0.5 * Math.exp(-span) + inner);
  };
  return {
    approximateLogMoment,
    largestTilt: LARGEST_EXPONENT / e,
    largestAtom: e,
    deviation: e * Math.sqrt(Math.min(1, 2 / 3 + e)),
    discretise(tilt, step) {
      const scale = approximateLogMoment(tilt);
      return discretiseSmooth(
        {
          parts: [
            alongItself({
              density: (loss) => 0.25 * Math.exp(tilt * loss - scale + (loss - e) / 2),
              from: -e,
              to: e,
              steepness: () => tilt + 2,
            }),
          ],
          atoms: [
            { loss: e, weight: 0.5 * Math.exp(tilt * e - scale) },
            { loss: -e, weight: 0.5 * Math.exp(-tilt * e - scale - e) },
          ],
          tilt,
          logScale: exactly(scale),
          relativeError: RELATIVE_ERROR + 8 * (tilt * e + Math.abs(scale) + e) * Number.EPSILON,
          lossError: 4 * UNIT_ROUNDOFF * e,
          leak: 0,
        },
        step,
      );
    },
  };
}
