import { describe, expect, it } from 'vitest';
import { profilesOf, type Profile } from '../../../src/composition/risk/profile.ts';
import { truePositiveRate } from '../../../src/composition/risk/inference.ts';
import { decimalFromDouble } from '../../../src/numeric/decimal.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import {
  discreteGaussian,
  discreteLaplace,
  dp,
  finitePair,
  gaussian,
  gdp,
  laplace,
  sampled,
} from '../../mechanisms.ts';
import { fc } from '../../reference/properties.ts';
import { SHARE } from '../../reference/share.ts';

const COUNT = { max: 30, min: 1 };
const size = fc.integer({ min: 1, max: 300 }).map((hundredths) => hundredths / 100);
const count = fc.integer(COUNT).map((times) => ({ count: times }));

const mechanism: fc.Arbitrary<Entry> = fc.oneof(
  fc.tuple(size, fc.constantFrom('0', '1e-6', '0.01'), count).map(([e, d, n]) => dp(e, d, n)),
  fc.tuple(size, count).map(([s, n]) => gaussian(s + 0.5, n)),
  fc.tuple(size, count).map(([mu, n]) => gdp(mu / 3, n)),
  fc.tuple(size).map(([s]) => laplace(s + 10, { count: 40 })),
  fc.tuple(fc.integer({ min: 1, max: 9 }), count).map(([s, n]) => discreteLaplace(s, 1, n)),
  fc.tuple(fc.integer({ min: 1, max: 9 }), count).map(([s, n]) => discreteGaussian(s, 1, n)),
  fc
    .tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 99 }))
    .map(([a, b]) => finitePair([a / 100, (100 - a) / 100], [b / 100, (100 - b) / 100], { direction: 'fixed' })),
  fc.tuple(size, fc.integer({ min: 1, max: 40 })).map(([s, q]) => sampled(gaussian(s + 1, { count: 200 }), [q, 100])),
);

/** How far delta may be from what the rates say. */
const NEAR = 1e-9;

const STEPS = [1e-3, 1e-5];

const middle = ({ delta }: Profile, epsilon: number): number => {
  const { lower, upper } = delta(decimalFromDouble(epsilon));
  return (lower! + upper) / 2;
};

/** False-positive rates at which the line of slope e^epsilon touches the rate, about: as fast as delta falls there. */
const touching = (profile: Profile, epsilon: number): number[] =>
  STEPS.flatMap((step) =>
    [[epsilon - step, epsilon] as const, [epsilon, epsilon + step] as const].map(([from, to]) => {
      const fall = (middle(profile, from) - middle(profile, to)) / (Math.exp(to) - Math.exp(from));
      return Math.min(1, Math.max(1e-12, fall));
    }),
  );

describe('the trade-off function and the profile of random mechanisms', () => {
  it('are the conjugates of each other', () => {
    fc.assert(
      fc.property(
        fc.array(mechanism, { minLength: 1, maxLength: 2 }),
        fc.integer({ min: -300, max: 300 }),
        (entries, hundredths) => {
          const outcome = profilesOf({ entries, adaptivity: 'adaptive' }, { tolerance: 1e-8 });
          if (outcome.kind === 'refusal') throw new Error(outcome.refusal.code);
          const { profiles } = outcome;
          // Pairs that may stand in another order than the samples beside them have no single pair.
          fc.pre(profiles.claimed === profiles.attained);
          const epsilon = hundredths / 100;
          for (const profile of profiles.claimed) {
            const one = { ...profiles, claimed: [profile], attained: [profile] };
            const truth = profile.delta(decimalFromDouble(epsilon));
            // Near the largest loss a contour may know little.
            if (truth.upper - truth.lower! > 1e-6) continue;
            const rates = touching(profile, epsilon).map((rate) => {
              const { lower, upper } = truePositiveRate(one, decimalFromDouble(rate), 1e-10);
              expect(lower).toBeLessThanOrEqual(upper);
              return { lower: lower! - Math.exp(epsilon) * rate, upper: upper - Math.exp(epsilon) * rate };
            });
            // As near as the profile itself is known.
            expect(Math.max(...rates.map(({ lower }) => lower))).toBeLessThan(truth.upper + NEAR);
            expect(Math.max(...rates.map(({ upper }) => upper))).toBeGreaterThan(truth.lower! - NEAR);
          }
        },
      ),
      { numRuns: SHARE === 1 ? 1000 : 100 },
    );
  });
});
