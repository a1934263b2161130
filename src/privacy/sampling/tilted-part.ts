import { logMixture, type SampledLaw, type SampledPart } from './sampled-law.ts';

/** So many deviations of the noise are kept beyond where the weight may be large: e^-(12.5^2 / 2) is below 1e-33. */
const KEPT = 12.5;
export const share = (law: SampledLaw, l: number): number => 1 / (1 + (law.rates.rest / law.rates.rate) * Math.exp(-l));

/** The power of g that the weight of a part has under a tilt. */
export const power = ({ sign }: SampledPart, tilt: number): number => (sign > 0 ? tilt + 1 : -tilt);

/** ln of the tilted density of a part at u. */
export function logWeight(law: SampledLaw, part: SampledPart, tilt: number): (u: number) => number {
  const { base } = part;
  const w = power(part, tilt);
  return (u) => base.logDensity(u) + w * logMixture(law.rates, base.slope * u + base.shift);
}

/** The stretch of a part that is looked at under a tilt, and ln of a bound on its weight beyond. */
export interface Reach {
  readonly from: number;
  readonly to: number;
  readonly logBeyond: number;
}

/** Where w ln g - u^2 / 2 is largest, w < 0, or less than that. */
function modeOf(law: SampledLaw, { base: { slope, shift } }: SampledPart, w: number): number {
  let [low, high] = [w * slope, 0];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (w * slope * share(law, slope * middle + shift) > middle) low = middle;
    else high = middle;
  }
  return low;
}

/** ln of a bound on the upper tail of the normal distribution, x >= 0. */
const logTail = (x: number): number => (-x * x) / 2 - Math.LN2 + 1e-12;

const logAdd = (a: number, b: number): number => {
  const top = Math.max(a, b);
  return top === -Infinity ? top : top + Math.log1p(Math.exp(Math.min(a, b) - top));
};

/** What is below e^-80 of the highest weight is left out. */
const DEPTH = 80;
/** In deviations of the noise. */
const CELL = 0.05;
const MOST_CELLS = 8000;

/** The same with the highest stretch left out, as far as that weighs nothing: cell by cell g is at most that at its right end. */
function shortened({ from, to, logBeyond }: Reach, w: number, g: (u: number) => number): Reach {
  const cells = Math.floor((to - Math.max(0, from)) / CELL);
  if (cells < 1 || cells > MOST_CELLS) return { from, to, logBeyond };
  const end = (i: number): number => to - i * CELL;
  const heights = Array.from({ length: cells + 1 }, (_, i) => w * g(end(i)) - end(i) ** 2 / 2);
  const least = heights.reduce((most, x) => Math.max(most, x), -Infinity) - DEPTH;
  let beyond = logBeyond;
  for (let i = 0; i < cells; i++) {
    const more = logAdd(beyond, w * g(end(i)) - end(i + 1) ** 2 / 2 + Math.log(CELL));
    if (more > Math.max(least, logBeyond)) return { from, to: end(i), logBeyond: beyond };
    beyond = more;
  }
  return { from, to: end(cells), logBeyond: beyond };
}

/**
 * Where the weight of a part is not small. With w the power of g: to the right, for w >= 0, g^w = e^(wl) (rate + rest e^-l)^w,
 * of which e^(wl) moves the normal distribution by w slope; else g^w falls. To the left, for w >= 0, g^w rises; else the
 * weight is log-concave of curvature at least 1, as ln g is convex in u.
 */
export function reachOf(law: SampledLaw, part: SampledPart, tilt: number): Reach {
  const { base } = part;
  if (base.law === 'exponential') return { from: part.from, to: part.to, logBeyond: -Infinity };
  const { slope, shift } = base;
  const w = power(part, tilt);
  const [low, high] = w < 0 ? [modeOf(law, part, w), 0] : [0, w * slope];
  const [from, to] = [Math.max(part.from, low - KEPT), Math.max(part.from, high + KEPT)];
  const g = (u: number): number => logMixture(law.rates, slope * u + shift);
  const right =
    w >= 0
      ? (w * (w - 1) * slope * slope) / 2 + w * (g(to) - slope * to - shift) + logTail(Math.max(0, to - high))
      : w * g(to) + logTail(Math.max(0, to));
  const isCut = from > part.from;
  const left = w >= 0 ? w * g(from) + logTail(-from) : w * g(low) - (low * low) / 2 + 1e-6 + logTail(KEPT);
  const reach = { from, to, logBeyond: isCut ? logAdd(left, right) : right };
  return w > 0 ? shortened(reach, w, g) : reach;
}

/** At least |slope| + 3 sqrt(|curvature|) of the logarithm of a part's weight times a power of g, over [low, high]. */
export function steepness(law: SampledLaw, part: SampledPart, tilt: number, low: number, high: number): number {
  const { base } = part;
  const { slope, shift } = base;
  const powers = Math.abs(power(part, tilt)) + 2;
  // The slope of ln g is slope times the share of the second summand, which rises with u; its curvature at most slope^2 / 4.
  const bend = powers * slope * share(law, slope * high + shift);
  const [own, curved] = base.law === 'normal' ? [Math.max(Math.abs(low), Math.abs(high)), 1] : [0.5, 0];
  const curvature = Math.min((powers * slope * slope) / 4, bend * slope) + curved;
  return own + bend + 3 * Math.sqrt(curvature);
}
