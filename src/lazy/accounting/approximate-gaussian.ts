/** Mills' ratio from here on by its continued fraction, below by the series of the normal integral. */
const CONTINUED = 2;

/** About (1 - Phi(x)) / phi(x), for x of at least -1. */
export function millsRatio(x: number): number {
  if (x < 0) return Math.sqrt(2 * Math.PI) * Math.exp((x * x) / 2) - millsRatio(-x);
  if (x < CONTINUED) {
    let [sum, term] = [0, x];
    for (let n = 3; term > sum * 1e-17; n += 2) {
      sum += term;
      term *= (x * x) / n;
    }
    return Math.sqrt(Math.PI / 2) * Math.exp((x * x) / 2) - sum;
  }
  let value = 0;
  for (let n = Math.ceil(8 + (1 + 18 / x) ** 2); n >= 1; n--) value = n / (x + value);
  return 1 / (x + value);
}

/** Below this half-width a difference of Mills' ratios loses its digits, and two terms of its Taylor series have them. */
const NARROW = 1e-3;

/** Below this delta is above 1/2, and 1 - delta is taken. */
const COMPLEMENT_BELOW = -0.75;

/** About delta of the Gaussian pair N(0, 1), N(mu, 1) at x >= 0, mu > 0: see gaussianLogDelta. */
export function approximateGaussianDelta(mu: number, x: number): number {
  const [middle, half] = [x / mu, mu / 2];
  const density = Math.exp(-((middle - half) ** 2) / 2) / Math.sqrt(2 * Math.PI);
  if (middle - half < COMPLEMENT_BELOW) return 1 - density * (millsRatio(half - middle) + millsRatio(middle + half));
  if (half >= NARROW) return density * (millsRatio(middle - half) - millsRatio(middle + half));
  const ratio = millsRatio(middle);
  const slope = middle > 1e3 ? -1 / (middle * middle) : middle * ratio - 1;
  const third = middle > 1e2 ? 0 : (middle * middle + 2) * slope + middle * ratio;
  return -density * (2 * half * slope + (half ** 3 / 3) * third);
}
