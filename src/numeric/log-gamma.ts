import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U } from './rounding.ts';

/** ln Gamma at a complex place, its imaginary part up to whole turns. */
export interface LogGamma {
  readonly modulus: number;
  readonly angle: number;
  /** Bounds the absolute error of both. */
  readonly error: number;
}

/** B_2k / (2k (2k - 1)), k = 1..7. */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 5 / 5940, -691 / 360360, 1 / 156];
/** From this modulus on the series is taken. */
const FAR = 15;
/** |B_16| / (16 * 15) 15^-15 sec(arg / 2)^16, arg at most a quarter turn. */
const REST = 2e-17;

/**
 * ln Gamma(x + iy), x > 0: by Stirling's series from modulus 15 on, before by Gamma(z) = Gamma(z + m) / (z (z+1) ... (z+m-1)).
 *
 * Error: after seven terms at most |B_16| / (16 * 15 |z|^15) sec(arg(z) / 2)^16 (DLMF 5.11.11), here below 2e-17; the
 * roundings are those of (z - 1/2) ln z and of the product of at most 15 factors, each within 6 roundings.
 */
export function logGamma(x: number, y: number): LogGamma {
  let [re, im] = [1, 0];
  let shift = 0;
  for (; (x + shift) ** 2 + y * y < FAR * FAR; shift++) {
    [re, im] = [re * (x + shift) - im * y, re * y + im * (x + shift)];
  }
  const a = x + shift;
  const square = a * a + y * y;
  const [logModulus, argument] = [Math.log(square) / 2, Math.atan2(y, a)];
  let modulus = (a - 0.5) * logModulus - y * argument - a + Math.log(2 * Math.PI) / 2;
  let angle = (a - 0.5) * argument + y * logModulus - y;
  // Powers of 1 / z.
  const [p, q] = [a / square, -y / square];
  const [p2, q2] = [p * p - q * q, 2 * p * q];
  let [u, v] = [p, q];
  for (const coefficient of STIRLING) {
    modulus += coefficient * u;
    angle += coefficient * v;
    [u, v] = [u * p2 - v * q2, u * q2 + v * p2];
  }
  const far = Math.sqrt(square);
  const size = far * (Math.abs(logModulus) + Math.abs(argument) + 1) + 4;
  const product = Math.log(re * re + im * im) / 2;
  return {
    modulus: modulus - product,
    angle: angle - Math.atan2(im, re),
    error:
      REST + (ELEMENTARY_ERROR + 4 * U) * size + 8 * shift * U + (ELEMENTARY_ERROR + 2 * U) * (Math.abs(product) + 4),
  };
}
