import { approximateLogSum } from '../../numeric/log-sum.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { logOfRest, type RateInDoubles } from './rate.ts';
import { logMixture, type SampledLaw, type SampledPart } from './sampled-law.ts';
import { modeOf, share } from './tilted-part.ts';

/** Bounds on ln E[g^w], the larger of whose errors is 64 roundings of `size`. */
interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly size: number;
}

/** ln(rest + rate e^x) also where e^x overflows. */
function logMixed({ rate, rest }: RateInDoubles, x: number): number {
  const excess = rate * Math.expm1(x);
  return Math.abs(excess) < 0.5 ? Math.log1p(excess) : approximateLogSum(logOfRest({ rate, rest }), Math.log(rate) + x);
}

/** At most ln Phi(x): for x <= -1, Phi(x) >= phi(x) |x| / (1 + x^2). */
const leastLogBelow = (x: number): number =>
  x <= -1 ? -0.5 * x * x + Math.log(-x / (1 + x * x)) - 0.92 : x < 1 ? -1.85 : -Math.exp(-0.5 * x * x);

/** A place before which nearly all of the noise is. */
const FAR = 9.3;

function positive(rates: RateInDoubles, mu: number, w: number): Bounds {
  const slope = ((w - 1) * mu * mu) / 2;
  const logRate = Math.log(rates.rate);
  const size = 1 + w * (1 + Math.abs(slope) - logRate);
  return w < 1
    ? { least: logMixed(rates, w * slope), most: 0, size }
    : { least: Math.max(0, w * (logRate + slope)), most: w * logMixed(rates, slope), size };
}

function negative(law: SampledLaw, part: SampledPart, w: number): Bounds {
  const { slope: mu, shift } = part.base;
  const least = [modeOf(law, part, w), FAR].reduce((best, x) => {
    const l = mu * x + shift;
    const error = 8 * U * share(law.rates, l) * (mu * Math.abs(x) + Math.abs(shift));
    const loss = logMixture(law.rates, l);
    return Math.max(best, w * (loss + error + 32 * U * Math.abs(loss)) + leastLogBelow(x));
  }, 0);
  const most = Math.min(logMixed(law.rates, (w * (w - 1) * mu * mu) / 2), w * logOfRest(law.rates));
  // Where the mixture is the smaller one its exponent is no larger than it less ln rate.
  return { least, most, size: 1 + 2 * (least + most) - Math.log(law.rates.rate) };
}

/** Nearer than this, in deviations, losses are in an outline. */
const OUTLINED = 36;

/** About ln of what the record alone gives of E[g^w] further out than an outline is: rate^w e^(w (w-1) mu^2 / 2), of noise around w mu. */
export const aboutFarMoment = ({ rates }: SampledLaw, { base: { slope: mu } }: SampledPart, w: number): number =>
  w * mu > OUTLINED ? w * (Math.log(rates.rate) + ((w - 1) * mu * mu) / 2) : -Infinity;

/**
 * Bounds on ln E[g^w] of normal noise in closed form, which meet where one of the two parts of g decides.
 *
 * w >= 1: at most w ln(rest + rate e^((w-1) mu^2 / 2)), by Minkowski's inequality; at least 0 by Jensen's, and at least what
 * the record alone gives, as g >= rate e^l. 0 < w < 1: at most 0; at least ln(rest + rate e^(w (w-1) mu^2 / 2)), as g^w is
 * concave in g, a mean of 1 and e^l. w < 0: at most the same, as g^w is convex, and at most w ln rest; at least 0, and at
 * least w ln g(x) + ln Phi(x), as g is no larger before x.
 */
export function momentBounds(
  law: SampledLaw,
  part: SampledPart,
  w: number,
): { readonly least: number; readonly most: number } {
  const { least, most, size } = w < 0 ? negative(law, part, w) : positive(law.rates, part.base.slope, w);
  const error = 64 * U * size;
  return { least: least - error, most: most + error };
}
