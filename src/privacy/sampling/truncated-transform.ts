import type { About, LineTransform, LossTransform } from '../../numeric/contour/transform.ts';
import { writeLogRatio, type Ratios } from '../../numeric/contour/transform.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import type { Allocation } from './allocation-table.ts';
import type { Direction } from './sampled-law.ts';
import { saddleOf, TruncatedMoment } from './truncated-moment.ts';
import { TruncatedNoise } from './truncated-noise.ts';

/** Places of a difference quotient are this far apart, over 1 + |w|. */
const APART = 0.05;
/** Nearer to 0 the power is none. */
const NEAR = 1e-9;
const FAR = 16;
/** Lines that are kept. */
const KEPT = 64;

/** An epoch whose noise is in range, or else is left out. */
export interface Truncated {
  readonly transform: LossTransform;
  /** At most the probability of what is left out. */
  readonly lost: number;
  /** Whether one batch at the end of the range decides next to nothing, about, on a line through a place. */
  readonly isTame: (c: number) => boolean;
}

/**
 * The part of {@link allocationTransform} in which the noise of every batch is in range. The pair is a composition of a Gaussian mechanism of
 * mu^2 / t and of what the noise differs from its mean by; to the latter the mean x' of other noise is added, so that its sum is noise x of
 * every batch, and M'' = M(x) e^(-mu x' + mu^2 / 2t). Whether all x are in range is a label that is drawn from the outcome alone: with A that
 * they are, E_P[(1 - e^(eps - L))+] is at least its part on A, and more by P(not A) at most. The moments on A are finite for all powers, and
 * without the second peak that one batch far out makes.
 *
 * Source: derived.
 */
export function truncatedTransform(law: Allocation, reach: number, direction: Direction): Truncated {
  // Moments of additions are tame whatever the range.
  const noise = new TruncatedNoise(law, direction === 'add' ? Math.max(reach, FAR) : reach);
  const { batches: t, muSquared } = law;
  const sign = direction === 'remove' ? 1 : -1;
  const powerAt = (c: number): number => (direction === 'remove' ? 1 + c : -c);
  const logAbout = (w: number): number =>
    Math.abs(w) < NEAR ? 0 : saddleOf(noise, t, w).log + (w * muSquared) / (2 * t);
  const abouts = new LruCache<About>(KEPT);
  const about = (c: number): About =>
    abouts.get(String(c), () => {
      const w = powerAt(c);
      const h = APART * (1 + Math.abs(w));
      const [before, value, after] = [logAbout(w - h), logAbout(w), logAbout(w + h)];
      // Further out all overflows: as if it were infinite, so that none is asked for.
      if (!Number.isFinite(before + value + after)) return { value: Infinity, mean: Infinity, variance: 0 };
      const variance = Math.max(0, (after - 2 * value + before) / (h * h));
      return { value, mean: (sign * (after - before)) / (2 * h), variance };
    });
  const lines = new LruCache<TruncatedMoment>(KEPT);
  const momentOn = (c: number): TruncatedMoment =>
    lines.get(String(c), () => new TruncatedMoment(law, noise, powerAt(c)));
  const lineOn = (c: number): LineTransform => {
    const moment = momentOn(c);
    const { mean, variance } = about(c);
    const one: Ratios = { x: new Float64Array(1), y: new Float64Array(1), error: new Float64Array(1) };
    return {
      terms: 64,
      deviation: Math.sqrt(variance),
      mean,
      logMost: () => 0,
      at(place, ratio) {
        moment.fill(place, 1, 1, one);
        writeLogRatio(one.x[0]!, one.y[0]!, one.error[0]!, ratio);
      },
      fill(h, first, count, ratios) {
        moment.fill(h, first, count, ratios);
      },
    };
  };
  const transform: LossTransform = {
    terms: 64,
    about,
    typical: () => Math.sqrt(about(0).variance),
    logMoment: (c) => (powerAt(c) === 0 ? { value: 0, error: 2 * noise.lost } : momentOn(c).moment),
    on: lineOn,
  };
  const far = Math.expm1(Math.sqrt(muSquared) * reach - muSquared / 2) / t;
  const isTame = (c: number): boolean => direction === 'add' || (1 + c) * far + Math.log(t) < (reach * reach) / 2;
  return { transform, lost: noise.lost, isTame };
}
