import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { percent } from '../../../src/output/kit/number.ts';

describe('times in 100', () => {
  it('are rounded up, and never 100 of what is less', () => {
    expect(percent({ upper: 0.03911494829 })).toBe('3.92');
    expect(percent({ upper: 0.99996 })).toBe('99.996');
    expect(percent({ upper: 1 })).toBeNull();
  });

  it('are at least the probability', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1, noNaN: true }), (upper) => {
        const times = percent({ upper });
        if (times !== null) expect(Number(times)).toBeGreaterThanOrEqual(upper * 100 * (1 - 1e-15));
      }),
    );
  });
});
