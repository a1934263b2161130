import { approximateLogSum } from '../../numeric/enclosure-arithmetic.ts';
import { writeLogNormal, type LogComplex } from '../../numeric/normal.ts';
import type { RateInDoubles } from './rate.ts';
import { logMixture, type Label, type SampledLaw, type SampledPart } from './sampled-law.ts';

/** So many deviations of the noise are kept beyond where the weight may be large: e^-(12.5^2 / 2) is below 1e-33. */
const KEPT = 12.5;

/** The share of the second summand of g = rest + rate e^l. */
export const share = ({ rate, rest }: RateInDoubles, l: number): number => 1 / (1 + (rest / rate) * Math.exp(-l));

/** The power of g that the weight of a part has under a tilt. */
export const power = ({ sign }: SampledPart, tilt: number): number => (sign > 0 ? tilt + 1 : -tilt);

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
export function logWeight({ rates }: SampledLaw, part: SampledPart, tilt: number): (u: number) => number {
  const { base } = part;
  const w = power(part, tilt);
  return (u) => base.logDensity(u) + w * logMixture(rates, base.slope * u + base.shift) + logLabels(part, u);
}

/** The stretch of a part that is looked at under a tilt, and ln of a bound on its weight beyond. */
export interface Reach {
  readonly from: number;
  readonly to: number;
  readonly logBeyond: number;
}

/** Where w ln g - u^2 / 2 is largest, w < 0, or less than that. */
export function modeOf({ rates }: SampledLaw, { base: { slope, shift } }: SampledPart, w: number): number {
  let [low, high] = [w * slope, 0];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (w * slope * share(rates, slope * middle + shift) > middle) low = middle;
    else high = middle;
  }
  return low;
}

/** Places at which the weight of a part may have its maxima, about. */
export function peaksOf(law: SampledLaw, part: SampledPart, tilt: number): readonly number[] {
  const { base, labels } = part;
  const w = power(part, tilt);
  const beside = labels.flatMap(({ place, width }) => [-4, -2, 0, 2, 4, 8].map((i) => place + i * width));
  if (base.law === 'exponential') return beside;
  if (w < 0) return [modeOf(law, part, w), ...beside];
  // The maxima have u = w slope s(u), whose right side rises: the least, and the largest.
  const next = (u: number): number => w * base.slope * share(law.rates, base.slope * u + base.shift);
  let [low, high] = [0, w * base.slope];
  for (let i = 0; i < 40; i++) [low, high] = [next(low), next(high)];
  return [low, high, ...beside];
}

/** ln of a bound on the upper tail of the normal distribution, x >= 0. */
const logTail = (x: number): number => (-x * x) / 2 - Math.LN2 + 1e-12;

/** A rising label is as good as 0 so many of its widths before its place: e^-(13.5^2 / 2) is below 1e-39. */
const BEFORE = 13.5;

/**
 * ln of a bound on the weight before a place that is far before a rising label. To the left of it the slope of the weight's logarithm
 * is at least that of the label, as ln Phi(x) has a slope of at least -x, and those of the density and of g^w, which are monotone.
 */
function logBefore(law: SampledLaw, { base }: SampledPart, { place, width }: Label, w: number, u: number): number {
  const { slope, shift } = base;
  const x = (u - place) / width;
  const l = slope * u + shift;
  const steep = -x / width - Math.max(0, u) + Math.min(0, w) * slope * share(law.rates, l);
  return steep > 0 ? base.logDensity(u) + w * logMixture(law.rates, l) + logNormalMost(x) - Math.log(steep) : Infinity;
}

/**
 * Where the weight of a part is not small. With w the power of g: to the right, for w >= 0, g^w = e^(wl) (rate + rest e^-l)^w, of
 * which e^(wl) moves the normal distribution by w slope; else g^w falls. To the left, for w >= 0, g^w rises; else the weight is
 * log-concave of curvature at least 1, as ln g is convex in u. Labels lessen the weight.
 */
export function reachOf(law: SampledLaw, part: SampledPart, tilt: number): Reach {
  const { base, labels } = part;
  if (base.law === 'exponential') return { from: part.from, to: part.to, logBeyond: -Infinity };
  const { slope, shift } = base;
  const w = power(part, tilt);
  const [low, high] = w < 0 ? [modeOf(law, part, w), 0] : [0, w * slope];
  const within = (u: number): number => Math.min(part.to, Math.max(part.from, u));
  const rising = labels.find(({ rises }) => rises);
  const start = rising === undefined ? -Infinity : rising.place - BEFORE * rising.width;
  const from = within(Math.max(low - KEPT, start));
  const to = within(Math.max(high, from) + KEPT);
  const g = (u: number): number => logMixture(law.rates, slope * u + shift);
  const right =
    to === part.to
      ? -Infinity
      : w >= 0
        ? (w * (w - 1) * slope * slope) / 2 + w * (g(to) - slope * to - shift) + logTail(Math.max(0, to - high))
        : w * g(to) + logTail(Math.max(0, to));
  const usual =
    w >= 0 ? w * g(from) + logTail(Math.max(0, -from)) : w * g(low) - (low * low) / 2 + 1e-6 + logTail(KEPT);
  const left = from === part.from ? -Infinity : from > start ? usual : logBefore(law, part, rising!, w, from);
  return { from, to, logBeyond: approximateLogSum(left, right) };
}
