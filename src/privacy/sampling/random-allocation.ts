import { ONE } from '../../numeric/decimal.ts';
import { enclosure, midpoint, width, type Enclosure } from '../../numeric/enclosure.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { Directions } from '../curve.ts';
import { muSquaredOfNoise } from '../gaussian.ts';
import { squaredRatio, type LogMoment } from '../log-moment.ts';
import type { Gdp, Gaussian, Sampled, SampledBase } from '../mechanism.ts';
import type { Allocation } from './allocation-table.ts';
import { allocationTransform } from './allocation-transform.ts';
import { rationalOf } from './rate.ts';
import type { Direction } from './sampled-law.ts';

/** One epoch: a record is in `selected` of `batches` batches, every choice being as likely, with Gaussian noise on each. */
export interface RandomAllocation extends Sampled {
  readonly scheme: 'random-allocation';
  readonly of: Gaussian | Gdp;
}

/** The mechanisms that may be allocated. */
export const isAllocable = ({ type }: SampledBase): boolean => type === 'gaussian' || type === 'gdp';

/** Whether a mechanism on samples is an epoch of random allocation. */
export const isAllocation = (mechanism: Sampled): mechanism is RandomAllocation =>
  mechanism.scheme === 'random-allocation';

/** Into how many batches an epoch of random allocation is divided, and in how many of them a record is. */
export function sizesOf({ rate, batches = ONE }: Sampled): { readonly batches: number; readonly selected: number } {
  const t = batches.toNumber();
  const { numerator, denominator } = rationalOf(rate);
  return { batches: t, selected: Math.max(1, Math.min(t, Math.round((t * Number(numerator)) / Number(denominator)))) };
}

/** mu^2 of the noise on one batch. */
export const muSquaredOfBatch = ({ of }: RandomAllocation): Enclosure =>
  of.type === 'gaussian' ? muSquaredOfNoise(of) : squaredRatio(of.mu, ONE);

/** `count` times, a record is in one of so many batches. */
export interface AllocationBlock {
  readonly batches: number;
  readonly count: number;
}

/**
 * Allocations to one of several batches each that together have at least the curve of an epoch. A set of k of t batches, every one
 * being as likely, is a partition of the t into k blocks, every one being as likely, and one batch of each; who is told the partition sees
 * the composition of k allocations to one batch, of sizes floor(t / k) or one more. For k = 1, and for k = t, it is the epoch itself.
 *
 * Source: derived; by joint convexity of the hockey-stick divergence, in both directions.
 */
export function blocksOf(mechanism: Sampled): readonly AllocationBlock[] {
  const { batches, selected } = sizesOf(mechanism);
  const larger = batches % selected;
  const size = Math.floor(batches / selected);
  return [
    { batches: size, count: selected - larger },
    { batches: size + 1, count: larger },
  ].filter(({ count }) => count > 0);
}

/** Whether blocks are the epoch itself. */
export function isOneBlock(mechanism: Sampled): boolean {
  const { batches, selected } = sizesOf(mechanism);
  return selected === 1 || selected === batches;
}

/** The law of one block; its parameter is a double near the true one. */
export function allocationLaw(muSquared: Enclosure, batches: number): Allocation {
  const middle = midpoint(muSquared);
  return { batches, muSquared: middle, muError: width(muSquared) / middle + U };
}

/** From a batch of this mu on integrals take minutes, and sampling takes little of the loss: closed forms are near. */
export const LARGE_MU = 8;

const isFarApart = (mechanism: RandomAllocation): boolean => muSquaredOfBatch(mechanism).upper >= LARGE_MU ** 2;

/**
 * What is known of ln E[e^(lambda L)] in closed form: of a block of t batches, m = mu^2,
 * removal: lambda (lambda + 1) m / 2 and, where that is less, lambda ((lambda + 1) m / 2 - ln t + ln(1 + (t - 1) e^-m)) for lambda >= 1,
 * lambda (lambda + 1) m / 2 - lambda ln t + ln(1 + (t - 1) e^(-lambda m)) below;
 * addition: lambda m / 2 + lambda^2 m / (2 t).
 *
 * [derived] The ratio is the mean of t lognormal Y_i. Of a removal, the norm of order lambda of one Y_i is e^((lambda + 1) m / 2) and of
 * the others e^((lambda - 1) m / 2), and that of the mean at most their mean (Minkowski); below 1 the power of a sum is at most the sum of
 * the powers. Of an addition E[ratio^-lambda] is at most that
 * of the geometric mean of the Y_i. Without t: Renyi divergences are quasi-convex.
 */
function closedMoment(mechanism: RandomAllocation, direction: Direction, lambda: number): Enclosure {
  const square: number = muSquaredOfBatch(mechanism).upper;
  const whole = (lambda * (lambda + 1) * square) / 2;
  const ofBlock = (t: number): number => {
    if (direction === 'add') return (lambda * square) / 2 + (lambda * lambda * square) / (2 * t);
    const [order, power] = lambda < 1 ? [lambda, 1] : [1, lambda];
    return whole + Math.min(0, power * Math.log1p((t - 1) * Math.exp(-order * square)) - lambda * Math.log(t));
  };
  const upper = blocksOf(mechanism).reduce(
    (sum, { batches: t, count }) => sum + count * (ofBlock(t) + 32 * U * (whole + lambda * (1 + Math.log(t)))),
    0,
  );
  return enclosure(0, Math.max(0, upper) * (1 + 32 * U));
}

/** ln E[e^(lambda L)] of an epoch in both directions; of several batches a record at most that. */
export function allocationMoments(mechanism: RandomAllocation): Directions<LogMoment> {
  const square = muSquaredOfBatch(mechanism);
  const blocks = blocksOf(mechanism);
  const momentIn = (direction: Direction): LogMoment => {
    const parts = blocks
      .filter(({ batches }) => batches > 1)
      .map(({ batches, count }) => ({
        count,
        transform: allocationTransform(allocationLaw(square, batches), direction),
      }));
    const shared = blocks.reduce((sum, { batches, count }) => sum + count / batches, 0);
    const gaussianPart = (lambda: number): number => ((lambda * (lambda + 1)) / 2) * midpoint(square) * shared;
    const about = (lambda: number): number =>
      isFarApart(mechanism)
        ? closedMoment(mechanism, direction, lambda).upper
        : parts.reduce(
            (sum, { count, transform }) => sum + count * transform.about!(lambda).value,
            gaussianPart(lambda),
          );
    const moment = (lambda: number): Enclosure => {
      const closed = closedMoment(mechanism, direction, lambda);
      if (isFarApart(mechanism)) return closed;
      let [sum, error] = [gaussianPart(lambda), 0];
      error += sum * (width(square) / midpoint(square) + 16 * U);
      for (const { count, transform } of parts) {
        const one = transform.logMoment(lambda);
        sum += count * one.value;
        error += count * one.error + 4 * U * (Math.abs(sum) + count * Math.abs(one.value));
      }
      if (!(error < Infinity)) return closed;
      return enclosure(
        isOneBlock(mechanism) ? Math.max(0, sum - error) : 0,
        Math.max(0, Math.min(closed.upper, sum + error)),
      );
    };
    return Object.assign(moment, { about });
  };
  return { remove: momentIn('remove'), add: momentIn('add') };
}
