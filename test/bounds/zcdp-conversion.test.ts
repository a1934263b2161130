import { expect, test } from 'vitest';
import { answer, atDelta, atEpsilon, valueOf, zcdp } from '../mechanisms.ts';

/** With lambda = epsilon / (2 rho), the exponent lambda (1 + lambda) rho - lambda epsilon is near -epsilon^2 / (4 rho). */
test('the conversion of zCDP looks for orders as high as a tiny rho needs', () => {
  const { upper } = valueOf(answer([zcdp('5e-30')], atEpsilon('1e-13'), { bounds: ['zcdp'] }), 'zcdp');
  // e^-500 over some 1e16 of the conversion.
  expect(upper).toBeGreaterThan(0);
  expect(Math.log(upper)).toBeLessThan(-500 - Math.log(1e15));
  const epsilon = valueOf(answer([zcdp('5e-30')], atDelta('1e-100'), { bounds: ['zcdp'] }), 'zcdp');
  expect(epsilon.upper).toBeLessThan(1e-13);
});
