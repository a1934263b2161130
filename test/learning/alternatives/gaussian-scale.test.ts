import { describe, expect, it } from 'vitest';
import { gaussianScale } from '../../../src/learning/alternatives/leaders.ts';
import { d } from '../helpers.ts';

describe('the noise for one statistic', () => {
  // The root of Theorem 8 of Balle and Wang (2018), by bisection with 50 digits in another program.
  it.each([
    ['1', '1e-5', 3.7306316348159418],
    ['0.1', '1e-8', 45.93736018498825],
    ['4', '1e-3', 0.8230776852446613],
  ] as const)('for epsilon %s and delta %s is the analytic one', (epsilon, delta, sigma) => {
    expect(gaussianScale(d(epsilon), d(delta)).upper / sigma).toBeCloseTo(1, 10);
  });

  it('is a closed form where delta is too small for the analytic one, and little more', () => {
    for (const epsilon of ['0.01', '1', '100']) {
      const [analytic, closed] = ['1e-150', '9e-151'].map((delta) => gaussianScale(d(epsilon), d(delta)).upper);
      expect(closed! / analytic!).toBeGreaterThan(1);
      expect(closed! / analytic!).toBeLessThan(1.03);
    }
  });
});
