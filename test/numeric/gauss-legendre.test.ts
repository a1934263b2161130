import { describe, expect, it } from 'vitest';
import { ellipse, GAUSS_LEGENDRE_16, gaussLegendre4 } from '../../src/numeric/gauss-legendre.ts';

const sixteen = (f: (x: number) => number): number =>
  GAUSS_LEGENDRE_16.reduce((sum, { x, weight }) => sum + weight * f(x), 0);

describe('Gauss-Legendre rules', () => {
  it('are exact for polynomials up to degree 7 and 31', () => {
    for (let degree = 0; degree <= 31; degree++) {
      const whole = degree % 2 === 0 ? 2 / (degree + 1) : 0;
      expect(sixteen((x) => x ** degree)).toBeCloseTo(whole, 14);
      if (degree > 7) continue;
      const four = gaussLegendre4(-1, 1).reduce((sum, { x, weight }) => sum + weight * x ** degree, 0);
      expect(four).toBeCloseTo(whole, 14);
    }
    expect(sixteen((x) => x ** 32)).toBeLessThan((2 / 33) * (1 - 1e-9));
  });

  it('are off by no more than the bound for functions with a pole', () => {
    for (const pole of [1.02, 1.1, 1.25, 1.5]) {
      const exact = Math.log((pole + 1) / (pole - 1));
      const off = Math.abs(sixteen((x) => 1 / (pole - x)) - exact);
      const whole = pole + Math.sqrt(pole * pole - 1);
      for (const part of [0.3, 0.7, 0.95]) {
        const rho = 1 + part * (whole - 1);
        const largest = 1 / (pole - (rho + 1 / rho) / 2);
        const most = largest * Math.exp(ellipse(rho).logError);
        expect(off, `pole ${pole}, rho ${rho}`).toBeLessThanOrEqual(most + 1e-14);
      }
    }
  });
});
