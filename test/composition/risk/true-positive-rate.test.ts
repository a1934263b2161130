import { describe, expect, it } from 'vitest';
import { profilesOf } from '../../../src/composition/risk/profile.ts';
import { truePositiveRate } from '../../../src/composition/risk/true-positive-rate.ts';
import type { Bracket } from '../../../src/numeric/enclosure.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import { decimal, dp, gdp } from '../../mechanisms.ts';

function rate(entries: readonly Entry[], alpha: string): Bracket {
  const found = profilesOf({ entries, adaptivity: 'adaptive' });
  if (found.kind === 'refusal') throw new Error(found.refusal.code);
  return truePositiveRate(found.profiles, decimal(alpha), 1e-9);
}

describe('the largest true-positive rate', () => {
  // Phi(36 + Phi^-1(1e-290)) = Phi(-0.42073...), by mpmath.
  it('is enclosed where the false-positive rate is so small that the best line is steeper than any that is tried', () => {
    const { lower, upper } = rate([gdp(36)], '1e-290');
    expect(lower!).toBeLessThan(0.337);
    expect(upper).toBeGreaterThan(0.3369);
  });

  it('is at least the probability that everything is revealed, however small the false-positive rate', () => {
    const { lower, upper } = rate([dp(0, '0.25')], '1e-300');
    expect(lower!).toBeLessThanOrEqual(0.25);
    expect(upper).toBeGreaterThanOrEqual(0.25);
    expect(upper).toBeLessThan(0.2501);
  });

  it('is that of the best theorem where so many mechanisms are composed that their pairs are not added up', () => {
    const { lower, upper } = rate([dp('1e-7', 0, { count: 1e13 })], '0.1');
    expect(upper).toBeLessThan(0.2);
    // That of Gaussian noise of mu = 0.316, by the central limit.
    expect(upper).toBeGreaterThan(0.167);
    expect(lower!).toBeLessThanOrEqual(upper);
  });
});
