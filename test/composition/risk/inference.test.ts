import { describe, expect, it } from 'vitest';
import { profilesOf, type Profiles } from '../../../src/composition/risk/profile.ts';
import { truePositiveRate } from '../../../src/composition/risk/inference.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import { dp, finitePair, gaussian, gdp, laplace } from '../../mechanisms.ts';
import { fc } from '../../reference/properties.ts';

const TOLERANCE = 1e-9;

function profilesFor(entries: readonly Entry[]): Profiles {
  const found = profilesOf({ entries, adaptivity: 'nonadaptive' });
  if (found.kind !== 'profiles') throw new Error(found.refusal.code);
  return found.profiles;
}

/** The rate of the best randomised test of p against q: outcomes by their ratio, the last in part. */
function bestRate(p: readonly number[], q: readonly number[], alpha: number): number {
  let [left, rate] = [alpha, 0];
  const outcomes = p.map((each, at) => ({ p: each, q: q[at]! })).sort((a, b) => b.p * a.q - a.p * b.q);
  for (const outcome of outcomes) {
    const share = outcome.q <= left ? 1 : left / outcome.q;
    rate += share * outcome.p;
    left -= share * outcome.q;
    if (share < 1) break;
  }
  return rate;
}

describe('true-positive rates', () => {
  // Phi(Phi^-1(a) + 1), by mpmath with 50 digits.
  it.each([
    ['0.1', 0.389143691645],
    ['0.01', 0.092362248074],
    ['1e-20', 7.14220150730726e-17],
    ['1e-50', 1.98672490041309e-44],
    ['1e-100', 1.1030891607628e-91],
    ['1e-250', 2.98432498403673e-236],
  ])('of a Gaussian at %s are enclosed, however small', (alpha, expected) => {
    const { lower, upper } = truePositiveRate(profilesFor([gaussian(1)]), new Decimal(alpha), TOLERANCE);
    expect(lower).toBeLessThanOrEqual(expected * (1 + 1e-11));
    expect(upper).toBeGreaterThanOrEqual(expected * (1 - 1e-11));
    expect(upper - lower!).toBeLessThanOrEqual(2e-9 * upper);
  });

  it('of randomised response with 1 and 2 are those of the two together', () => {
    const { lower, upper } = truePositiveRate(profilesFor([dp(1), dp(2)]), new Decimal('0.1'), TOLERANCE);
    expect(lower).toBeLessThanOrEqual(0.828598123992);
    expect(upper).toBeGreaterThanOrEqual(0.828598123991);
    expect(upper - lower!).toBeLessThan(1e-11);
  });

  it('have a corner where the loss is largest', () => {
    for (const alpha of ['1e-3', '1e-200']) {
      const { lower, upper } = truePositiveRate(profilesFor([laplace(1)]), new Decimal(alpha), TOLERANCE);
      expect(upper / Number(alpha)).toBeCloseTo(Math.E, 8);
      expect(lower! / Number(alpha)).toBeLessThanOrEqual(Math.E * (1 + 1e-12));
    }
  });

  it('of finite pairs are those of the best test', () => {
    const weights = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 })), {
      minLength: 2,
      maxLength: 5,
    });
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 99 }), (drawn, percent) => {
        const [sumP, sumQ] = [0, 1].map((side) => drawn.reduce((sum, each) => sum + each[side as 0 | 1], 0));
        fc.pre(sumP! > 0 && sumQ! > 0);
        // The last outcome has what is missing, so that the sums are 1 exactly.
        const ofSide = (side: 0 | 1, sum: number): Decimal[] => {
          const all = drawn.map((each) => new Decimal(each[side]).div(sum).toDecimalPlaces(6, Decimal.ROUND_DOWN));
          const rest = new Decimal(1).minus(all.reduce((total, each) => total.plus(each), new Decimal(0)));
          return [...all, rest];
        };
        const [p, q] = [ofSide(0, sumP!), ofSide(1, sumQ!)];
        const profiles = profilesFor([finitePair(p.map(String), q.map(String), { direction: 'fixed' })]);
        const { lower, upper } = truePositiveRate(profiles, new Decimal(percent).div(100), TOLERANCE);
        const [ps, qs] = [p, q].map((side) => side.map((each) => each.toNumber())) as [number[], number[]];
        const best = Math.max(bestRate(ps, qs, percent / 100), bestRate(qs, ps, percent / 100));
        expect(lower!).toBeLessThanOrEqual(best * (1 + 1e-12));
        expect(upper).toBeGreaterThanOrEqual(best * (1 - 1e-12));
        if (profiles.claimed === profiles.attained) expect(upper - lower!).toBeLessThan(1e-6);
      }),
      { numRuns: 100 },
    );
  });

  // Phi(36 + Phi^-1(1e-290)) = Phi(-0.42073...), by mpmath.
  it('is enclosed where the false-positive rate is so small that the best line is steeper than any that is tried', () => {
    const { lower, upper } = truePositiveRate(profilesFor([gdp(36)]), new Decimal('1e-290'), TOLERANCE);
    expect(lower!).toBeLessThan(0.337);
    expect(upper).toBeGreaterThan(0.3369);
  });

  it('is at least the probability that everything is revealed, however small the false-positive rate', () => {
    const { lower, upper } = truePositiveRate(profilesFor([dp(0, '0.25')]), new Decimal('1e-300'), TOLERANCE);
    expect(lower!).toBeLessThanOrEqual(0.25);
    expect(upper).toBeGreaterThanOrEqual(0.25);
    expect(upper).toBeLessThan(0.2501);
  });

  it('is that of the best theorem where so many mechanisms are composed that their pairs are not added up', () => {
    const { lower, upper } = truePositiveRate(
      profilesFor([dp('1e-7', 0, { count: 1e13 })]),
      new Decimal('0.1'),
      TOLERANCE,
    );
    expect(upper).toBeLessThan(0.2);
    // That of Gaussian noise of mu = 0.316, by the central limit.
    expect(upper).toBeGreaterThan(0.167);
    expect(lower!).toBeLessThanOrEqual(upper);
  });
});
