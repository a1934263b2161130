import { describe, expect, it } from 'vitest';
import { fromDouble } from '../../../src/numeric/double-double.ts';
import { logGainFromCells, logHockeyStick } from '../../../src/numeric/lattice/measure.ts';
import { logSurvivalOf, sampledLaw } from '../../../src/privacy/sampling/sampled-law.ts';
import { sampledPair } from '../../../src/privacy/sampling/sampled-pair.ts';
import type { SinglePair } from '../../../src/privacy/single-pair.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import { answer, atEpsilon, dp, gaussian, gdp, laplace, sampled, sampledMechanism } from '../../mechanisms.ts';

function pairOf(base: Entry, rate: string, scheme?: 'poisson' | 'without-replacement'): SinglePair {
  const law = sampledLaw(sampledMechanism(base, rate, scheme), 'remove')!;
  return sampledPair(law, logSurvivalOf(law));
}

describe('on a lattice', () => {
  // rate H_(1 + (y - 1) / rate) of Laplace noise.
  const truth = (epsilon: number): number => 0.3 * -Math.expm1((Math.log1p(Math.expm1(epsilon) / 0.3) - 1 / 0.8) / 2);

  it.each(['poisson', 'without-replacement'] as const)('%s: the curve lies between the two measures', (scheme) => {
    const { above, own, other } = pairOf(laplace('0.8'), '0.3', scheme).discretise(0.5, 1e-3);
    for (const epsilon of [0.05, 0.2, 0.4]) {
      const at = fromDouble(epsilon);
      const [low, high] = [Math.exp(logGainFromCells(own, other, at)), Math.exp(logHockeyStick(above, at).upper)];
      expect(low).toBeLessThanOrEqual(truth(epsilon));
      expect(high).toBeGreaterThanOrEqual(truth(epsilon));
      expect(high - low).toBeLessThan(1e-4 * high);
    }
  });
});

it('looks at moments before it computes them', () => {
  expect(pairOf(gaussian('1.5'), '1').approximateLogMoment(2)).toBeCloseTo(3 / 1.5 ** 2, 6);
  expect(pairOf(dp('1', '0.01'), '0.2').approximateLogMoment(0)).toBeCloseTo(0, 12);
});

it('has the deviation of rare losses too, which differences of moments do not show', () => {
  // The variance of g is rate^2 (e^(mu^2) - 1), and ln g is about g - 1.
  const deviation = 1e-3 * Math.sqrt(Math.expm1(0.01));
  expect(pairOf(gaussian('10'), '0.001').deviation / deviation).toBeCloseTo(1, 1);
});

it('small rates are answered without replacement, too', () => {
  const { upper } = answer([sampled(gdp('0.867'), '0.011', 'without-replacement')], atEpsilon(-0.0352156964), {
    tolerance: 1e-3,
  }).delta;
  expect(upper).toBeGreaterThan(0.034950247);
  expect(upper).toBeLessThan(0.03496);
});
