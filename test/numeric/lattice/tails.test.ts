import { describe, expect, it } from 'vitest';
import { TAIL_LEAK, tailsOfWeights, windowOf } from '../../../src/numeric/lattice/tails.ts';
import { fc } from '../../reference/properties.ts';

describe('the tails of weights', () => {
  it('leave no weight outside their window but what they say, also where most weights underflow', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -2000, max: 2000 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 4000 }), fc.double({ min: -700, max: 0, noNaN: true })), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.double({ min: 1e-3, max: 2, noNaN: true }),
        (first, places, step) => {
          const weights = new Float64Array(4001);
          for (const [index, log] of places) weights[index]! += Math.exp(log);
          const total = weights.reduce((sum, weight) => sum + weight, 0);
          weights.forEach((weight, m) => (weights[m] = weight / total));
          const { from, to } = windowOf(tailsOfWeights(first, weights, step), step);
          let outside = 0;
          weights.forEach((weight, m) => {
            const x = (first + m) * step;
            if (x < from || x > to) outside += weight;
          });
          expect(outside).toBeLessThanOrEqual(2 * TAIL_LEAK);
        },
      ),
    );
  });
});
