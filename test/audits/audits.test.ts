import { describe, expect, it } from 'vitest';
import { clopperPearson } from '../../src/numeric/binomial.ts';
import { shareOf } from '../reference/share.ts';
import { AUDITED, coverageOf, METHODS } from './campaign.ts';

describe('audits of mechanisms whose privacy is known', () => {
  const cases = AUDITED.flatMap((mechanism) =>
    Object.keys(METHODS).map((method) => [mechanism.name, method, mechanism] as const),
  );
  it.each(cases)('of %s by %s show more than is true at most as often as they say', (_, method, mechanism) => {
    const audits = shareOf(500);
    const { aboveEpsilon, aboveMu, medianEpsilon } = coverageOf(mechanism, method, audits, 3);
    for (const count of [aboveEpsilon, aboveMu]) expect(clopperPearson(count, audits, 0.999).lower).toBeLessThan(0.05);
    // They show something of what leaks.
    expect(medianEpsilon > 0).toBe(mechanism.epsilon > 0);
  });
});
