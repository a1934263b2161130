import { describe, expect, it } from 'vitest';
import {
  answer,
  atDelta,
  atEpsilon,
  boundedRange,
  decimal,
  dp,
  gaussian,
  laplace,
  sampled,
  selection,
  zcdp,
} from '../../mechanisms.ts';

const BASES = [gaussian(4), laplace(2), dp('0.2', '1e-7'), zcdp('0.02'), sampled(gaussian(1), '0.05')];
const fixed = (count: number) => ({ law: 'fixed', count: decimal(count) }) as const;
const poisson = { law: 'poisson', mean: decimal(5) } as const;

describe('a selection, in theorems that do not know any,', () => {
  it('of k fixed runs costs at most k composed ones', () => {
    for (const base of BASES) {
      const composed = answer([{ ...base, count: 5 }], atEpsilon('1'), { claimOnly: true }).delta.upper;
      const best = answer([selection([base], fixed(5))], atEpsilon('1'), { claimOnly: true }).delta.upper;
      expect(best).toBeLessThanOrEqual(composed * (1 + 1e-9));
    }
  });

  it('of pure runs is a pure mechanism: beside others as that', () => {
    const best = selection([dp('0.1')], poisson);
    const { upper } = answer([best], atDelta(0)).epsilon;
    const others = [laplace(3), boundedRange('0.2')];
    const beside = answer([best, ...others], atDelta('1e-6'), { bounds: ['loss-distribution'] }).epsilon.upper;
    const asDp = answer([dp(upper), ...others], atDelta('1e-6'), { bounds: ['loss-distribution'] }).epsilon.upper;
    expect(beside).toBeCloseTo(asDp, 9);
  });

  it('has in none of them a lower end of its own', () => {
    const found = answer([selection([dp('0.5')], poisson)], atDelta('1e-5'));
    for (const row of found.bounds) if (row.applies) expect(row.epsilon.lower).toBeNull();
  });

  it('beside another mechanism has the lower bound of that one, or its own', () => {
    const best = selection([gaussian(2)], poisson);
    const found = answer([best, dp('0.5')], atDelta('1e-6'), { bounds: ['selection-rdp'] });
    expect(found.epsilon.lower).toBeLessThanOrEqual(answer([dp('0.5')], atDelta('1e-6')).epsilon.upper);
    expect(found.epsilon.lower).toBeGreaterThan(0.4);
    const own = answer([best], atDelta('1e-6')).epsilon.lower!;
    expect(own).toBeGreaterThan(0.5);
    expect(answer([best, dp('0.5')], atDelta('1e-6')).epsilon.lower).toBe(own);
  });
});
