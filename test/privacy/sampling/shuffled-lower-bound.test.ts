import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { gaussianLogDelta } from '../../../src/privacy/gaussian.ts';
import { exactly } from '../../../src/numeric/enclosure.ts';
import {
  shuffledLowerBound,
  type ShuffledBatches,
  thresholdAtLoss,
  type Spike,
} from '../../../src/privacy/sampling/shuffled-lower-bound.ts';
import { normalTailOf } from '../../reference/normal-tail.ts';
import { precise } from '../../reference/precise.ts';

/** Digits that chances of 1e-70 are left of 1. */
const Wide = Decimal.clone({ precision: 150 });

const NEIGHBOURS = ['add-remove', 'replace-one'] as const;

const meansOf = ({ mu, neighbours }: ShuffledBatches): [p: number, q: number] =>
  neighbours === 'add-remove' ? [2 * mu, mu] : [mu, 0];

/** P(max < c) in decimals. */
function belowInDecimals(mean: number, batches: number, c: number): Decimal {
  const at = precise(c);
  const below = (x: Decimal): Decimal => new Wide(1).minus(normalTailOf(x));
  return below(at.minus(precise(mean))).times(below(at).pow(batches - 1));
}

/** The best of the events {max >= c} and {max < c} at several c. */
function bestInDecimals(shuffled: ShuffledBatches, epsilon: number, thresholds: readonly number[]): Decimal {
  const [p, q] = meansOf(shuffled);
  const y = new Wide(precise(epsilon)).exp();
  return thresholds.reduce<Decimal>((best, c) => {
    const [belowP, belowQ] = [p, q].map((mean) => belowInDecimals(mean, shuffled.batches, c)) as [Decimal, Decimal];
    const large = new Wide(1).minus(belowP).minus(y.times(new Wide(1).minus(belowQ)));
    const small = belowQ.minus(y.times(belowP));
    return Wide.max(best, large, small);
  }, new Wide(0));
}

const line = (from: number, to: number, points: number): number[] =>
  Array.from({ length: points + 1 }, (_, i) => from + ((to - from) * i) / points);

/** The hockey-stick divergence of two batches by a sum over squares of side 1/20, right to 1e-3. */
function ofTwoBatches(shuffled: ShuffledBatches, epsilon: number): number {
  const [p, q] = meansOf(shuffled);
  const phi = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  const density = (mean: number, x: number, y: number): number => (phi(x - mean) * phi(y) + phi(x) * phi(y - mean)) / 2;
  const places = line(-7, 7 + p, Math.round((14 + p) * 20));
  const [side, growth] = [places[1]! - places[0]!, Math.exp(epsilon)];
  let sum = 0;
  for (const x of places)
    for (const y of places) sum += Math.max(0, density(p, x, y) - growth * density(q, x, y)) * side * side;
  return sum;
}

describe('shuffled batches cost at least', () => {
  it('22.6 % at epsilon 4 where Poisson accounting says 1.2e-5: rate 1e-4, sigma 0.4, one epoch', () => {
    const hard = shuffledLowerBound({ mu: 2.5, batches: 10_000, neighbours: 'add-remove' });
    expect(hard.delta(4)).toBeGreaterThan(0.22605535);
    expect(hard.delta(4)).toBeLessThan(0.226056);
    expect(hard.epsilon(1e-5)).toBeGreaterThan(13.2066);
  });

  it('four times the epsilon of Poisson sampling in the tutorial: 60 epochs of 234 batches, sigma 1.1', () => {
    const tutorial = shuffledLowerBound({ mu: 1 / 1.1, batches: 234, epochs: 60, neighbours: 'add-remove' });
    // 10.8724 with losses rounded to hundredths, in doubles, neither up nor down.
    expect(tutorial.delta(10.86)).toBeGreaterThan(1e-5);
    expect(tutorial.delta(10.873)).toBeLessThan(1e-5);
  });

  it('what the best event of the largest sum shows, against 60 digits, and never more', () => {
    const questions: [mu: number, batches: number, epsilon: number][] = [
      [2.5, 10_000, 4],
      [2, 1e8, 0.5],
      [1, 100, 3],
      [5, 50, 60],
      [0.5, 10, 2],
      [1, 1000, 4],
      [2, 7, -1],
    ];
    for (const neighbours of NEIGHBOURS) {
      for (const [mu, batches, epsilon] of questions) {
        const shuffled = { mu, batches, neighbours };
        const [p, q] = meansOf(shuffled).map((mean) => ({ mean, batches })) as [Spike, Spike];
        const places = [thresholdAtLoss(p, q, epsilon), thresholdAtLoss(p, q, -epsilon)];
        const there = bestInDecimals(shuffled, epsilon, places);
        const near = bestInDecimals(shuffled, epsilon, [places[0]! - 0.01, places[0]! + 0.01]);
        const claimed = shuffledLowerBound(shuffled).delta(epsilon);
        const label = JSON.stringify({ ...shuffled, epsilon, there, near, claimed });
        expect(there.gte(near), label).toBe(true);
        expect(there.gte(claimed), label).toBe(true);
        expect(claimed, label).toBeGreaterThanOrEqual(there.toNumber() * (1 - 1e-11));
      }
    }
  });

  it('no more than there is: one batch is Gaussian noise, where the event is the best', () => {
    for (const [mu, epsilon] of [
      [1, 0],
      [0.3, 1],
      [4, 30],
      [1, 35],
      [30, 300],
      [2, -1],
    ] as const) {
      const { lower, upper } = gaussianLogDelta(exactly(mu), exactly(epsilon));
      for (const neighbours of NEIGHBOURS) {
        const { delta } = shuffledLowerBound({ mu, batches: 1, neighbours });
        expect(Math.log(delta(epsilon)), `${mu} ${epsilon}`).toBeLessThanOrEqual(upper);
        expect(Math.log(delta(epsilon)), `${mu} ${epsilon}`).toBeGreaterThan(lower - 1e-9);
      }
    }
  });

  it('no more than several epochs of one batch, which are Gaussian noise, and nearly as much', () => {
    const { delta } = shuffledLowerBound({ mu: 0.5, batches: 1, epochs: 9, neighbours: 'add-remove' });
    for (const epsilon of [0, 1, 3, 8]) {
      const { lower, upper } = gaussianLogDelta(exactly(1.5), exactly(epsilon));
      expect(Math.log(delta(epsilon))).toBeLessThanOrEqual(upper);
      expect(Math.log(delta(epsilon))).toBeGreaterThan(lower - 1e-9);
    }
  });

  it('no more than two batches cost, and most of it, against a double integral', () => {
    for (const neighbours of NEIGHBOURS) {
      for (const [mu, epsilon] of [
        [0.5, 0.1],
        [1, 1],
        [2, 2],
        [3, 0],
      ] as const) {
        const truth = ofTwoBatches({ mu, batches: 2, neighbours }, epsilon);
        const claimed = shuffledLowerBound({ mu, batches: 2, neighbours }).delta(epsilon);
        expect(claimed).toBeLessThan(truth + 1e-3);
        expect(claimed).toBeGreaterThan(0.85 * truth - 1e-3);
      }
    }
  });

  it('the chances of 1e-300 too', () => {
    const { delta, epsilon } = shuffledLowerBound({ mu: 1, batches: 1e6, neighbours: 'replace-one' });
    const at = epsilon(1e-300);
    // About mu c - mu^2/2 - ln T where Phi(mu - c) = 1e-294.
    expect(at).toBeGreaterThan(23);
    expect(at).toBeLessThan(24);
    expect(delta(at)).toBeGreaterThan(1e-300);
    expect(delta(at + 0.1)).toBeLessThan(1e-300);
  });

  it('more with more noise taken away, with more epochs, and where epsilon is smaller', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.05, max: 5, noNaN: true }),
        fc.integer({ min: 1, max: 10_000 }),
        fc.constantFrom(...NEIGHBOURS),
        fc.double({ min: 0, max: 10, noNaN: true }),
        (mu, batches, neighbours, epsilon) => {
          const { delta } = shuffledLowerBound({ mu, batches, neighbours });
          const less = shuffledLowerBound({ mu: mu / 2, batches, neighbours });
          const here = delta(epsilon);
          expect(delta(epsilon + 0.5)).toBeLessThanOrEqual(here);
          expect(less.delta(epsilon)).toBeLessThanOrEqual(here);
          expect(here).toBeGreaterThanOrEqual(0);
          expect(here).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 10 },
    );
    const epochs = [1, 2, 5].map((n) =>
      shuffledLowerBound({ mu: 1, batches: 50, epochs: n, neighbours: 'add-remove' }).epsilon(1e-6),
    );
    expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
  });

  it('an epsilon at which delta is still above the target', () => {
    const bound = shuffledLowerBound({ mu: 1.3, batches: 400, epochs: 3, neighbours: 'add-remove' });
    for (const target of [1e-12, 1e-3]) expect(bound.delta(bound.epsilon(target))).toBeGreaterThan(target);
    expect(bound.epsilon(0)).toBe(Infinity);
    expect(bound.epsilon(1)).toBe(0);
    expect(bound.delta(Infinity)).toBe(0);
    expect(bound.delta(-Infinity)).toBe(1);
  });

  it('nothing that could be computed of a mu, a count or a delta that is none', () => {
    const make = (changed: Partial<ShuffledBatches>) => () =>
      shuffledLowerBound({ mu: 1, batches: 10, neighbours: 'add-remove', ...changed });
    expect(make({ mu: 0 })).toThrow(RangeError);
    expect(make({ mu: NaN })).toThrow(RangeError);
    expect(make({ batches: 1.5 })).toThrow(RangeError);
    expect(make({ epochs: 0 })).toThrow(RangeError);
    expect(() => make({})().epsilon(2)).toThrow(RangeError);
    expect(() => make({})().delta(NaN)).toThrow(RangeError);
  });
});
