import { writeLogRatio } from '../../numeric/contour/log-ratio.ts';
import type { LossTransform } from '../../numeric/contour/transform.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';

/** Where e^x would be large against 1. */
const LARGE = 30;

/** ln M(c), M(c) = (e^(e(1+c)) + e^(-ec)) / (1 + e^e). */
function logMoment(e: number, c: number): { value: number; error: number } {
  if (e <= 1 && e * c <= LARGE) {
    // M - 1 = (e^(ec) - 1) (1 - e^(-e(1+c))) / (1 + e^-e): no difference of like numbers.
    const excess = (-Math.expm1(e * c) * Math.expm1(-e * (1 + c))) / (1 + Math.exp(-e));
    const value = Math.log1p(excess);
    return { value, error: 120 * U * (Math.abs(excess) / (1 + excess) + Math.abs(value)) + 1e-300 };
  }
  const largest = Math.max(e * (1 + c), -e * c);
  const value = largest - e + Math.log1p(Math.exp(-Math.abs(e * (1 + 2 * c)))) - Math.log1p(Math.exp(-e));
  return { value, error: 16 * U * (largest + e + 2) };
}

/**
 * Randomized response: loss e with probability e^e / (1 + e^e), else -e. With s = z + 1/2, M(z) = cosh(es) / cosh(e/2).
 *
 * On a line, with w = tanh(es): M ratio = cos(et) + i w sin(et), of squared modulus 1 - sin^2(et) / cosh^2(es).
 *
 * @param e - positive, with a relative error of one rounding
 */
export function responseTransform(e: number): LossTransform {
  return {
    logMoment: (c) => logMoment(e, c),
    on(c) {
      const place = c + 0.5;
      const q = Math.exp(-2 * e * Math.abs(place));
      const slope = (Math.sign(place) * -Math.expm1(-2 * e * Math.abs(place))) / (1 + q);
      const rest = (4 * q) / (1 + q) ** 2;
      // The exponent of q is off by few roundings of it, and x e^-x is at most 1.
      const restError = (24 + 8 * e * Math.abs(place)) * U;
      return {
        deviation: e * Math.sqrt(rest) * (1 + 1e-9),
        logMost(t, radius) {
          const [turn, reach] = [e * t, e * radius];
          if (reach > Math.PI / 2) return 0;
          // The least distance from a multiple of pi, less what rounding may have moved it.
          const from = Math.abs(turn - Math.PI * Math.round(turn / Math.PI)) - reach - 16 * U * (turn + 1);
          if (from <= 0) return 0;
          const sine = Math.sin(Math.min(from, Math.PI / 2));
          return 0.5 * Math.log1p(-(1 - 1e-9) * rest * sine * sine);
        },
        at(t, ratio) {
          const turn = e * t;
          const sine = Math.sin(turn);
          const loss = rest * sine * sine;
          const square = 1 - loss;
          if (square < 1e-4) {
            // Few roundings away from what can be told.
            writeLogRatio(Math.cos(turn) - 1, slope * sine, U * (8 * turn + 32), ratio);
            return;
          }
          ratio.modulus = 0.5 * Math.log1p(-loss);
          ratio.angle = Math.atan2(slope * sine, Math.cos(turn));
          // Moving the angle by d moves the ratio by at most d; its modulus is the root of `square`.
          ratio.error =
            (8 * turn + 24 * Math.min(turn, 4)) * (U / square) +
            (restError * loss) / square +
            8 * U * Math.abs(ratio.angle);
        },
      };
    },
  };
}
