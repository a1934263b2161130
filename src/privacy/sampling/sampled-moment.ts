import { enclosure, exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { maximum } from '../../numeric/enclosure-arithmetic.ts';
import type { Approximate } from '../../numeric/approximate.ts';
import type { Directions } from '../curve.ts';
import type { LogMoment } from '../log-moment.ts';
import type { Sampled } from '../mechanism.ts';
import { logOfRest } from '../transform/sampled-gaussian.ts';
import { rationalOf } from './rate.ts';
import { logMixture, logSurvivalOf, sampledLaw, type Direction, type SampledLaw } from './sampled-law.ts';
import { gaussianLossesOf } from './sampled-transform.ts';
import { partMoment, pieceCount } from './part-moment.ts';

const UNKNOWN = enclosure(0, Infinity);
const EPSILON = Number.EPSILON;

/** More pieces than this are not summed: the largest loss bounds the moment. */
const MOST_PIECES = 4000;

/** Whether there is a theorem for a scheme and a relation of neighbours. */
export const isCovered = ({ scheme, neighbours }: Sampled): boolean =>
  (scheme === 'poisson' && neighbours === 'add-remove') ||
  (scheme === 'without-replacement' && neighbours === 'replace-one');

/**
 * At most ln E[e^(lambda L)] of a part with normal noise whose power w of g is so large that it is not integrated: by
 * Minkowski's inequality E[g^w]^(1/w) <= rest + rate E[e^(wl)]^(1/w), w >= 1, and for w < 0 g >= rest, or it is no more than
 * without sampling.
 */
function farMoment({ rates }: SampledLaw, slope: number, w: number): number {
  const { rate, rest } = rates;
  const half = (slope * slope) / 2;
  if (w < 0) return Math.min(w * logOfRest(rates), w * (w - 1) * half);
  const exponent = (w - 1) * half;
  return exponent > 300
    ? w * (exponent + Math.log(rate) + (rest / rate) * Math.exp(-300))
    : w * logMixture(rates, exponent);
}

const around = ({ value, error }: Approximate): Enclosure => enclosure(value - error, value + error);

/** ln E[e^(lambda L)] of the finite losses, given that none is infinite. */
function logMomentOf(law: SampledLaw, lambda: number): Enclosure {
  const survival = logSurvivalOf(law);
  const terms = law.atoms.map(({ loss, logMass }) => logMass + lambda * loss);
  let deepest = law.atoms.reduce(
    (most, { loss, logMass }) => Math.max(most, Math.abs(logMass) + lambda * Math.abs(loss)),
    1,
  );
  let relative = 2 ** -38 + law.massError + lambda * law.lossError * largestOf(law);
  let isExact = true;
  for (const part of law.parts) {
    if (pieceCount(law, part, lambda) <= MOST_PIECES) {
      const { value, error } = partMoment(law, part, lambda);
      terms.push(value);
      relative += error;
      deepest = Math.max(deepest, Math.abs(value));
      continue;
    }
    isExact = false;
    const { base, sign } = part;
    const w = sign > 0 ? lambda + 1 : -lambda;
    terms.push(base.law === 'normal' ? farMoment(law, base.slope, w) : lambda * largestOf(law));
  }
  const top = terms.reduce((most, x) => Math.max(most, x), -Infinity);
  const value = top + Math.log(terms.reduce((sum, x) => sum + Math.exp(x - top), 0)) - survival;
  const error = relative + (16 + 8 * deepest + law.atoms.length) * EPSILON + 8 * EPSILON * Math.abs(value);
  return enclosure(isExact ? value - error : 0, value + error);
}

const largestOf = ({ atoms }: SampledLaw): number =>
  atoms.reduce((most, { loss }) => Math.max(most, Math.abs(loss)), 0);

/**
 * ln E[e^(lambda L)] of a sampled mechanism in both directions; of what has a chance of infinite losses given that there is
 * none. Nothing is said of it where the scheme has no theorem.
 *
 * Source: for Gaussian noise Mironov, Talwar, Zhang 2019, "Renyi Differential Privacy of the Sampled Gaussian Mechanism",
 * Theorem 4; else the moments of the pair of {@link sampledLaw}.
 */
export function sampledMoments(mechanism: Sampled): Directions<LogMoment> {
  if (rationalOf(mechanism.rate).isZero()) return { remove: () => enclosure(0, 0), add: () => enclosure(0, 0) };
  const lawOf = (direction: Direction): SampledLaw | null =>
    isCovered(mechanism) ? sampledLaw(mechanism, direction) : null;
  const law = lawOf('remove');
  const gaussian = law && gaussianLossesOf(mechanism, law);
  if (gaussian !== null) {
    return {
      remove: (lambda) => around(gaussian.logMoment(lambda + 1)),
      add: (lambda) => around(gaussian.logMoment(-lambda)),
    };
  }
  const momentOf =
    (each: SampledLaw | null): LogMoment =>
    (lambda) =>
      each === null ? UNKNOWN : logMomentOf(each, lambda);
  return { remove: momentOf(law), add: momentOf(lawOf('add')) };
}

/** The larger of {@link sampledMoments}, at least 0. */
export function sampledMoment(mechanism: Sampled): LogMoment {
  const { remove, add } = sampledMoments(mechanism);
  return (lambda) => maximum(exactly(0), maximum(remove(lambda), add(lambda)));
}
