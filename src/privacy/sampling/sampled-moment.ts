import { enclosure, exactly, meet, type Enclosure } from '../../numeric/enclosure.ts';
import { maximum } from '../../numeric/enclosure-arithmetic.ts';
import { approximateLogSum } from '../../numeric/log-sum.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { Directions } from '../curve.ts';
import type { LogMoment } from '../log-moment.ts';
import type { Sampled } from '../mechanism.ts';
import { aboutFarMoment, momentBounds } from './moment-bounds.ts';
import { rationalOf } from './rate.ts';
import { logSurvivalOf, sampledLaw, type Direction, type SampledLaw } from './sampled-law.ts';
import { sampledTransform } from './sampled-transform.ts';
import { power } from './tilted-part.ts';

const UNKNOWN = enclosure(0, Infinity);

/** Whether there is a theorem for a scheme and a relation of neighbours. */
export const isCovered = ({ scheme, neighbours }: Sampled): boolean =>
  (scheme === 'poisson' && neighbours === 'add-remove') ||
  (scheme === 'without-replacement' && neighbours === 'replace-one');

/**
 * Bounds on ln E[e^(lambda L)] in closed form: of each part with normal noise those of momentBounds (of half of it no more is known
 * than that it is no more than all), of others by the largest loss.
 */
function boundsOf(law: SampledLaw, survival: number, lambda: number): Enclosure {
  const largest = law.atoms.reduce((most, { loss }) => Math.max(most, Math.abs(loss)), 0);
  const isWhole = law.parts.length === 1 && law.atoms.length === 0;
  let [least, most] = [-Infinity, -Infinity];
  for (const { loss, logMass } of law.atoms) most = approximateLogSum(most, logMass + lambda * loss);
  for (const part of law.parts) {
    if (part.base.law === 'exponential') {
      most = approximateLogSum(most, lambda * largest);
      continue;
    }
    const bounds = momentBounds(law, part, power(part, lambda));
    if (isWhole) least = bounds.least;
    most = approximateLogSum(most, bounds.most);
  }
  const size = law.massError + lambda * largest * (law.lossError + 8 * U) + 64 * U * (1 + Math.abs(most));
  return enclosure(Math.max(0, least - survival), most - survival + size);
}

/** Where bounds in closed form are so near to each other nothing is integrated. */
const NARROW = 1e-13;

/** ln E[e^(lambda L)] of the finite losses, given that none is infinite. */
function logMomentOf(law: SampledLaw): LogMoment {
  const survival = logSurvivalOf(law);
  const transform = sampledTransform(law, survival);
  const moment = (lambda: number): Enclosure => {
    const closed = boundsOf(law, survival, lambda);
    if (closed.upper - closed.lower <= NARROW * closed.upper) return closed;
    const { value, error } = transform.logMoment(lambda);
    return error < Infinity ? meet(closed, enclosure(value - error, value + error)) : closed;
  };
  // An outline does not reach as far out as large lambda do.
  const far = (lambda: number): number =>
    law.parts.reduce(
      (sum, part) =>
        part.base.law === 'normal' ? approximateLogSum(sum, aboutFarMoment(law, part, power(part, lambda))) : sum,
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
    Math.max(0, ...[remove, add].map((one) => one.about?.(lambda) ?? one(lambda).upper));
  return Object.assign(moment, { about });
}
