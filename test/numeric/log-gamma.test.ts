import { describe, expect, it } from 'vitest';
import { logGamma } from '../../src/numeric/log-gamma.ts';

describe('ln Gamma', () => {
  it('is known at whole and half numbers', () => {
    expect(logGamma(1, 0).modulus).toBeCloseTo(0, 14);
    expect(logGamma(5, 0).modulus).toBeCloseTo(Math.log(24), 13);
    expect(logGamma(0.5, 0).modulus).toBeCloseTo(Math.log(Math.PI) / 2, 13);
    expect(logGamma(101, 0).modulus).toBeCloseTo(363.7393755555635, 10);
  });

  it('has |Gamma(1/2 + iy)|^2 = pi / cosh(pi y) and |Gamma(1 + iy)|^2 = pi y / sinh(pi y)', () => {
    for (const y of [0.3, 2, 7, 19, 60, 140]) {
      const half = logGamma(0.5, y);
      const one = logGamma(1, y);
      const logCosh = Math.PI * y + Math.log1p(Math.exp(-2 * Math.PI * y)) - Math.LN2;
      const logSinh = Math.PI * y + Math.log1p(-Math.exp(-2 * Math.PI * y)) - Math.LN2;
      expect(Math.abs(2 * half.modulus - (Math.log(Math.PI) - logCosh))).toBeLessThan(2 * half.error + 1e-13);
      expect(Math.abs(2 * one.modulus - (Math.log(Math.PI * y) - logSinh))).toBeLessThan(2 * one.error + 1e-13);
      expect(one.error).toBeLessThan(1e-11);
    }
  });

  it('turns by the angle of z from z to z + 1', () => {
    for (const [x, y] of [
      [0.2, 3],
      [4, -9],
      [30, 2],
      [1, -300],
    ] as const) {
      const turn = logGamma(x + 1, y).angle - logGamma(x, y).angle - Math.atan2(y, x);
      expect(Math.abs(turn - 2 * Math.PI * Math.round(turn / (2 * Math.PI)))).toBeLessThan(1e-11);
    }
  });
});
