import { describe, expect, it } from 'vitest';
import { answer, atDelta, atEpsilon, boundedRange, valueOf } from '../../mechanisms.ts';

const different = Array.from({ length: 9 }, (_, i) => boundedRange(`0.0${i + 1}`, { count: 20_000 }));

describe('many bounded-range mechanisms', () => {
  it.each(['adaptive', 'nonadaptive'] as const)(
    'are enclosed without tables: of different parameters, %s',
    (adaptivity) => {
      const { epsilon, bound } = answer(different, atDelta('1e-6'), { adaptivity });
      expect(bound).toBe(adaptivity === 'adaptive' ? 'br-adaptive' : 'br-nonadaptive');
      expect(epsilon.upper / epsilon.lower! - 1).toBeLessThan(1e-3);
    },
  );

  it('cost no more fixed in advance than adaptively chosen, and no less than equal ones of the smallest', () => {
    const fixed = answer(different, atDelta('1e-6'), { adaptivity: 'nonadaptive' });
    const chosen = answer(different, atDelta('1e-6'), { adaptivity: 'adaptive' });
    expect(fixed.epsilon.upper).toBeLessThanOrEqual(chosen.epsilon.upper);
    const smallest = answer([boundedRange('0.01', { count: 180_000 })], atDelta('1e-6'), { adaptivity: 'nonadaptive' });
    expect(fixed.epsilon.upper).toBeGreaterThanOrEqual(smallest.epsilon.lower!);
  });

  it.each(['5.165e-162', '1.2e-161', '3e-140'])(
    'cost no less than fixed in advance where squares underflow: epsilon %s',
    (epsilon) => {
      const list = [boundedRange(epsilon, { count: 600 })];
      for (const query of [atEpsilon(0), atDelta('1e-6')]) {
        const { [query.solveFor]: chosen } = answer(list, query, { bounds: ['br-adaptive'] });
        const { [query.solveFor]: fixed } = answer(list, query, { adaptivity: 'nonadaptive' });
        expect(chosen.upper).toBeGreaterThanOrEqual(fixed.lower!);
      }
      const apart = [boundedRange(epsilon, { count: 300 }), boundedRange('1e-150', { count: 300 })];
      // Randomized responses of half the parameter: (1e-150 / 4) E|S|, S a sum of 300 signs, which is 13.81.
      expect(answer(apart, atEpsilon(0)).delta.upper).toBeGreaterThan(3.45e-150);
    },
  );

  it('are narrower where that is asked', () => {
    const list = [boundedRange('0.1', { count: 600 })];
    const usual = answer(list, atDelta('1e-6'), { bounds: ['br-adaptive'] });
    const asked = answer(list, atDelta('1e-6'), { bounds: ['br-adaptive'], tolerance: 1e-3 });
    expect(valueOf(asked, 'br-adaptive').upper).toBeLessThan(valueOf(usual, 'br-adaptive').upper);
    expect(asked.epsilon.upper / asked.epsilon.lower!).toBeLessThan(1 + 1e-3);
    expect(asked.epsilon.lower!).toBeLessThanOrEqual(usual.epsilon.upper);
    expect(usual.epsilon.upper / usual.epsilon.lower!).toBeLessThan(1 + 5e-3);
  });
});
