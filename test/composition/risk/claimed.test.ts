import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimedProfile, gaussianLineOf } from '../../../src/composition/risk/claimed.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { asLower, asUpper } from '../../../src/numeric/enclosure.ts';

const exactly = (x: number) => ({ lower: asLower(x), upper: asUpper(x) });
const claimed = (epsilon: number, delta: number) =>
  claimedProfile({ epsilon: exactly(epsilon), delta: exactly(delta) });

/** The hockey-stick divergence of randomized response with epsilon that fails with probability delta. */
function failingResponse(epsilon: number, delta: number, at: number): number {
  const [yes, no] = [Math.exp(epsilon) / (1 + Math.exp(epsilon)), 1 / (1 + Math.exp(epsilon))];
  const [p, q] = [
    [delta, (1 - delta) * yes, (1 - delta) * no, 0],
    [0, (1 - delta) * no, (1 - delta) * yes, delta],
  ] as const;
  return p.reduce((sum, each, index) => sum + Math.max(0, each - Math.exp(at) * q[index]!), 0);
}

describe('the profile that one (epsilon, delta) proves', () => {
  it('is that of randomized response that fails, which has every profile of that (epsilon, delta) below its own', () => {
    const parameters = fc.tuple(fc.double({ min: 0, max: 8, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(parameters, fc.double({ min: 0, max: 9, noNaN: true }), ([epsilon, delta], at) => {
        const { upper } = claimed(epsilon, delta).delta(new Decimal(at));
        const truth = failingResponse(epsilon, delta, at);
        expect(upper).toBeGreaterThanOrEqual(truth - 1e-14);
        expect(upper).toBeLessThanOrEqual(truth + 1e-14);
      }),
    );
  });

  it('is 1 where nothing is claimed', () => {
    expect(claimed(Infinity, 0.1).delta(new Decimal(3)).upper).toBe(1);
    expect(claimed(1, 1).delta(new Decimal(3)).upper).toBe(1);
    expect(claimed(-1, 0.5).delta(new Decimal(-2)).upper).toBe(1);
    expect(claimed(-1, 0.5).delta(new Decimal(0)).upper).toBe(0.5);
  });
});

describe('the line that is chosen for a rate', () => {
  it('is the best of the Gaussian profile', () => {
    // mu = 1: z = 1.2815515655 for 0.1, and P(N > z - 1) = 0.389143742.
    const line = gaussianLineOf(new Decimal('0.1'), new Decimal('0.3891437420'));
    expect(line.toNumber()).toBeCloseTo(1.2815515655446 - 0.5, 7);
  });
});
