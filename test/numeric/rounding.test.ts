import { describe, expect, it } from 'vitest';
import { leadingDigits } from '../../src/numeric/rounding.ts';
import { fc } from '../reference/properties.ts';

describe('leading digits', () => {
  it('are the largest number of so many binary digits that is no larger', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-290, max: 1e290, noNaN: true }), fc.integer({ min: 1, max: 30 }), (x, digits) => {
        const rounded = leadingDigits(x, digits);
        expect(rounded).toBeLessThanOrEqual(x);
        expect(rounded).toBeGreaterThan(x * (1 - 2 ** (1 - digits)) * (digits === 1 ? 0.5 : 1));
        const unit = 2 ** (Math.floor(Math.log2(rounded)) + 1 - digits);
        expect(Number.isInteger(rounded / unit)).toBe(true);
      }),
    );
  });

  it.each([0, Infinity, Number.MIN_VALUE])('of %d are all of it', (x) => {
    expect(leadingDigits(x, 5)).toBe(x);
  });
});
