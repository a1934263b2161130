import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lossDistributionCurve } from '../../../src/bounds/loss-distribution/loss-distribution.ts';
import type { Effort } from '../../../src/bounds/core/bound.ts';
import { Decimal, ONE, ZERO } from '../../../src/numeric/decimal.ts';
import type { ApproximateDp, Entry, Gaussian, Sampled } from '../../../src/privacy/mechanism.ts';
import { lowerBoundOf } from '../../../src/composition/entries/lower-bound.ts';
import { allocationTest } from '../../../src/privacy/sampling/allocation-lower-bound.ts';
import { allocationMoments, type RandomAllocation } from '../../../src/privacy/sampling/random-allocation.ts';
import { shareOf } from '../../reference/share.ts';
import { LARGE_DELTAS, MORE_VALUES, MUCH_NOISE, VALUES } from './random-allocation-golden.ts';

const EFFORT: Effort = { exhausted: () => false, tolerance: 1e-9 };

/** Epochs of one of so many batches. */
function epochs(batches: number, sigma: number, count: number, selected = 1): Entry<Sampled> {
  return {
    mechanism: {
      type: 'sampled',
      of: { type: 'gaussian', sigma: new Decimal(sigma), sensitivity: ONE },
      scheme: 'random-allocation',
      rate: { numerator: new Decimal(selected), denominator: new Decimal(batches) },
      batches: new Decimal(batches),
      neighbours: 'add-remove',
    },
    count,
    kind: 'noninteractive',
    label: null,
  };
}

/** The end that no claim can go below. */
const boundOf = (entry: Entry<Sampled>, delta: string) => ({
  lower: lowerBoundOf([entry], EFFORT)({ solveFor: 'epsilon', delta: new Decimal(delta) }),
});

const curveOf = (...entries: readonly Entry<Sampled>[]) => lossDistributionCurve(entries, EFFORT);

/** Lattices of as many batches take minutes. */
const QUICK = 1000;
const HASTY: Effort = { exhausted: () => true, tolerance: 1e-9 };

describe('random allocation to one batch of an epoch', () => {
  it.each([0.15, 0.05, 0.02])(
    'of noise %d, which is little, costs no more than its batch, and less by at most ln t for each epoch',
    (sigma) => {
      const entry = epochs(1000, sigma, 2);
      const delta = new Decimal('1e-6');
      const batch: Entry<Gaussian> = {
        ...entry,
        mechanism: { type: 'gaussian', sigma: new Decimal(sigma), sensitivity: ONE },
      };
      const [own, batches] = [curveOf(entry), lossDistributionCurve([batch], EFFORT).epsilon(delta)];
      const { lower, upper } = own.epsilon(delta);
      expect(upper).toBeLessThanOrEqual(batches.upper * (1 + 1e-9));
      expect(lower).toBeGreaterThanOrEqual(batches.lower! - 2 * Math.log(1000) - 1e-6);
      const at = own.delta(new Decimal(upper));
      expect(at.lower).toBeLessThanOrEqual(1e-6);
      expect(at.upper).toBeGreaterThanOrEqual(0.999e-6);
    },
  );

  it.each([0.02, 0.05])('of noise %d has moments of at least those that quadrature gives', (sigma) => {
    const mu = 1 / sigma;
    const { remove, add } = allocationMoments(epochs(2, sigma, 1).mechanism as RandomAllocation);
    for (const lambda of [0.1, 0.5, 1, 1.5]) {
      const step = 0.05;
      const nodes = (center: number) => Array.from({ length: 400 }, (_, i) => ({ x: center + (i - 200) * step }));
      const density = (x: number, mean: number): number =>
        -((x - mean) ** 2) / 2 + Math.log(step / Math.sqrt(2 * Math.PI));
      const exponent = (x: number): number => mu * x - (mu * mu) / 2;
      const expected = (means: readonly [number, number], tilts: readonly [number, number], power: number): number => {
        const terms = nodes(tilts[0]).flatMap(({ x }) =>
          nodes(tilts[1]).map(({ x: y }) => {
            const [a, b] = [exponent(x), exponent(y)];
            const ratio = Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b))) - Math.LN2;
            return density(x, means[0]) + density(y, means[1]) + power * ratio;
          }),
        );
        const top = terms.reduce((most, term) => Math.max(most, term), -Infinity);
        return top + Math.log(terms.reduce((sum, term) => sum + Math.exp(term - top), 0));
      };
      // Any part of the integral is at most the whole.
      expect(remove(lambda).upper).toBeGreaterThanOrEqual(expected([mu, 0], [(1 + lambda) * mu, 0], lambda) - 1e-9);
      for (const tilt of [0, (-lambda * mu) / 2]) {
        expect(add(lambda).upper).toBeGreaterThanOrEqual(expected([0, 0], [tilt, tilt], -lambda) - 1e-9);
      }
      expect(remove(lambda).upper).toBeLessThan(expected([mu, 0], [(1 + lambda) * mu, 0], lambda) + 0.7 * (1 + lambda));
    }
  });

  it.each(VALUES.slice(0, shareOf(VALUES.length, 5)))(
    '%d batches, sigma %d, %d epochs, epsilon %d',
    (batches, sigma, count, epsilon, remove, add) => {
      const { directions } = curveOf(epochs(batches, sigma, count));
      const at = new Decimal(epsilon);
      for (const [value, direction] of [
        [remove, 'remove'],
        [add, 'add'],
      ] as const) {
        if (value === null) continue;
        const { lower, upper } = directions![direction].delta(at);
        expect(lower).toBeLessThanOrEqual(value * (1 + 2e-11));
        expect(upper).toBeGreaterThanOrEqual(value * (1 - 2e-11));
        expect(upper / value - 1).toBeLessThan(3e-8);
        expect(1 - lower! / value).toBeLessThan(3e-8);
      }
    },
  );

  it.each(MORE_VALUES.slice(0, shareOf(MORE_VALUES.length, 4)))(
    '%d batches, sigma %d, %d epochs, epsilon %d, by doubling',
    (batches, sigma, count, epsilon, remove, add, apart) => {
      const curve = lossDistributionCurve([epochs(batches, sigma, count)], batches > QUICK ? HASTY : EFFORT);
      for (const [value, direction] of [
        [remove, 'remove'],
        [add, 'add'],
      ] as const) {
        const { lower, upper } = (curve.directions?.[direction] ?? curve).delta(new Decimal(epsilon));
        expect(lower).toBeLessThanOrEqual(value * (1 + apart));
        expect(upper).toBeGreaterThanOrEqual(value * (1 - apart));
        if (batches <= QUICK) expect(upper / lower! - 1).toBeLessThan(2e-6);
      }
    },
  );

  it.each(LARGE_DELTAS)(
    '%d batches, sigma %d, %d epochs, epsilon %d, near 0',
    (batches, sigma, count, epsilon, ...deltas) => {
      const { directions } = curveOf(epochs(batches, sigma, count));
      (['remove', 'add'] as const).forEach((direction, i) => {
        const { lower, upper } = directions![direction].delta(new Decimal(epsilon));
        expect(lower).toBeLessThanOrEqual(deltas[i]! * (1 + 1e-11));
        expect(upper).toBeGreaterThanOrEqual(deltas[i]! * (1 - 1e-11));
        expect(upper / lower! - 1).toBeLessThan(2e-7);
      });
    },
  );

  it.each(MUCH_NOISE)('%d batches, sigma %d, one epoch, epsilon %d', (batches, sigma, epsilon, remove, add) => {
    const { directions } = curveOf(epochs(batches, sigma, 1));
    for (const [value, direction] of [
      [remove, 'remove'],
      [add, 'add'],
    ] as const) {
      const { lower, upper } = directions![direction].delta(new Decimal(epsilon));
      expect(lower).toBeLessThanOrEqual(value * (1 + 6e-12));
      expect(upper).toBeGreaterThanOrEqual(value * (1 - 6e-12));
      expect(upper / lower! - 1).toBeLessThan(2e-8);
      const place = directions![direction].epsilon(new Decimal(value));
      expect(place.upper / place.lower! - 1).toBeLessThan(2e-9);
      expect(Math.abs(place.upper / epsilon - 1)).toBeLessThan(2e-9);
    }
  });

  // By that doubling, and splines of the density.
  it.each([
    [10_000, 1, 10, 0.3, 3.189083e-14, 2e-7],
    [1000, 2, 10, 0.6, 9.68663e-32, 2e-7],
    [5000, 1, 50, 0.3, 5.821632645978e-4, 2e-8],
    [10_000, 0.8, 1, 0.0767, 9.97894413e-7, 5e-9],
    [3000, 0.75, 2, 0.4, 3.99130186e-7, 5e-9],
  ])(
    '%d batches, sigma %d, %d epochs, epsilon %d, of which some have one batch of a large loss',
    (batches, sigma, count, epsilon, delta, apart) => {
      const { remove } = curveOf(epochs(batches, sigma, count)).directions!;
      const { lower, upper } = remove.delta(new Decimal(epsilon));
      expect(lower).toBeLessThanOrEqual(delta * (1 + apart));
      expect(upper).toBeGreaterThanOrEqual(delta * (1 - apart));
      expect(upper / lower! - 1).toBeLessThan(1e-6);
    },
  );

  it('has next to no delta at an epsilon far beyond it and the pure mechanisms beside it', () => {
    const pure: Entry<ApproximateDp> = {
      mechanism: { type: 'dp', epsilon: new Decimal('0.442'), delta: ZERO },
      count: 2,
      kind: 'noninteractive',
      label: null,
    };
    const { lower, upper } = lossDistributionCurve([epochs(4, 14.19044, 3), pure], EFFORT).delta(new Decimal('7.9'));
    expect(lower).toBe(0);
    expect(upper).toBeLessThan(1e-300);
  });

  it.each([1, 5])(
    'in %d of its batches is at most as many Gaussian mechanisms, also where no time is left',
    (selected) => {
      const entry = epochs(1000, 300, 2, selected);
      const plain = { ...entry, mechanism: entry.mechanism.of, count: 2 * selected };
      const other = { ...plain, mechanism: { ...entry.mechanism.of, sigma: new Decimal(50) } } as const;
      for (const besides of [[], [other]]) {
        const { directions } = lossDistributionCurve([entry, ...besides], HASTY);
        const whole = lossDistributionCurve([plain, ...besides], EFFORT);
        const delta = new Decimal('1e-5');
        for (const direction of [directions!.remove, directions!.add]) {
          const { upper } = direction.epsilon(delta);
          expect(upper).toBeGreaterThan(0);
          expect(upper).toBeLessThanOrEqual(whole.epsilon(delta).upper * (1 + 1e-6));
        }
      }
    },
  );

  it('with one batch is the Gaussian mechanism', () => {
    const plain = lossDistributionCurve([{ ...epochs(1, 2, 5), mechanism: epochs(1, 2, 5).mechanism.of }], EFFORT);
    for (const epsilon of ['0', '0.5', '3']) {
      expect(curveOf(epochs(1, 2, 5)).delta(new Decimal(epsilon))).toEqual(plain.delta(new Decimal(epsilon)));
    }
  });

  it('costs no more with more noise, fewer epochs or a larger delta', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 300 }),
        fc.double({ min: 0.6, max: 4, noNaN: true }),
        fc.integer({ min: 1, max: 20 }),
        fc.double({ min: 1e-8, max: 1e-3, noNaN: true }),
        (batches, noise, count, given) => {
          const sigma = Number(noise.toPrecision(4));
          const delta = Number(given.toPrecision(4));
          const epsilon = (s: number, n: number, d: number) => curveOf(epochs(batches, s, n)).epsilon(new Decimal(d));
          const { upper } = epsilon(sigma, count, delta);
          expect(epsilon(sigma * 1.25, count, delta).lower).toBeLessThanOrEqual(upper);
          expect(epsilon(sigma, count, delta * 2).lower).toBeLessThanOrEqual(upper);
          expect(upper).toBeLessThanOrEqual(epsilon(sigma, count + 1, delta).upper * (1 + 1e-5));
        },
      ),
      { numRuns: shareOf(20, 1) },
    );
  });
});

describe('random allocation to several batches of an epoch', () => {
  it('of 10 of 100 batches is at most the composition of its blocks', () => {
    const { lower, upper } = curveOf(epochs(100, 2, 1, 10)).epsilon(new Decimal('1e-6'));
    expect(lower).toBeNull();
    expect(upper).toBeGreaterThan(2.423888);
    expect(upper).toBeLessThan(2.42388802);
  });

  it('of 10 of 100 batches is at least what a test gains, and never what one batch is', () => {
    const entry = epochs(100, 2, 1, 10);
    const { lower } = boundOf(entry, '1e-6');
    expect(lower).toBeGreaterThan(2.40358);
    expect(lower).toBeLessThan(2.423888);
    const { mechanism } = entry;
    // Importance sampling of the likelihood has delta 0.996e-6 (+- 0.006e-6) at 2.4035884.
    const gain = allocationTest(mechanism as RandomAllocation, 1).delta(2.4035884);
    expect(gain).toBeLessThan(1.002e-6);
    expect(gain).toBeGreaterThan(0.98e-6);
  });

  it('beside others has a lower end of its own, below what it costs and above what the others cost', () => {
    const several = epochs(22, 8.05, 3, 10);
    const one = epochs(2048, 1.27, 9);
    const delta = new Decimal('1e-9');
    const both = lowerBoundOf([one, several], EFFORT)({ solveFor: 'epsilon', delta })!;
    const { upper } = curveOf(one, several).epsilon(delta);
    expect(both).toBeLessThan(upper);
    expect(both).toBeGreaterThan(0.97 * upper);
    expect(both).toBeGreaterThan(curveOf(one).epsilon(delta).upper);
    // The sum of the noise of all 22 batches, of deviation 8.05 sqrt(22), has 10 where the record is.
    const sum: Entry = {
      mechanism: { type: 'gaussian', sigma: new Decimal(22).sqrt().times('8.05').div(10), sensitivity: ONE },
      count: 3,
      kind: 'noninteractive',
      label: null,
    };
    expect(both / lossDistributionCurve([one, sum as Entry<Gaussian>], EFFORT).epsilon(delta).upper).toBeCloseTo(1, 6);
  });

  it('is known from below where epsilon is so large that hardly anything is left without the record', () => {
    const entry = epochs(100, 1, 1, 50);
    // As of a sum of cells of 0.02, the best of six lambda.
    const gain = allocationTest(entry.mechanism as RandomAllocation, 1).delta(38.71692561746487);
    expect(gain).toBeGreaterThan(8.1e-7);
    expect(gain).toBeLessThan(8.6e-7);
    expect(curveOf(entry).directions!.remove.delta(new Decimal('38.71692561746487')).upper).toBeGreaterThan(gain);
  });

  it('costs at least what a test gains, at every epsilon', () => {
    for (const [batches, selected, sigma, count] of [
      [10, 2, 1, 1],
      [6, 5, 3, 2],
      [60, 20, 3, 1],
    ] as const) {
      const entry = epochs(batches, sigma, count, selected);
      const test = allocationTest(entry.mechanism as RandomAllocation, count);
      for (const epsilon of [0, 0.5, 2]) {
        const { directions } = curveOf(entry);
        const [remove, add] = [test.gain(epsilon, 'remove'), test.gain(epsilon, 'add')];
        const at = new Decimal(epsilon);
        expect(remove).toBeLessThan(directions!.remove.delta(at).upper);
        expect(add).toBeLessThan(directions!.add.delta(at).upper);
        expect(remove).toBeGreaterThan(directions!.remove.delta(at).upper / 3);
      }
    }
  });

  it('of unequal blocks is the composition of allocations to one batch of each', () => {
    const whole = curveOf(epochs(17, 1, 2, 5)).epsilon(new Decimal('1e-5'));
    const parts = curveOf(epochs(3, 1, 6), epochs(4, 1, 4)).epsilon(new Decimal('1e-5'));
    expect(whole.upper / parts.upper).toBeCloseTo(1, 6);
  });

  it('in all batches is as many Gaussian mechanisms', () => {
    const all = curveOf(epochs(4, 2, 3, 4)).delta(ONE);
    const plain = lossDistributionCurve([{ ...epochs(1, 2, 12), mechanism: epochs(1, 2, 12).mechanism.of }], EFFORT);
    expect(all).toEqual(plain.delta(ONE));
  });
});
