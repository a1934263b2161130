import { describe, expect, it } from 'vitest';
import { answer, atDelta, atEpsilon, dp, gaussian, laplace, sampled, valueOf } from '../../mechanisms.ts';

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

  it('cost more with larger samples, which the last digits show', () => {
    const rates = ['1e-6', '1e-5', '1e-4', '3e-4', '1e-3'].map((rate) => epsilonOf(rate, '4e-9'));
    rates.slice(1).forEach(({ lower, upper }, i) => {
      expect(lower).toBeGreaterThan(rates[i]!.upper);
      expect(upper).toBeLessThanOrEqual(lower! * (1 + 1e-6));
    });
  });
});

describe('pure mechanisms beside one small step', () => {
  it.each([
    ['far beyond their sum', dp('1'), '2', '1e-5', atEpsilon('6.9')],
    ['at a delta far below all others', dp('1'), '2', '1e-5', atDelta('1e-150')],
    ['that may have one large loss', dp('1'), '0.5', '1e-5', atDelta('1e-10')],
  ] as const)('are known as narrowly %s', (_, pure, sigma, rate, query) => {
    const { lower, upper } = valueOf(answer([pure, sampled(gaussian(sigma), rate)], query), 'loss-distribution');
    expect(upper).toBeLessThanOrEqual(lower! * (1 + 1e-5));
  });

  it('have a number where losses are hundreds of thousands', () => {
    const entries = [dp('1', 0, { count: 250000 }), sampled(gaussian('0.03'), '0.1')];
    const { lower, upper } = valueOf(answer(entries, atEpsilon('1.17e5')), 'loss-distribution');
    expect(upper).toBeLessThan(0.00235);
    expect(lower).toBeGreaterThan(0.00232);
  });
});

describe('Laplace noise beside Gaussian noise on small samples', () => {
  // By quadrature over its losses of the closed form of one step, in 35 digits, the larger of both directions.
  it.each([
    ['5', null, '1e-6', 2, '0.199999', 5.13069230770708e-7],
    ['5', ['0.3', 1], '1e-5', 1.5, '0.49', 0.0028650440092044017],
    ['2', ['0.3', 2], '3e-5', 2, '1.0995', 8.248575068195579e-5],
    ['5', null, '1e-4', 2, '0.2001', 1.3068435831439235e-6],
  ] as const)('of scale %s, with %j, at rate %s, sigma %d, epsilon %s', (scale, pure, rate, sigma, epsilon, truth) => {
    const others = pure === null ? [] : [dp(pure[0], 0, { count: pure[1] })];
    const entries = [laplace(scale), ...others, sampled(gaussian(sigma), rate)];
    const { lower, upper } = valueOf(answer(entries, atEpsilon(epsilon)), 'loss-distribution');
    expect(lower).toBeLessThanOrEqual(truth * (1 + 1e-14));
    expect(upper).toBeGreaterThanOrEqual(truth * (1 - 1e-14));
    expect(upper).toBeLessThanOrEqual(lower! * (1 + 1e-4));
  });

  it.each(['1e-6', '1e-5', '1e-4'])('has a narrow answer at once, at rate %s', (rate) => {
    const entries = [laplace('5', { count: 2 }), sampled(gaussian(2, { count: 100 }), rate)];
    const { lower, upper } = valueOf(answer(entries, atDelta('4e-9')), 'loss-distribution');
    expect(upper).toBeLessThanOrEqual(lower! * (1 + 1e-6));
    expect(lower).toBeGreaterThan(0.4);
  });
});
