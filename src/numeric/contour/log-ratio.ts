import { UNIT_ROUNDOFF as U } from '../rounding.ts';
import type { LogRatio } from './transform.ts';

/** Writes that a ratio of at most this modulus is not known further. */
function writeSmall(most: number, ratio: LogRatio): void {
  ratio.modulus = Math.min(0, Math.log(most) + 1e-9);
  ratio.angle = 0;
  ratio.error = Infinity;
}

/**
 * Writes the logarithm of 1 + x + iy, where x and y together have an absolute error of at most `error`.
 *
 * The squared modulus less 1 is 2x + x^2 + y^2, which is small where x and y are. What is off by d relatively moves the
 * logarithm by at most d / (1 - d).
 */
export function writeLogRatio(x: number, y: number, error: number, ratio: LogRatio): void {
  const excess = 2 * x + x * x + y * y;
  const far = excess < -0.5;
  const square = far ? (1 + x) ** 2 + y * y : 1 + excess;
  const modulus = Math.sqrt(square);
  const rounding = far
    ? 4 * U
    : 4 * U * (Math.abs(x) + Math.abs(y)) + (6 * U * (2 * Math.abs(x) + x * x + y * y)) / modulus;
  const off = (error + rounding) / modulus;
  if (!(off < 0.25)) {
    writeSmall(modulus + error + rounding, ratio);
    return;
  }
  ratio.modulus = far ? Math.log(modulus) : 0.5 * Math.log1p(excess);
  ratio.angle = Math.atan2(y, 1 + x);
  ratio.error = off / (1 - off) + 8 * U * (Math.abs(ratio.modulus) + Math.abs(ratio.angle));
}
