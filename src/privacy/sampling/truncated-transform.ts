import type {
  About,
  BeyondLoss,
  LabelledLoss,
  LineTransform,
  LossLabels,
  LossTransform,
  Ratios,
} from '../../numeric/contour/transform.ts';
import { writeLogRatio } from '../../numeric/contour/transform.ts';
import { enclosure, type Approximate, type Enclosure } from '../../numeric/enclosure.ts';
import { logNormalTail } from '../../numeric/normal.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import type { Allocation } from './allocation-table.ts';
import type { Direction } from './sampled-law.ts';
import { EpochNoise } from './epoch-noise.ts';
import { saddleOf, TruncatedMoment } from './truncated-moment.ts';
import { outsideOf } from './truncated-noise.ts';

/** Places of a difference quotient are this far apart, over 1 + |w|. */
const APART = 0.05;
/** Nearer to 0 the power is none. */
const NEAR = 1e-9;
const FAR = 16;
/** Below 0 noise is cut off so much further out. */
const FURTHER = 2;
/** How far off a line may be from where it is thought to be. */
const UNSURE = 1.2;
/** What less of a range is. */
const INNER = 0.6;
/** Places from which jumps are counted are so far apart. */
const GRID = 0.25;
/** The place of a removal where E[1 / M] is. */
const INVERSE = -2;
/** Roundings of a logarithm of a probability. */
const ROUNDED = 1e-13;
/** About how many terms one of their values is a sum of. */
const TERMS = 1000;
/** Lines that are kept. */
const KEPT = 64;

const NOTHING_BEYOND: BeyondLoss = { logMost: () => -Infinity, about: () => -Infinity, moments: () => null };

/**
 * ln of the probability that the noise of some batch is above a place and that of none above another, under P and under Q. Under P it has
 * the mean mu (1 - 1 / t) in the batch of the record and -mu / t in the others, under Q the mean 0.
 */
function jumpsBetween({ batches: t, muSquared, muError }: Allocation, from: number, to: number) {
  const mu = Math.sqrt(muSquared);
  const off = 2 * muError * mu + 4 * U * (mu + to);
  const above = (place: number, shift: number): Enclosure => {
    const end = (sign: 1 | -1, read: (tail: Enclosure) => number): number => {
      const none = (mean: number): number => Math.log1p(-Math.exp(read(logNormalTail(place - mean + sign * off))));
      return Math.log(-Math.expm1(none(shift * (1 - 1 / t)) + (t - 1) * none(-shift / t)));
    };
    return enclosure(end(1, (tail) => tail.lower) - ROUNDED, Math.min(0, end(-1, (tail) => tail.upper) + ROUNDED));
  };
  const between = (shift: number): Approximate => {
    const { lower, upper } = above(from, shift);
    const { upper: beyond } = above(to, shift);
    const least = beyond < lower ? lower + Math.log1p(-Math.exp(beyond - lower)) - ROUNDED : -Infinity;
    return { value: upper, error: upper - least + 4 * U * Math.abs(upper) };
  };
  return { own: between(mu), other: between(0) };
}

/** An epoch whose noise is in range, or else is left out. */
export interface Truncated {
  readonly transform: LossTransform;
  /**
   * The same, of which the epochs in which a batch alone has a large loss are jumps, or beyond. Losses beyond may come with others out of range:
   * the upper end at epsilon lacks e^epsilon times the probability of that.
   */
  readonly withJumps: LossTransform;
  /** At most the probability of what is left out. */
  readonly lost: number;
  /** Whether one batch at the end of the range decides next to nothing, about, on a line through a place. */
  readonly isTame: (c: number) => boolean;
}

/**
 * By noise in range.
 *
 * @param inner - the same in less of the range: of its moments, which are no larger, more is known about where those of the whole begin to have
 *   a second peak
 */
function transformOf(
  noise: EpochNoise,
  direction: Direction,
  logAt0: Approximate,
  inner: EpochNoise | null = null,
): LossTransform {
  const { batches: t, muSquared } = noise.law;
  const sign = direction === 'remove' ? 1 : -1;
  const powerAt = (c: number): number => (direction === 'remove' ? 1 + c : -c);
  const logAbout = (w: number): number => {
    if (Math.abs(w) < NEAR) return logAt0.value;
    const log = saddleOf(noise, w).log;
    return (inner ? Math.max(log, saddleOf(inner, w).log) : log) + (w * muSquared) / (2 * t);
  };
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
  const momentOn = (c: number): TruncatedMoment => lines.get(String(c), () => new TruncatedMoment(noise, powerAt(c)));
  const lineOn = (c: number): LineTransform => {
    const moment = momentOn(c);
    const { mean, variance } = about(c);
    const one: Ratios = { x: new Float64Array(1), y: new Float64Array(1), error: new Float64Array(1) };
    return {
      terms: TERMS,
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
  return {
    terms: TERMS,
    about,
    typical: () => Math.sqrt(about(0).variance),
    logMoment(c) {
      const w = powerAt(c);
      if (w === 0) return logAt0;
      if (direction === 'add' || !(w > -1 && w < 0)) return momentOn(c).moment;
      // By convexity in w, and as the mean of M'' is at most 1.
      const least = (1 - w) * (logAt0.value - logAt0.error);
      const inverse = momentOn(INVERSE).moment;
      const most = (1 + w) * (logAt0.value + logAt0.error) - w * (inverse.value + inverse.error) + ROUNDED;
      return { value: most, error: most - least };
    },
    on: lineOn,
  };
}

/**
 * The part of {@link allocationTransform} in which the noise of every batch is in range. The pair is a composition of a Gaussian mechanism of
 * mu^2 / t and of what the noise differs from its mean by; to the latter the mean x' of other noise is added, so that its sum is noise x of
 * every batch, and M'' = M(x) e^(-mu x' + mu^2 / 2t). Whether all x are in range is a label that is drawn from the outcome alone: with A that
 * they are, E_P[(1 - e^(eps - L))+] is at least its part on A, and more by P(not A) at most. The moments on A are finite for all powers. One
 * batch far out makes a second peak of them: whether there is an x above a place in range, a jump, is a label too.
 *
 * Source: derived.
 */
export function truncatedTransform(law: Allocation, reach: number, direction: Direction): Truncated {
  // Moments of additions are tame whatever the range.
  const to = direction === 'add' ? Math.max(reach, FAR) : reach;
  const from = -to - FURTHER;
  const { batches: t, muSquared } = law;
  const mu = Math.sqrt(muSquared);
  const lost = outsideOf(law, from, to);
  const upTo = (cut: number, inner: EpochNoise | null = null): LossTransform => {
    const outside = outsideOf(law, from, cut);
    const logAt0 = { value: 0, error: outside < 0.5 ? 2 * outside : Infinity };
    return transformOf(new EpochNoise(law, from, cut), direction, logAt0, inner);
  };
  const transform = upTo(to, direction === 'remove' ? new EpochNoise(law, from, INNER * to) : null);
  const jumpsIn = (cut: number, end: number) => {
    const { own, other } = jumpsBetween(law, cut, end);
    return { own, other, transform: transformOf(new EpochNoise(law, from, cut, end), direction, other) };
  };
  const splits = new LruCache<LabelledLoss>(KEPT);
  /** The place in noise of a loss of one batch alone. */
  const placeOf = (loss: number): number =>
    Math.min(to, GRID * Math.max(1, Math.ceil((Math.log(t * Math.expm1(loss)) / mu + mu / 2) / GRID)));
  const beyondPlace = (end: number): BeyondLoss => {
    if (!(end < to)) return NOTHING_BEYOND;
    const { own, other, transform: jumps } = jumpsIn(end, to);
    return {
      logMost: () => own.value,
      about: (c) => (c === 0 ? own : c === -1 ? other : jumps.about!(c)).value,
      moments: (c) => [own, other, jumps.logMoment(c)],
    };
  };
  const labelled = (labels: LossLabels): LabelledLoss => {
    const end = placeOf(labels.beyond.to);
    const cut = labels.jump === null ? end : placeOf(labels.jump.from);
    return splits.get(`${cut} ${end}`, () => ({
      bulk: upTo(cut),
      jump: cut < end ? jumpsIn(cut, end).transform : null,
      beyond: beyondPlace(end),
      logLost: -Infinity,
    }));
  };
  const far = Math.expm1(mu * reach - muSquared / 2) / t;
  const isTame = (c: number): boolean =>
    direction === 'add' || UNSURE * (1 + c) * far + Math.log(t) < (reach * reach) / 2;
  const withJumps = direction === 'add' ? transform : { ...upTo(placeOf(1)), labelled, isMutual: true };
  return { transform, withJumps, lost, isTame };
}
