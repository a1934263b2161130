import { Decimal } from '../../src/numeric/decimal.ts';
import { decimal } from '../mechanisms.ts';
import { largest } from './atoms.ts';
import { ofDecimal, type Interval, type Real } from './fixed-point.ts';
import { gaussianDelta } from './normal.ts';
import { CHANGES, type Change } from './sampled-atoms.ts';
import type { EntrySpec, Sampling } from './specification.ts';
import { NO_FAILURE, type Truth } from './truth.ts';

const BITS = 640;
const Wide = Decimal.clone({ precision: 230, toExpNeg: -9e15, toExpPos: 9e15 });
const ONE = new Wide(1);
const SCALE = new Wide(2).pow(BITS);
/** What 230 digits leave open, and the rounding of epsilon to as many bits. */
const ERROR = new Wide('1e-150');

export type Noise = Extract<EntrySpec, { scale: string } | { sigma: string } | { mu: string }> & {
  readonly type: 'gaussian' | 'gdp' | 'laplace';
};

export const isNoise = (entry: EntrySpec): entry is Noise => ['gaussian', 'gdp', 'laplace'].includes(entry.type);

/** The distance of the two centres, in units of the noise. */
export const distanceOf = (noise: Noise): Decimal => {
  if (noise.type === 'gdp') return decimal(noise.mu);
  return new Wide(noise.sensitivity).div(noise.type === 'gaussian' ? noise.sigma : noise.scale);
};

/** H_y(P, Q) of noise on all records. */
function divergenceOf(noise: Noise): (y: Decimal) => Decimal {
  const distance = distanceOf(noise);
  if (noise.type === 'laplace') {
    return (y) => {
      const epsilon = y.ln();
      if (epsilon.gte(distance)) return new Wide(0);
      return epsilon.lte(distance.neg()) ? ONE.minus(y) : ONE.minus(epsilon.minus(distance).div(2).exp());
    };
  }
  const at = gaussianDelta(distance, [{ p: 1n << BigInt(BITS), q: 1n << BigInt(BITS) }], BITS);
  return (y) => new Wide(at(ofDecimal(y.ln())).low.toString()).div(SCALE);
}

/** H_y of one mechanism on a sample, by the divergence on all records: every formula is exact. */
function sampledDivergence(noise: Noise, { scheme, rate }: Sampling, change: Change): (y: Decimal) => Decimal {
  const all = divergenceOf(noise);
  const drawn = new Wide(rate[0]).div(rate[1]);
  const amplified = (y: Decimal): Decimal => {
    const ratio = y.minus(1).div(drawn).plus(1);
    return ratio.gt(0) ? drawn.times(all(ratio)) : ONE.minus(y);
  };
  // H_y(P, Q) = 1 - y + y H_(1/y)(Q, P).
  const exchanged = (y: Decimal): Decimal => ONE.minus(y).plus(y.times(amplified(ONE.div(y))));
  if (scheme === 'poisson') return change === 'remove' ? amplified : exchanged;
  return (y) => (y.gte(1) ? amplified(y) : exchanged(y));
}

/** Noise on one sample of some of the records, in closed form. */
export function oneSampleTruth(noise: Noise, sampling: Sampling): Truth {
  const curves = CHANGES.map((change) => sampledDivergence(noise, sampling, change));
  const rate = Number(sampling.rate[0]) / Number(sampling.rate[1]);
  const distance = distanceOf(noise).toNumber();
  const most = Math.max(Math.log1p(rate * Math.expm1(distance)), -Math.log1p(rate * Math.expm1(-distance)));
  return {
    means: 'optimum',
    deltaAt(epsilon: Real) {
      const y = new Wide(epsilon(BITS).toString()).div(SCALE).exp();
      return largest(
        curves.map((curve): Interval => {
          const value = curve(y);
          const error = ERROR.times(y.plus(1));
          return {
            low: ofDecimal(value.minus(error))(BITS),
            high: ofDecimal(value.plus(error))(BITS) + 1n,
            bits: BITS,
          };
        }),
      );
    },
    failure: NO_FAILURE,
    maximum: noise.type === 'laplace' ? most : Infinity,
  };
}
