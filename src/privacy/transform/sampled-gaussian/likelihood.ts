import { UNIT_ROUNDOFF as U } from '../../../numeric/rounding.ts';

/**
 * Poisson-sampled Gaussian noise; `rate` and `rest` sum to 1. Each of the three has a relative error of at most one rounding;
 * the rate is 0 < rate <= 1, no smaller than 1e-100.
 */
export interface SampledGaussian {
  /** sensitivity / sigma. */
  readonly mu: number;
  readonly rate: number;
  /** 1 - rate. */
  readonly rest: number;
}

/** ln of what is not drawn, to a few roundings of itself, also where nearly nothing is drawn. */
export const logOfRest = ({ rate, rest }: Pick<SampledGaussian, 'rate' | 'rest'>): number =>
  rate < 0.5 ? Math.log1p(-rate) : Math.log(rest);

/** The likelihood ratio g = rest + rate e^l, l = mu u - mu^2 / 2, at a place u of the noise. */
export interface Likelihood {
  /** ln g, and a bound on its error. */
  readonly loss: number;
  readonly lossError: number;
  /** s = rate e^l / g: how likely the record was in the sample. */
  readonly share: number;
}

/** e^l would overflow beyond, and e^-l; a share below e^-LARGE is as good as any other. */
const LARGE = 600;

/** The error of l: three roundings of mu u, three of mu^2 / 2 and one of their difference. */
const exponentError = (mu: number, u: number): number => (4 * Math.abs(mu * u) + 2 * mu * mu) * U;

/** Bounds the relative error of the share. */
export const shareError = ({ mu }: SampledGaussian, u: number): number => exponentError(mu, u) + 16 * U;

/**
 * The likelihood ratio with a bound on its error.
 *
 * ln(1 + x) has a relative error of 8 roundings, and x of 10 besides that of l, which are worth no more than twice as many of
 * the logarithm while x > -1/2; elsewhere the logarithm is below -0.69, and 12 roundings of g are fewer than 20 of it.
 */
export function likelihoodAt({ mu, rate, rest }: SampledGaussian, u: number): Likelihood {
  const l = mu * u - (mu * mu) / 2;
  const x = l > LARGE ? Infinity : rate * Math.expm1(l);
  const loss = l > LARGE ? Math.log(rate) + l : x > -0.5 ? Math.log1p(x) : Math.log(rest + rate * Math.exp(l));
  const share = 1 / (1 + (rest / rate) * Math.exp(Math.min(LARGE, -l)));
  return { loss, lossError: share * exponentError(mu, u) + 30 * U * Math.abs(loss), share };
}
