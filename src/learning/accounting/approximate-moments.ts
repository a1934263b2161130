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

/** Where the lambda and the tilt of the question before were: questions that follow each other closely have nearly the same. */
export interface Nearby {
  lambda: number;
  tilt: number;
}

/** About ln E[e^(lambda L)], in doubles: for choosing a lambda where any is sound, or a place whose result is certified. */
export type ApproximateMoment = (lambda: number) => number;

/** Of randomized response: see pureDpMoment. */
export const responseMoment =
  (epsilon: number): ApproximateMoment =>
  (lambda) =>
    lambda * epsilon + Math.log1p(Math.exp(-(1 + 2 * lambda) * epsilon)) - Math.log1p(Math.exp(-epsilon));

/** Of Gaussian differential privacy. */
export const gaussianMoment =
  (muSquared: number): ApproximateMoment =>
  (lambda) =>
    (lambda * (1 + lambda) * muSquared) / 2;

/** Below this the closed form of bounded range loses its digits, and e^2/8-zCDP is right to as many as are needed. */
const SMALL = 1e-3;

/** About ln of the best factor of a Chernoff bound on delta: see logConversionFactor. */
export const conversionFactor = (lambda: number): number => -Math.log1p(lambda) - lambda * Math.log1p(1 / lambda);

/** Of bounded range: see boundedRangeMoment, here in a form whose terms do not cancel at large lambda. */
export function rangeMoment(epsilon: number): ApproximateMoment {
  const [decay, whole] = [Math.exp(-epsilon), -Math.expm1(-epsilon)];
  const concentrated = gaussianMoment((epsilon * epsilon) / 4);
  return (lambda) => {
    if ((1 + lambda) * epsilon < SMALL) return concentrated(lambda);
    const kappa = -Math.expm1(-lambda * epsilon) / whole;
    const rest = Math.log1p(kappa * decay) + conversionFactor(lambda);
    return Math.max(0, lambda * epsilon + lambda * Math.log1p(whole / Math.expm1(lambda * epsilon)) + rest);
  };
}

/** From here on e^h would soon overflow. */
const LARGE = 500;

/** Of what is done with this probability, else nothing. */
const withProbability =
  (probability: number, moment: ApproximateMoment): ApproximateMoment =>
  (lambda) => {
    const h = moment(lambda);
    if (probability >= 1) return h;
    if (h < LARGE) return Math.log1p(probability * Math.expm1(h));
    return h + Math.log(probability);
  };

/** Of several mechanisms together, each so many times. */
const together =
  (parts: readonly { readonly moment: ApproximateMoment; readonly count: number }[]): ApproximateMoment =>
  (lambda) =>
    parts.reduce((sum, { moment, count }) => sum + count * moment(lambda), 0);

/** Rounds in each of which something is resampled with this chance. */
export interface ApproximateResampling {
  readonly rounds: number;
  readonly probability: number;
}

/** Of everything that is resampled, each time of this moment. */
export const momentOfParts = (moment: ApproximateMoment, parts: readonly ApproximateResampling[]): ApproximateMoment =>
  together(parts.map(({ rounds, probability }) => ({ moment: withProbability(probability, moment), count: rounds })));

/** delta at any real epsilon of what swapping neighbours does not change, from delta at those from 0 on. */
export const mirroredDelta =
  (delta: (x: number) => number) =>
  (x: number): number =>
    x >= 0 ? delta(x) : -Math.expm1(x) + Math.exp(x) * delta(-x);
