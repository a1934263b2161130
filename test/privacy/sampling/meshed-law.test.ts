import { describe, expect, it } from 'vitest';
import { hockeyStick } from '../../../src/numeric/mesh/mesh-measure.ts';
import { meshOver } from '../../../src/numeric/mesh/mesh.ts';
import { extentOf, hasFarTails, meshed } from '../../../src/privacy/sampling/meshed-law.ts';
import { logSurvivalOf, sampledLaw, type SampledLaw } from '../../../src/privacy/sampling/sampled-law.ts';
import { deviationOf } from '../../../src/privacy/sampling/sampled-pair.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import { dp, gaussian, laplace, sampledMechanism } from '../../mechanisms.ts';

const lawOf = (base: Entry, rate: string, scheme?: 'poisson' | 'without-replacement'): SampledLaw =>
  sampledLaw(sampledMechanism(base, rate, scheme), 'remove')!;

function measuresOf(law: SampledLaw, density = 60): ReturnType<typeof meshed> {
  const { low, high } = extentOf(law);
  return meshed(law, logSurvivalOf(law), meshOver(low, high, 1e-3 * deviationOf(law), density));
}

describe('on a mesh', () => {
  // rate H_(1 + (y - 1) / rate) of Laplace noise.
  const truth = (epsilon: number): number => 0.3 * -Math.expm1((Math.log1p(Math.expm1(epsilon) / 0.3) - 1 / 0.8) / 2);

  it.each(['poisson', 'without-replacement'] as const)('%s: the curve lies between the two measures', (scheme) => {
    const { above, below } = measuresOf(lawOf(laplace('0.8'), '0.3', scheme));
    for (const epsilon of [0, 0.05, 0.2, 0.4]) {
      const [lower, upper] = [hockeyStick(below, epsilon).lower, hockeyStick(above, epsilon).upper];
      expect(lower).toBeLessThanOrEqual(truth(epsilon));
      expect(upper).toBeGreaterThanOrEqual(truth(epsilon));
      expect(upper - lower).toBeLessThan(1e-3 * upper);
    }
  });
});

it.each(['1', '0.05', '0.02', '0.002'])('noise of deviation %s keeps its mass, also where Q has none', (sigma) => {
  const { above, below } = measuresOf(lawOf(gaussian(sigma), '0.5'));
  for (const { p, beyond } of [above, below]) {
    expect(p.reduce((sum, mass) => sum + mass, 0) + beyond).toBeCloseTo(1, 9);
  }
});

it('has the losses within its extent', () => {
  const { low, high } = extentOf(lawOf(dp('1'), '0.1'));
  expect(high).toBeCloseTo(Math.log(0.9 + 0.1 * Math.E), 12);
  expect(low).toBeCloseTo(Math.log(0.9 + 0.1 / Math.E), 12);
});

it('tells the tails of noise from few losses', () => {
  expect(hasFarTails(lawOf(gaussian('1'), '0.5'))).toBe(true);
  expect(hasFarTails(lawOf(dp('1'), '0.5'))).toBe(false);
});
