import { describe, expect, it } from 'vitest';
import { meshCurve } from '../../../src/bounds/loss-distribution/mesh-curve.ts';
import { fromDouble } from '../../../src/numeric/double-double.ts';
import { exactly } from '../../../src/numeric/enclosure.ts';
import type { FiniteLossCurve } from '../../../src/privacy/finite-loss-curve.ts';
import { logSurvivalOf, sampledLaw, type Direction } from '../../../src/privacy/sampling/sampled-law.ts';
import { gaussian, sampledMechanism } from '../../mechanisms.ts';

const patient = { exhausted: () => false };

function curveOf(
  sigma: string,
  rate: string,
  direction: Direction = 'remove',
  scheme: 'poisson' | 'without-replacement' = 'poisson',
  count = 2,
): FiniteLossCurve {
  const law = sampledLaw(sampledMechanism(gaussian(sigma), rate, scheme), direction)!;
  return meshCurve([{ law, logSurvival: logSurvivalOf(law), count }], null, 1e-3, patient);
}

/** Two steps, by quadrature over the first of the closed form of the second (mpmath). */
const GOLDEN = [
  ['1', '0.1', 'remove', 'poisson', 0, 0.058444125961641],
  ['1', '0.1', 'remove', 'poisson', 0.5, 0.0046058961098051],
  ['1', '0.1', 'remove', 'poisson', 2, 6.9448612648483e-6],
  ['1', '0.1', 'remove', 'poisson', 4, 4.8836734420299e-10],
  ['1', '0.1', 'add', 'poisson', 0.1, 0.011158949903263],
  ['1', '0.1', 'remove', 'without-replacement', 0.5, 0.0048136772596956],
  ['0.5', '0.001', 'remove', 'poisson', 0.01, 0.00052743043146491],
  ['0.5', '0.001', 'remove', 'poisson', 1, 2.4743629352723e-6],
  ['0.2', '0.5', 'remove', 'poisson', 20, 0.173990973666],
  ['30', '0.01', 'remove', 'poisson', 0.001, 3.3923497631437e-6],
] as const;

describe('two steps on samples', () => {
  it.each(GOLDEN)('sigma %s, rate %s, %s, %s at %f', (sigma, rate, direction, scheme, epsilon, delta) => {
    const { lower, upper } = curveOf(sigma, rate, direction, scheme).logDelta(fromDouble(epsilon));
    expect(Math.exp(lower)).toBeLessThanOrEqual(delta);
    expect(Math.exp(upper)).toBeGreaterThanOrEqual(delta);
    expect(upper - lower).toBeLessThan(3e-3);
  });
});

it('finds the epsilon of a delta', () => {
  const { lower, upper } = curveOf('1', '0.1').epsilon!(exactly(Math.log(0.0046058961098051)));
  expect(lower).toBeLessThan(0.5);
  expect(upper).toBeGreaterThan(0.5);
  expect(upper - lower).toBeLessThan(1e-3);
});

it('counts by squaring as one by one', () => {
  const law = sampledLaw(sampledMechanism(gaussian('1'), '0.1'), 'remove')!;
  const one = { law, logSurvival: logSurvivalOf(law), count: 1 };
  const apart = meshCurve([one, one, one], null, 1e-2, patient).logDelta(fromDouble(0.5));
  const together = curveOf('1', '0.1', 'remove', 'poisson', 3).logDelta(fromDouble(0.5));
  expect(apart.lower).toBeLessThanOrEqual(together.upper);
  expect(together.lower).toBeLessThanOrEqual(apart.upper);
});

it.each([
  ['0.02', '0.5', 100],
  ['0.02', '0.5', 2600],
  ['0.05', '0.5', 1e4],
  ['1', '1e-200', 0],
  ['1e8', '1e-90', 0],
  ['1', '1e-12', 1e-13],
])('has bounds for sigma %s and the rate %s at %f', (sigma, rate, epsilon) => {
  const { lower, upper } = curveOf(sigma, rate).logDelta(fromDouble(epsilon));
  expect(lower).toBeLessThanOrEqual(upper);
  expect(upper).toBeLessThan(1e-300);
});
