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
});
