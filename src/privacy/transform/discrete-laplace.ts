import { writeLogRatio } from '../../numeric/contour/log-ratio.ts';
import type { LineTransform, LossTransform } from '../../numeric/contour/transform.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { atomsTransform } from './atoms.ts';

/** A sensitivity up to which the values are listed. */
const LISTED = 32;

/** Few losses (s - 2k) r: themselves. */
function listed(r: number, s: number): LossTransform {
  const logWhole = Math.log1p(Math.exp(-r));
  const logStep = Math.log(-Math.expm1(-r));
  const atoms = Array.from({ length: s + 1 }, (_, k) => ({
    loss: (s - 2 * k) * r,
    logMass: -k * r - logWhole + (k === 0 || k === s ? 0 : logStep),
  }));
  return atomsTransform(atoms, 4 * U, (32 + 8 * s * r + 8 * Math.abs(logStep)) * U);
}

/** Losses in closed form: their sum is geometric. */
function geometric(r: number, s: number): LossTransform {
  const e = r * s;
  const step = -Math.expm1(-r);
  /** The sum of the terms between the two ends, over e^(e s0) / 2, at its largest: q^ (1 - q') / (1 - q^). */
  const parts = (place: number) => {
    const q = Math.exp(-2 * e * place);
    const inner = Math.exp(-2 * place * (e - r));
    const outer = Math.exp(-2 * place * r);
    const ratio = place === 0 ? s - 1 : (outer * -Math.expm1(-2 * place * (e - r))) / -Math.expm1(-2 * place * r);
    return { q, inner, outer, whole: 1 + q + step * ratio, ratio };
  };
  return {
    logMoment(c) {
      const place = Math.abs(c + 0.5);
      const { whole } = parts(place);
      const value = e * (place - 0.5) + Math.log(whole) - Math.log1p(Math.exp(-r));
      return { value, error: (16 * e * (place + 1) + 64 + 16 * Math.abs(Math.log(whole))) * U };
    },
    on(c): LineTransform {
      const side = c < -0.5 ? -1 : 1;
      const place = Math.abs(c + 0.5);
      const { q, inner, outer, whole, ratio: atRest } = parts(place);
      const less = -Math.expm1(-2 * place * r);
      return {
        deviation: e,
        at(t, ratio) {
          const [far, near] = [e * t, r * t];
          const [cosFar, sinFar] = [Math.cos(far), Math.sin(far)];
          const [cosTop, sinTop] = [Math.cos(far - near), Math.sin(far - near)];
          const [bottomRe, bottomIm] = [less * Math.cos(near), (1 + outer) * Math.sin(near)];
          const [topRe, topIm] = [(1 - inner) * cosTop, (1 + inner) * sinTop];
          const square = bottomRe * bottomRe + bottomIm * bottomIm;
          const factor = (step * outer) / square;
          const [re, im] =
            square === 0
              ? [step * atRest, 0]
              : [factor * (topRe * bottomRe + topIm * bottomIm), factor * (topIm * bottomRe - topRe * bottomIm)];
          const below = Math.sqrt(square);
          const size = square === 0 ? atRest * step : (2 * step * outer) / below;
          const error = U * (48 + 12 * far + size * (48 + 12 * far + (square === 0 ? 0 : (8 * near) / below)));
          const x = ((1 + q) * cosFar + re) / whole;
          const y = ((1 - q) * sinFar + im) / whole;
          writeLogRatio(x - 1, side * y, error / whole + 4 * U, ratio);
        },
      };
    },
  };
}

/**
 * Discrete Laplace noise, P(k) proportional to e^(-r|k|), for neighbours s apart: the losses are (s - 2k) r for k = 0..s, of
 * probability e^(-rk) (1 - e^-r) / (1 + e^-r) between the ends and without the middle factor at them. With e = rs and
 * w = z + 1/2, M(z) = e^(-e/2) / (1 + e^-r) (2 cosh(ew) + (1 - e^-r) sinh(w(e - r)) / sinh(wr)).
 *
 * @param r - 1 / scale, with a relative error of one rounding
 * @param s - a positive whole number
 */
export const discreteLaplaceTransform = (r: number, s: number): LossTransform =>
  s <= LISTED ? listed(r, s) : geometric(r, s);
