import { approximateLogSum } from '../../numeric/enclosure-arithmetic.ts';
import { writeLogNormal, type LogComplex } from '../../numeric/normal.ts';
import { degreeOf, leastOther, leastOwn, logOther, logOwn, otherShare, ownShare } from './ratio.ts';
import type { Label, SampledLaw, SampledPart } from './sampled-law.ts';

/** So many deviations of the noise are kept beyond where the weight may be large: e^-(12.5^2 / 2) is below 1e-33. */
const KEPT = 12.5;

/** The powers of g, and of 1 / h, that the weight of a part has under a tilt. */
export interface Powers {
  readonly own: number;
  readonly other: number;
}

export const powersOf = ({ sign }: SampledPart, tilt: number): Powers =>
  sign > 0 ? { own: tilt + 1, other: tilt } : { own: -tilt, other: -tilt };

/** ln of a bound on Phi(x). */
export const logNormalMost = (x: number): number => (x < 0 ? -(x * x) / 2 - Math.LN2 : 0);

/** ln of the labels of a part at u. */
export function logLabels({ labels }: Pick<SampledPart, 'labels'>, u: number): number {
  const log: LogComplex = { modulus: 0, angle: 0 };
  let sum = 0;
  for (const { place, width, rises } of labels) {
    writeLogNormal(((rises ? 1 : -1) * (u - place)) / width, 0, log);
    sum += log.modulus;
  }
  return sum;
}

/** ln of the tilted density of a part at u. */
export function logWeight({ ratio }: SampledLaw, part: SampledPart, tilt: number): (u: number) => number {
  const { base } = part;
  const { own, other } = powersOf(part, tilt);
  return (u) =>
    base.logDensity(u) + own * logOwn(ratio, base, u) - other * logOther(ratio, base, u) + logLabels(part, u);
}

/** The stretch of a part that is looked at under a tilt, and ln of a bound on its weight beyond. */
export interface Reach {
  readonly from: number;
  readonly to: number;
  readonly logBeyond: number;
}

/** Where w ln g - u^2 / 2 is largest, w < 0, or less than that. */
export function modeOf({ ratio }: SampledLaw, { base }: SampledPart, w: number): number {
  const { slope } = base;
  let [low, high] = [w * slope * degreeOf(ratio.own), 0];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (w * slope * ownShare(ratio, base, middle) > middle) low = middle;
    else high = middle;
  }
  return low;
}

/** No more places than this are gone from. */
const MOST_STARTS = 64;

/** Places at which the weight of a part may have its maxima, about. */
export function peaksOf(law: SampledLaw, part: SampledPart, tilt: number): readonly number[] {
  const { ratio } = law;
  const { base, labels } = part;
  const { own, other } = powersOf(part, tilt);
  const beside = labels.flatMap(({ place, width }) => [-4, -2, 0, 2, 4, 8].map((i) => place + i * width));
  if (base.law === 'exponential') return beside;
  if (own < 0 && ratio.other.length === 0) return [modeOf(law, part, own), ...beside];
  // The maxima have u = w slope s(u), whose right side rises: the least, the largest, and of more records one between each two.
  const next = (u: number): number =>
    base.slope * (own * ownShare(ratio, base, u) + other * otherShare(ratio, base, u));
  const startsTo = (end: number, degree: number): readonly number[] => {
    const size = Math.min(MOST_STARTS, Math.ceil(degree));
    return Array.from({ length: size }, (_, m) => (end * degree * base.slope * (m + 1)) / size);
  };
  const starts = [
    0,
    ...startsTo(Math.max(0, own), degreeOf(ratio.own)),
    ...startsTo(Math.min(0, other), degreeOf(ratio.other)),
  ];
  const peaks = starts.map((start) => {
    let u = start;
    for (let i = 0; i < 40; i++) u = next(u);
    return u;
  });
  return [...peaks, ...beside];
}

/** ln of a bound on the upper tail of the normal distribution, x >= 0. */
const logTail = (x: number): number => (-x * x) / 2 - Math.LN2 + 1e-12;

/** A rising label is as good as 0 so many of its widths before its place: e^-(13.5^2 / 2) is below 1e-39. */
const BEFORE = 13.5;

/**
 * ln of a bound on the weight before a place that is far before a rising label. To the left of it the slope of the weight's logarithm
 * is at least that of the label, as ln Phi(x) has a slope of at least -x, and those of the density and of the powers, which are monotone.
 */
function logBefore({ ratio }: SampledLaw, part: SampledPart, { place, width }: Label, tilt: number, u: number): number {
  const { base } = part;
  const { own, other } = powersOf(part, tilt);
  const x = (u - place) / width;
  const falling = Math.min(0, own) * base.slope * ownShare(ratio, base, u);
  const steep = -x / width - Math.max(0, u) + falling + Math.min(0, other) * base.slope * degreeOf(ratio.other);
  const weight = base.logDensity(u) + own * logOwn(ratio, base, u) - other * logOther(ratio, base, u);
  return steep > 0 ? weight + logNormalMost(x) - Math.log(steep) : Infinity;
}

/** At least ln of the integral up to u of a normal density times e^(v x), v < 0. */
const logShifted = (v: number, u: number): number => (v * v) / 2 + logTail(Math.max(0, v - u));

/**
 * Where the weight of a part is not small. With w the power of g: to the right, for w >= 0, g^w = e^(Kwl) (prod (rate + rest e^-l))^w, of
 * which e^(Kwl) moves the normal distribution by K w slope, K the sum of the powers of factors; else g^w falls. To the left, for w >= 0, g^w rises;
 * else, where h = 1, the weight is log-concave of curvature at least 1, as ln g is convex in u. The powers of h are those of g mirrored.
 * Labels lessen the weight.
 */
export function reachOf(law: SampledLaw, part: SampledPart, tilt: number): Reach {
  const { base, labels } = part;
  if (base.law === 'exponential') return { from: part.from, to: part.to, logBeyond: -Infinity };
  const { ratio } = law;
  const { own: w, other: v } = powersOf(part, tilt);
  const hasOther = ratio.other.length > 0;
  const whole = base.slope * degreeOf(ratio.own);
  const otherWhole = base.slope * degreeOf(ratio.other);
  const low = hasOther ? Math.min(0, v) * otherWhole : w < 0 ? modeOf(law, part, w) : 0;
  const high = Math.max(0, w) * whole;
  const within = (u: number): number => Math.min(part.to, Math.max(part.from, u));
  const rising = labels.find(({ rises }) => rises);
  const start = rising === undefined ? -Infinity : rising.place - BEFORE * rising.width;
  const from = within(Math.max(low - KEPT, start));
  const to = within(Math.max(high, from) + KEPT);
  const g = (u: number): number => logOwn(ratio, base, u);
  const h = (u: number): number => logOther(ratio, base, u);
  const otherAfter = hasOther ? -v * (v < 0 ? h(to) : leastOther(ratio)) : 0;
  const right =
    to === part.to
      ? -Infinity
      : w >= 0
        ? (w * (w - 1) * whole * whole) / 2 +
          w * (g(to) - whole * to + (whole * whole) / 2) +
          otherAfter +
          logTail(Math.max(0, to - high))
        : w * g(to) + otherAfter + logTail(Math.max(0, to));
  const ownBefore = w * (w < 0 ? leastOwn(ratio) : g(from));
  const usual =
    hasOther && v < 0
      ? ownBefore - v * (h(from) + otherWhole * from) + logShifted(v * otherWhole, from)
      : w >= 0 || hasOther
        ? ownBefore - v * h(from) + logTail(Math.max(0, -from))
        : w * g(low) - (low * low) / 2 + 1e-6 + logTail(KEPT);
  const left = from === part.from ? -Infinity : from > start ? usual : logBefore(law, part, rising!, tilt, from);
  return { from, to, logBeyond: approximateLogSum(left, right) };
}
