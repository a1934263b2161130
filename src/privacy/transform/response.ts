import { writeLogRatio } from '../../numeric/contour/log-ratio.ts';
import type { Approximate } from '../../numeric/enclosure.ts';
import type { LossTransform } from '../../numeric/contour/transform.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';

/** Where e^x would be large against 1. */
const LARGE = 30;

/** At most sin x, 0 <= x <= pi / 2, and within 2e-4 of it: the Taylor polynomial of degree 7. */
function leastSine(x: number): number {
  const square = x * x;
  return x * (1 - (square / 6) * (1 - (square / 20) * (1 - square / 42)));
}

/** ln M(c), M(c) = (e^(e(1+c)) + e^(-ec)) / (1 + e^e); `whole` is 1 + e^-e. */
function logMoment(e: number, whole: number, c: number): Approximate {
  if (e <= 1 && e * c <= LARGE) {
    // M - 1 = (e^(ec) - 1) (1 - e^(-e(1+c))) / (1 + e^-e): no difference of like numbers.
    const excess = (-Math.expm1(e * c) * Math.expm1(-e * (1 + c))) / whole;
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
  const whole = 1 + Math.exp(-e);
  return {
    logMoment: (c) => logMoment(e, whole, c),
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
          const loss = (1 - 1e-9) * rest * leastSine(Math.min(from, Math.PI / 2)) ** 2;
          // ln(1 - x) is below each of its Taylor polynomials.
          return loss < 0.1 ? -0.5 * loss * (1 + loss * (0.5 + loss / 3)) : 0.5 * Math.log1p(-loss);
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
