import { describe, expect, it } from 'vitest';
import { answer, atDelta, dp, gaussian, sampled, valueOf } from '../../mechanisms.ts';

/** Three pure mechanisms beside Gaussian noise on samples so small that it is next to nothing. */
const besides = (rate: string) => [dp('0.222', 0, { count: 3 }), sampled(gaussian(2, { count: 100 }), rate)];

const epsilonOf = (rate: string, delta: string) => valueOf(answer(besides(rate), atDelta(delta)), 'loss-distribution');

describe('pure mechanisms beside next to nothing', () => {
  it.each([
    ['1e-6', '4.250317e-9'],
    ['1e-6', '1e-6'],
    ['1e-9', '1e-12'],
    ['1e-5', '1e-6'],
  ])('cost little more than their sum, at rate %s and delta %s', (rate, delta) => {
    const { lower, upper } = epsilonOf(rate, delta);
    const alone = valueOf(answer([dp('0.222', 0, { count: 3 })], atDelta(delta)), 'dp-optimal');
    expect(lower).toBeGreaterThanOrEqual(alone.lower! * (1 - 1e-6));
    expect(upper).toBeGreaterThanOrEqual(alone.upper * (1 - 1e-6));
    expect(upper).toBeLessThan(0.6662);
  });

  it('are composed with it as exactly as ever where delta is large', () => {
    const { lower, upper } = epsilonOf('1e-6', '1e-3');
    expect(upper).toBeLessThanOrEqual(lower! * (1 + 1e-6));
    expect(upper).toBeGreaterThan(0.66);
  });

  // By root finding over normal tails in 40 digits, the larger of both directions.
  it.each([
    ['0.158', 2, '2.52e-7', '2.64', '1.43e-8', 0.3159999815372906],
    ['0.12', 1, '1.52e-5', '2.23', '2.82e-10', 0.1200620075071015],
    ['0.362', 3, '3.33e-5', '3.41', '2.04e-9', 1.086043144421318],
    ['0.276', 3, '1.02e-6', '2.8', '3.19e-7', 0.8279982648755828],
  ])(
    'of epsilon %s, %d times, beside one step of rate %s, sigma %s, at delta %s',
    (pure, count, rate, sigma, delta, truth) => {
      const entries = [dp(pure, 0, { count }), sampled(gaussian(sigma), rate)];
      const { lower, upper } = valueOf(answer(entries, atDelta(delta)), 'loss-distribution');
      expect(lower).toBeLessThanOrEqual(truth * (1 + 1e-14));
      expect(upper).toBeGreaterThanOrEqual(truth * (1 - 1e-14));
    },
  );
});
