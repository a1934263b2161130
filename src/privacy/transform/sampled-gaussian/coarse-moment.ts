import type { Approximate } from '../../../numeric/approximate.ts';
import { approximateLogSum } from '../../../numeric/log-sum.ts';
import { UNIT_ROUNDOFF as U } from '../../../numeric/rounding.ts';
import { likelihoodAt, logOfRest, type SampledGaussian } from './likelihood.ts';
import { leastMode, REACH } from './strip.ts';

/** ln(rest + rate e^x), off by at most 64 roundings of 1, x and itself. */
function logMixture(noise: SampledGaussian, x: number): number {
  const { rate } = noise;
  const excess = rate * Math.expm1(x);
  return Math.abs(excess) < 0.5 ? Math.log1p(excess) : approximateLogSum(logOfRest(noise), Math.log(rate) + x);
}

/** At most ln Phi(x): for x <= -1, Phi(x) >= phi(x) |x| / (1 + x^2). */
const leastLogBelow = (x: number): number =>
  x <= -1 ? -0.5 * x * x + Math.log(-x / (1 + x * x)) - 0.92 : x < 1 ? -1.85 : -Math.exp(-0.5 * x * x);

/**
 * ln E[g^w] between bounds in closed form, which meet where one of the two parts of g decides.
 *
 * w >= 1: at most w ln(rest + rate e^((w-1) mu^2 / 2)), by Minkowski's inequality; at least 0 by Jensen's, and at least what
 * the record alone gives, as g >= rate e^l. 0 < w < 1: at most 0; at least ln(rest + rate e^(w (w-1) mu^2 / 2)), as g^w is
 * concave in g, a mean of 1 and e^l. w < 0: at most the same, as g^w is convex, and at most w ln rest; at least 0, and at
 * least w ln g(x) + ln Phi(x), as g is no larger before x.
 */
export function coarseLogMoment(noise: SampledGaussian, w: number): Approximate {
  const { least, most, size } = w < 0 ? negative(noise, w) : positive(noise, w);
  // Nearer to the lower one for w < 0, where a line is looked for by it.
  const value = w < 0 ? least : least + (most - least) / 2;
  return { value, error: Math.max(most - value, value - least) + 128 * U * size };
}

/** The bounds, each off by at most 64 roundings of size. */
interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly size: number;
}

function positive(noise: SampledGaussian, w: number): Bounds {
  const { mu, rate } = noise;
  const slope = ((w - 1) * mu * mu) / 2;
  const logRate = Math.log(rate);
  const size = 1 + w * (1 + Math.abs(slope) - logRate);
  return w < 1
    ? { least: logMixture(noise, w * slope), most: 0, size }
    : { least: Math.max(0, w * (logRate + slope)), most: w * logMixture(noise, slope), size };
}

function negative(noise: SampledGaussian, w: number): Bounds {
  const { mu, rate } = noise;
  const least = [leastMode(noise, w), REACH].reduce((best, x) => {
    const { loss, lossError } = likelihoodAt(noise, x);
    return Math.max(best, w * (loss + lossError) + leastLogBelow(x));
  }, 0);
  const [mixed, none] = [logMixture(noise, (w * (w - 1) * mu * mu) / 2), w * logOfRest(noise)];
  const most = Math.min(mixed, none);
  // Where the mixture is the smaller one its exponent is no larger than it less ln rate.
  return { least, most, size: 1 + 2 * (least + most) - Math.log(rate) };
}
