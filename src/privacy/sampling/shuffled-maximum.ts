import { enclosure, midpoint, type Enclosure } from '../../numeric/enclosure.ts';
import { add, expm1, negate, times } from '../../numeric/enclosure-arithmetic.ts';
import { approximateLogSum } from '../../numeric/log-sum.ts';
import { logNormalTail } from '../../numeric/normal.ts';
import { nextDown, nextUp } from '../../numeric/rounding.ts';

/** The noisy sums of one epoch, in units of the noise: N(mean e_t, I) in `batches` dimensions, t uniform. */
export interface Spike {
  /** At least 0; exact. */
  readonly mean: number;
  /** A whole number from 1. */
  readonly batches: number;
}

/** ln Phi(x - mean). */
function logBelowOne(x: number, mean: number): Enclosure {
  const shifted = x - mean;
  return enclosure(logNormalTail(-nextDown(shifted)).lower, logNormalTail(-nextUp(shifted)).upper);
}

/**
 * ln P(max_t w_t < c) = ln Phi(c - mean) + (T - 1) ln Phi(c) of the largest of the T noisy sums of one epoch, for every
 * real `c`: the sums are independent given t, and the probability is the same for every t. Encloses.
 */
export function logMaximumBelow({ mean, batches }: Spike, c: number): Enclosure {
  const { lower, upper } = add(logBelowOne(c, mean), times(batches - 1, logNormalTail(-c)));
  return enclosure(lower, Math.min(0, upper));
}

/** P(max_t w_t >= c), with full relative accuracy where it is small. See {@link logMaximumBelow}. */
export function maximumAbove(spike: Spike, c: number): Enclosure {
  const { lower, upper } = negate(expm1(logMaximumBelow(spike, c)));
  return enclosure(Math.max(0, lower), Math.min(1, upper));
}

/** ln of the density of the largest sum at c over Phi(c)^(T-2) phi(c): both spikes have that factor. In doubles. */
function logRelativeDensity({ mean, batches }: Spike, c: number): number {
  const below = (x: number): number => midpoint(logNormalTail(-x));
  return approximateLogSum(mean * (c - mean / 2) + below(c), Math.log(batches - 1) + below(c - mean));
}

/**
 * About the loss ln p(c)/q(c) of the largest sum, p and q its densities under the two spikes; for choosing events, where
 * any choice is sound: no error bound is given.
 */
export const maximumLoss = (p: Spike, q: Spike, c: number): number =>
  logRelativeDensity(p, c) - logRelativeDensity(q, c);

const HALVINGS = 36;

/** Thresholds beyond this are not tried. */
const FARTHEST = 2 ** 60;

/** About the c at which {@link maximumLoss} is `loss`, which rises from -infinity to infinity where mean p > mean q. */
export function thresholdAtLoss(p: Spike, q: Spike, loss: number): number {
  // Where there is one batch the loss is (p - q) (c - (p + q) / 2).
  const alone = (p.mean + q.mean) / 2 + loss / (p.mean - q.mean);
  let [low, high] = [alone - 1, alone + 1];
  for (let reach = 1; maximumLoss(p, q, low) > loss && reach < FARTHEST; reach *= 2) low -= reach;
  for (let reach = 1; maximumLoss(p, q, high) < loss && reach < FARTHEST; reach *= 2) high += reach;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = low + (high - low) / 2;
    if (maximumLoss(p, q, middle) < loss) low = middle;
    else high = middle;
  }
  return high;
}
