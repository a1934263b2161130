import { expect, it } from 'vitest';
import { logSurvivalOf, sampledLaw } from '../../../src/privacy/sampling/sampled-law.ts';
import { sampledTransform } from '../../../src/privacy/sampling/sampled-transform.ts';
import { dp, gaussian, laplace, sampledMechanism } from '../../mechanisms.ts';

it('of a list it is the sum over the list, given that nothing is revealed', () => {
  const mechanism = sampledMechanism(dp('1.2', '0.01'), '0.3');
  const law = sampledLaw(mechanism, 'remove')!;
  const survive = Math.log1p(-0.003);
  const { value, error } = sampledTransform(law, survive).logMoment(2);
  const q = 0.99 / (1 + Math.exp(1.2));
  const direct = [
    [1 + 0.3 * Math.expm1(1.2), q],
    [1 + 0.3 * Math.expm1(-1.2), 0.99 - q],
    [0.7, 0.01],
  ].reduce((sum, [g, mass]) => sum + g! ** 3 * mass!, 0);
  expect(Math.abs(value - Math.log(direct / 0.997))).toBeLessThan(error + 1e-14);
  expect(error).toBeLessThan(1e-13);
});

it('of other densities, and of Gaussian noise without replacement, ln E[1] is 0', () => {
  for (const mechanism of [
    sampledMechanism(laplace('1'), '0.1'),
    sampledMechanism(gaussian('1'), '0.1', 'without-replacement'),
  ]) {
    const law = sampledLaw(mechanism, 'remove')!;
    const { value, error } = sampledTransform(law, logSurvivalOf(law)).logMoment(0);
    expect(Math.abs(value)).toBeLessThanOrEqual(error);
    expect(error).toBeLessThan(1e-6);
  }
});
