import { describe, expect, it } from 'vitest';
import { logEverSampled } from '../../../src/privacy/sampling/rate.ts';
import { sampledLaw } from '../../../src/privacy/sampling/sampled-law.ts';
import { answer, atDelta, atEpsilon, gaussian, laplace, sampled, sampledMechanism } from '../../mechanisms.ts';

const group = (rate: string, count: number) => ({
  rates: sampledLaw(sampledMechanism(laplace('1'), rate), 'remove')!.rates,
  count,
});

describe('the chance of being in a sample at all', () => {
  it('is 1 - prod (1 - q)^n, rounded up', () => {
    const chance = Math.exp(logEverSampled([group('0.1', 3), group('0.5', 1)]));
    expect(chance).toBeGreaterThanOrEqual(1 - 0.9 ** 3 * 0.5);
    expect(chance).toBeLessThan(1 - 0.9 ** 3 * 0.5 + 1e-11);
    expect(Math.exp(logEverSampled([group('1e-300', 1000)])) / 1e-297).toBeCloseTo(1, 9);
    expect(logEverSampled([group('1', 2)])).toBeGreaterThanOrEqual(0);
    expect(logEverSampled([group('0', 5)])).toBe(-Infinity);
  });

  it('is never below what samples cost: such a delta has epsilon 0', () => {
    const rare = [sampled(gaussian('0.1', { count: 1000 }), '1e-9')];
    expect(answer(rare, atDelta('1.0001e-6')).epsilon.upper).toBe(0);
    const less = [sampled(gaussian('1', { count: 1000 }), '1e-9')];
    expect(answer(less, atEpsilon('0')).delta.upper).toBeLessThan(1.0001e-6);
  });
});
