import { minimiseOnLogScale } from '../numeric/minimise.ts';

/** About ln E[e^(lambda L)], in doubles: for a search whose result is certified afterwards. */
export type ApproximateMoment = (lambda: number) => number;

/** Of randomized response: see pureDpMoment. */
export const responseMoment =
  (epsilon: number): ApproximateMoment =>
  (lambda) =>
    lambda * epsilon + Math.log1p(Math.exp(-(1 + 2 * lambda) * epsilon)) - Math.log1p(Math.exp(-epsilon));

/** Of bounded range: see boundedRangeMoment. */
export function rangeMoment(epsilon: number): ApproximateMoment {
  const [decay, whole] = [Math.exp(-epsilon), -Math.expm1(-epsilon)];
  return (lambda) => {
    const kappa = -Math.expm1(-lambda * epsilon) / whole;
    const first = Math.log((1 + kappa * decay) / (1 + lambda));
    return Math.max(0, lambda * epsilon + (1 + lambda) * first - lambda * Math.log(kappa / lambda));
  };
}

/** Of Gaussian differential privacy. */
export const gaussianMoment =
  (muSquared: number): ApproximateMoment =>
  (lambda) =>
    (lambda * (1 + lambda) * muSquared) / 2;

/** L2P in doubles: how x is kept (see KeepProbability), and what a resampling is. */
export interface ApproximateRun {
  readonly transitions: number;
  readonly fakeSwitch: number;
  readonly logMost: number;
  readonly logLeast: number;
  readonly change: number;
  readonly moment: ApproximateMoment;
}

const SECTIONS = 22;

/** About the smallest delta at x, any real, of one resampling and `steps` rounds in which x and y are resampled with these chances. */
function resampledDelta(x: number, steps: number, chances: readonly number[], moment: ApproximateMoment): number {
  if (x < 0) return -Math.expm1(x) + Math.exp(x) * resampledDelta(-x, steps, chances, moment);
  const exponent = (lambda: number): number => {
    const once = moment(lambda);
    const grown = Math.expm1(once);
    const resampled = chances.reduce((sum, chance) => sum + steps * Math.log1p(chance * grown), once);
    const value = resampled - Math.log1p(lambda) - lambda * Math.log1p(1 / lambda) - lambda * x;
    return Number.isNaN(value) ? Infinity : value;
  };
  const scale = Math.max(x, 1e-9);
  return Math.exp(Math.min(0, exponent(minimiseOnLogScale(exponent, 1e-2 / scale, 1e4 / scale, SECTIONS))));
}

/** About delta at an epsilon above 0: the flag in its usually worse order, and the moment bound of all resamplings. */
export function approximateDelta(run: ApproximateRun, epsilon: number): number {
  const { transitions, fakeSwitch: p, logMost, logLeast, change, moment } = run;
  const switchAt = (logKeep: number): number => p - (1 - p) * Math.expm1(logKeep);
  const kept = (1 - p) * Math.exp(logMost - change);
  const loss = Math.log1p(((1 - p) * Math.exp(logMost) * -Math.expm1(-change)) / switchAt(logMost));
  const after = (x: number): number => resampledDelta(x, transitions, [switchAt(logLeast), p], moment);
  return switchAt(logMost - change) * after(epsilon - loss) + kept * after(epsilon + change);
}
