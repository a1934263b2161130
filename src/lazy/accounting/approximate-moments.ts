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
