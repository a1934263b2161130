import { describe, expect, it } from 'vitest';
import { isCovered, sampledMoment } from '../../../src/privacy/sampling/sampled-moment.ts';
import { dp, finitePair, gaussian, laplace, sampledMechanism } from '../../mechanisms.ts';
import { holds, ONE, precise, sumOf } from '../../reference/precise.ts';

describe('of Gaussian noise on Poisson samples', () => {
  it.each([
    ['1.1', '0.004', 2],
    ['1', '0.01', 32],
    ['0.4', '1e-4', 8],
    ['5', '0.5', 200],
    ['0.3', '1e-9', 64],
  ])('sigma %s, rate %s, order %d: the binomial sum of Mironov, Talwar and Zhang', (sigma, rate, order) => {
    const moment = sampledMoment(sampledMechanism(gaussian(sigma), rate))(order - 1);
    let ways = ONE;
    const terms = Array.from({ length: order + 1 }, (_, k) => {
      if (k > 0) ways = ways.times(order - k + 1).div(k);
      const drawn = precise(rate)
        .pow(k)
        .times(ONE.minus(rate).pow(order - k));
      return ways.times(drawn).times(
        precise(k * (k - 1))
          .div(precise(sigma).pow(2).times(2))
          .exp(),
      );
    });
    const truth = sumOf(terms).ln();
    expect(holds(moment, truth)).toBe(true);
    expect(moment.upper - moment.lower).toBeLessThan(1e-11 * (1 + truth.toNumber()));
  });
});

it('of a list it is the larger of both directions', () => {
  const moment = sampledMoment(
    sampledMechanism(finitePair(['0.7', '0.3'], ['0.2', '0.8'], { direction: 'fixed' }), '0.25'),
  );
  const g = [0.325 / 0.2, 0.675 / 0.8];
  const [remove, add] = [0, 1].map((way) =>
    Math.log(0.2 * g[0]! ** (way === 0 ? 4 : -3) + 0.8 * g[1]! ** (way === 0 ? 4 : -3)),
  ) as [number, number];
  const { lower, upper } = moment(3);
  expect(Math.max(remove, add)).toBeGreaterThanOrEqual(lower - 1e-15);
  expect(Math.max(remove, add)).toBeLessThanOrEqual(upper + 1e-15);
  expect(upper - lower).toBeLessThan(1e-9);
});

it('of what is too steep to be integrated it is not exceeded by that of all records', () => {
  const [all, drawn] = [1, '0.5'].map((rate) => sampledMoment(sampledMechanism(laplace('0.01'), rate))(1000));
  expect(drawn!.upper).toBeLessThanOrEqual(all!.upper * (1 + 1e-9));
  expect(drawn!.upper).toBeGreaterThan(0);
});

it('of no record it is 0, and without a theorem anything', () => {
  expect(sampledMoment(sampledMechanism(dp(1), 0))(5)).toEqual({ lower: 0, upper: 0 });
  const replaced = { ...sampledMechanism(dp(1), '0.5'), neighbours: 'replace-one' } as const;
  expect(isCovered(replaced)).toBe(false);
  expect(sampledMoment(replaced)(5).upper).toBe(Infinity);
});
