import { enclosure, exactly, meet, type Enclosure } from '../../numeric/enclosure.ts';
import { approximateLogSum, maximum, multiply } from '../../numeric/enclosure-arithmetic.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { Rational } from '../../numeric/rational.ts';
import { logOfRest, rationalOf, type RateInDoubles } from './rate.ts';
import { leastOther, leastOwn, logMixture, share } from './ratio.ts';
import { logSurvivalOf, sampledLaw, type SampledLaw, type SampledPart, type Direction } from './sampled-law.ts';
import { isSeveral, isSeveralCovered, muSquaredOfAll } from './several-records.ts';
import { modeOf, powersOf } from './tilted-part.ts';
import type { Directions } from '../curve.ts';
import { zcdpMoment, type LogMoment } from '../log-moment.ts';
import type { Sampled } from '../mechanism.ts';
import { allocationMoments, isAllocable, isAllocation } from './random-allocation.ts';
import { sampledTransform } from './sampled-transform.ts';

/** Bounds on ln E[g^w], the larger of whose errors is 64 roundings of `size`. */
interface Bounds {
  readonly lower: number;
  readonly upper: number;
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
    ? { lower: logMixed(rates, w * slope), upper: 0, size }
    : { lower: Math.max(0, w * (logRate + slope)), upper: w * logMixed(rates, slope), size };
}

function negative(law: SampledLaw, part: SampledPart, w: number): Bounds {
  const { slope: mu, shift } = part.base;
  const lower = [modeOf(law, part, w), FAR].reduce((best, x) => {
    const l = mu * x + shift;
    const error = 8 * U * share(law.rates, l) * (mu * Math.abs(x) + Math.abs(shift));
    const loss = logMixture(law.rates, l);
    return Math.max(best, w * (loss + error + 32 * U * Math.abs(loss)) + leastLogBelow(x));
  }, 0);
  const upper = Math.min(logMixed(law.rates, (w * (w - 1) * mu * mu) / 2), w * logOfRest(law.rates));
  // Where the mixture is the smaller one its exponent is no larger than it less ln rate.
  return { lower, upper, size: 1 + 2 * (lower + upper) - Math.log(law.rates.rate) };
}

/** Nearer than this, in deviations, losses are in an outline. */
const OUTLINED = 36;

/**
 * About ln of what m records alone give of E[g^w h^-v] further out than an outline is: p^w e^(w (w-1) (m mu)^2 / 2), p the weight of m in
 * g, of noise around w m mu, where h has its least value.
 */
function aboutFarMoment({ ratio }: SampledLaw, part: SampledPart, lambda: number): number {
  const { slope } = part.base;
  const { own: w, other: v } = powersOf(part, lambda);
  return ratio.logWeights.reduce((most, logWeight, m) => {
    const mu = m * slope;
    const far = w * (logWeight + ((w - 1) * mu * mu) / 2) - (ratio.other.length === 0 ? 0 : v * leastOther(ratio));
    return w * mu > OUTLINED ? Math.max(most, far) : most;
  }, -Infinity);
}

/**
 * The same for several records, whose numbers m in the sample have weights p_m. w >= 1: at most w ln sum p_m e^((w-1) (m mu)^2 / 2), by
 * Minkowski's inequality, and at least what each m alone gives. w < 0: at most ln sum p_m e^(w (w-1) (m mu)^2 / 2) by convexity, and at
 * most that of g's least value. Where g is over h, Renyi divergences are quasi-convex: at most that between all records and all others.
 */
function severalBounds({ ratio }: SampledLaw, { base: { slope } }: SampledPart, w: number): Bounds {
  const { other, records, logWeights } = ratio;
  if (other.length > 0) {
    const upper = (w * (w - 1) * (records * slope) ** 2) / 2;
    return { lower: 0, upper, size: 1 + upper };
  }
  const terms = logWeights.map((logWeight, m) => logWeight + ((w < 0 ? w : 1) * (w - 1) * (m * slope) ** 2) / 2);
  const size =
    1 + Math.abs(w) * terms.reduce((sum, x, m) => Math.max(sum, Math.abs(x) + 2 * Math.abs(logWeights[m]!)), 0);
  const sum = terms.reduce(approximateLogSum);
  if (w < 0) return { lower: 0, upper: Math.min(sum, w * leastOwn(ratio)), size };
  return { lower: Math.max(0, ...terms.map((x) => w * x)), upper: w * sum, size };
}

/**
 * Bounds on ln E[g^w] of normal noise in closed form, which meet where one of the two parts of g decides.
 *
 * w >= 1: at most w ln(rest + rate e^((w-1) mu^2 / 2)), by Minkowski's inequality; at least 0 by Jensen's, and at least what
 * the record alone gives, as g >= rate e^l. 0 < w < 1: at most 0; at least ln(rest + rate e^(w (w-1) mu^2 / 2)), as g^w is
 * concave in g, a mean of 1 and e^l. w < 0: at most the same, as g^w is convex, and at most w ln rest; at least 0, and at
 * least w ln g(x) + ln Phi(x), as g is no larger before x.
 */
function momentBounds(
  law: SampledLaw,
  part: SampledPart,
  w: number,
): { readonly lower: number; readonly upper: number } {
  const { lower, upper, size } =
    law.ratio.records > 1
      ? severalBounds(law, part, w)
      : w < 0
        ? negative(law, part, w)
        : positive(law.rates, part.base.slope, w);
  const error = 64 * U * size;
  return { lower: lower - error, upper: upper + error };
}

const UNKNOWN = enclosure(0, Infinity);

/** Whether there is a theorem for a scheme and a relation of neighbours. */
export function isCovered(mechanism: Sampled): boolean {
  const { of, scheme, neighbours } = mechanism;
  if (isSeveral(mechanism)) return isSeveralCovered(mechanism);
  return (
    (scheme === 'poisson' && neighbours === 'add-remove') ||
    (scheme === 'random-allocation' && neighbours === 'add-remove' && isAllocable(of)) ||
    (scheme === 'without-replacement' && neighbours === 'replace-one')
  );
}

/**
 * Bounds on ln E[e^(lambda L)] in closed form: of each part with normal noise those of momentBounds (of half of it no more is known
 * than that it is no more than all), of others by the largest loss.
 */
function boundsOf(law: SampledLaw, survival: number, lambda: number): Enclosure {
  const largest = law.atoms.reduce((max, { loss }) => Math.max(max, Math.abs(loss)), 0);
  const isWhole = law.parts.length === 1 && law.atoms.length === 0;
  let [lower, upper] = [-Infinity, -Infinity];
  for (const { loss, logMass } of law.atoms) upper = approximateLogSum(upper, logMass + lambda * loss);
  for (const part of law.parts) {
    if (part.base.law === 'exponential') {
      upper = approximateLogSum(upper, lambda * largest);
      continue;
    }
    const bounds = momentBounds(law, part, powersOf(part, lambda).own);
    if (isWhole) lower = bounds.lower;
    upper = approximateLogSum(upper, bounds.upper);
  }
  const size = law.massError + lambda * largest * (law.lossError + 8 * U) + 64 * U * (1 + Math.abs(upper));
  return enclosure(Math.max(0, lower - survival), upper - survival + size);
}

/** Where bounds in closed form are so near to each other nothing is integrated. */
const NARROW = 1e-13;

/** ln E[e^(lambda L)] of the finite losses, given that none is infinite. */
function logMomentOf(law: SampledLaw): LogMoment {
  const survival = logSurvivalOf(law);
  const transform = sampledTransform(law, survival);
  const moment = (lambda: number): Enclosure => {
    const closed = boundsOf(law, survival, lambda);
    // What is integrated is that of the reduced ratio.
    if (law.ratio.isReduced || closed.upper - closed.lower <= NARROW * closed.upper) return closed;
    const { value, error } = transform.logMoment(lambda);
    return error < Infinity ? meet(closed, enclosure(value - error, value + error)) : closed;
  };
  // An outline does not reach as far out as large lambda do.
  const far = (lambda: number): number =>
    law.parts.reduce(
      (sum, part) => (part.base.law === 'normal' ? approximateLogSum(sum, aboutFarMoment(law, part, lambda)) : sum),
      -Infinity,
    );
  const about = (lambda: number): number =>
    Math.max(
      boundsOf(law, survival, lambda).lower,
      approximateLogSum(transform.about!(lambda).value, far(lambda) - survival),
    );
  return Object.assign(moment, { about });
}

/**
 * ln E[e^(lambda L)] of a sampled mechanism in both directions; of what has a chance of infinite losses given that there is
 * none. Nothing is said of it where the scheme has no theorem.
 *
 * Source: for Gaussian noise Mironov, Talwar, Zhang 2019, "Renyi Differential Privacy of the Sampled Gaussian Mechanism",
 * Theorem 4; else the moments of the pair of {@link sampledLaw}.
 */
export function sampledMoments(mechanism: Sampled): Directions<LogMoment> {
  if (rationalOf(mechanism.rate).isZero()) return { remove: () => enclosure(0, 0), add: () => enclosure(0, 0) };
  if (isCovered(mechanism) && isAllocation(mechanism)) return allocationMoments(mechanism);
  if (isSeveral(mechanism) && isSeveralCovered(mechanism) && rationalOf(mechanism.rate).equals(Rational.ONE)) {
    const moment = zcdpMoment(multiply(exactly(0.5), muSquaredOfAll(mechanism)));
    return { remove: moment, add: moment };
  }
  const momentIn = (direction: Direction): LogMoment => {
    const law = isCovered(mechanism) ? sampledLaw(mechanism, direction) : null;
    return law === null ? () => UNKNOWN : logMomentOf(law);
  };
  return { remove: momentIn('remove'), add: momentIn('add') };
}

/** The larger of {@link sampledMoments}, at least 0. */
export function sampledMoment(mechanism: Sampled): LogMoment {
  const { remove, add } = sampledMoments(mechanism);
  const moment: LogMoment = (lambda) => maximum(exactly(0), maximum(remove(lambda), add(lambda)));
  const about = (lambda: number): number =>
    Math.max(0, ...[remove, add].map((momentOf) => momentOf.about?.(lambda) ?? momentOf(lambda).upper));
  return Object.assign(moment, { about });
}
