import type { BaseDensity } from './base-law.ts';
import { logOfRest, type Factor, type RateInDoubles } from './rate.ts';

/**
 * A likelihood ratio along a part, f = g / h: g the product of powers of rest + rate e^l over `own`, l = slope u + shift, and h that over `other`
 * with l = otherShift - slope u, which is 1 where there are none. Both g and 1 / h rise along u, and above the real axis the arguments of
 * all their factors are at least 0.
 */
export interface Ratio {
  readonly own: readonly Factor[];
  readonly other: readonly Factor[];
  readonly otherShift: number;
  /** ln of the weights of e^0, e^u, e^2u, ... in g, each times a density. */
  readonly logWeights: readonly number[];
  /** How many records there are, of both. */
  readonly records: number;
  /** Whether there are fewer factors, whose product is a little less: see `record-factors.ts`. */
  readonly isReduced: boolean;
}

type Along = Pick<BaseDensity, 'slope' | 'shift'>;

/** The ratio of one record on a sample. */
export const ratioOf = (rates: RateInDoubles): Ratio => ({
  own: [{ ...rates, power: 1 }],
  other: [],
  otherShift: 0,
  logWeights: [Math.log(rates.rest), Math.log(rates.rate)],
  records: 1,
  isReduced: false,
});

/** ln(rest + rate e^l). */
export function logMixture({ rate, rest }: RateInDoubles, l: number): number {
  if (l > 300) return Math.log(rate) + l;
  const x = rate * Math.expm1(l);
  return x > -0.5 ? Math.log1p(x) : Math.log(rest + rate * Math.exp(l));
}

/** The l of which ln(rest + rate e^l) is x; an infinite one where there is none. */
export function mixtureInverse({ rate, rest }: RateInDoubles, x: number): number {
  if (x > 300) return x - Math.log(rate);
  const y = Math.expm1(x) / rate;
  if (y > -0.5) return Math.log1p(y);
  const share = (Math.exp(x) - rest) / rate;
  return share > 0 ? Math.log(share) : -Infinity;
}

/** The share of the second summand of rest + rate e^l. */
export const share = ({ rate, rest }: RateInDoubles, l: number): number => 1 / (1 + (rest / rate) * Math.exp(-l));

/** The logarithm of a product at a height, and the sum of its factors' shares, each over the modulus that the height leaves of a factor. */
export interface Raised {
  modulus: number;
  angle: number;
  levered: number;
  /** Sums of the moduli on the real axis, and of what is less at the height. */
  size: number;
}

/** Writes the logarithm of prod (rest + rate e^(l + i turn))^power, |turn| <= pi. */
export function writeRaised(factors: readonly Factor[], l: number, turn: number, raised: Raised): void {
  raised.modulus = raised.angle = raised.levered = raised.size = 0;
  const half = Math.sin(turn / 2) ** 2;
  for (const rates of factors) {
    const s = share(rates, l);
    const shrunk = 0.5 * Math.log1p(-4 * s * (1 - s) * half);
    const real = logMixture(rates, l);
    const { power } = rates;
    raised.modulus += power * (real + shrunk);
    raised.angle += power * Math.atan2(s * Math.sin(turn), 1 - 2 * s * half);
    raised.levered += (power * s) / Math.exp(shrunk);
    raised.size += power * (Math.abs(real) + Math.abs(shrunk));
  }
}

function sumOver(factors: readonly Factor[], l: number, of: (rates: RateInDoubles, l: number) => number): number {
  let sum = factors[0]!.power * of(factors[0]!, l);
  for (let j = 1; j < factors.length; j++) sum += factors[j]!.power * of(factors[j]!, l);
  return sum;
}

/** The sum of the powers of factors: of several records, their number at most. */
export const degreeOf = (factors: readonly Factor[]): number => factors.reduce((sum, { power }) => sum + power, 0);

/** ln g. */
export const logOwn = ({ own }: Ratio, { slope, shift }: Along, u: number): number =>
  sumOver(own, slope * u + shift, logMixture);

/** ln h. */
export const logOther = ({ other, otherShift }: Ratio, { slope }: Along, u: number): number =>
  other.length === 0 ? 0 : sumOver(other, otherShift - slope * u, logMixture);

/** ln f, which rises along u. */
export const logRatio = (ratio: Ratio, along: Along, u: number): number =>
  ratio.other.length === 0 ? logOwn(ratio, along, u) : logOwn(ratio, along, u) - logOther(ratio, along, u);

/** The sum of the shares of g's factors, which is the slope of ln g over that of l; it rises along u. */
export const ownShare = ({ own }: Ratio, { slope, shift }: Along, u: number): number =>
  sumOver(own, slope * u + shift, share);

/** The sum of the shares of h's factors, which is the slope of ln(1 / h) over that of l; it falls along u. */
export const otherShare = ({ other, otherShift }: Ratio, { slope }: Along, u: number): number =>
  other.length === 0 ? 0 : sumOver(other, otherShift - slope * u, share);

/** ln g where u is far below 0, and ln h where it is far above: their least values. */
const leastOf = (factors: readonly Factor[]): number =>
  factors.reduce((sum, factor) => sum + factor.power * logOfRest(factor), 0);
export const leastOwn = ({ own }: Ratio): number => leastOf(own);
export const leastOther = ({ other }: Ratio): number => leastOf(other);

const [MOST_HALVINGS, FARTHEST] = [200, 1e6];

/** The u at which ln f is x, to roundings; an infinite one where there is none. */
export function placeOf(ratio: Ratio, along: Along, x: number): number {
  const { slope, shift } = along;
  const [only, ...more] = ratio.own;
  if (more.length === 0 && only!.power === 1 && ratio.other.length === 0)
    return (mixtureInverse(only!, x) - shift) / slope;
  let [low, high] = [-FARTHEST / slope, FARTHEST / slope];
  if (!(logRatio(ratio, along, low) < x)) return -Infinity;
  if (!(logRatio(ratio, along, high) > x)) return Infinity;
  let u = 0;
  for (let i = 0; i < MOST_HALVINGS; i++) {
    const off = logRatio(ratio, along, u) - x;
    if (off === 0) return u;
    if (off < 0) low = u;
    else high = u;
    const step = off / (slope * (ownShare(ratio, along, u) + otherShare(ratio, along, u)));
    const next = u - step > low && u - step < high ? u - step : (low + high) / 2;
    if (Math.abs(next - u) <= 1e-15 * Math.abs(next) || next === u) return next;
    u = next;
  }
  return u;
}
