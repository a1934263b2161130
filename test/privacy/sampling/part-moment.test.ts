import { describe, expect, it } from 'vitest';
import { partMoment, pieceCount } from '../../../src/privacy/sampling/part-moment.ts';
import { sampledLaw } from '../../../src/privacy/sampling/sampled-law.ts';
import { gaussian, laplace, sampledMechanism } from '../../mechanisms.ts';

describe.each(['remove', 'add'] as const)('E[e^(tilt L)] of all records, %s', (direction) => {
  it.each([0.5, 3, 20])('of Gaussian noise, tilt %d', (tilt) => {
    const law = sampledLaw(sampledMechanism(gaussian('1.7'), 1), direction)!;
    const { value, error } = partMoment(law, law.parts[0]!, tilt);
    expect(Math.abs(value - (tilt * (tilt + 1)) / (2 * 1.7 ** 2))).toBeLessThanOrEqual(error);
    expect(error).toBeLessThan(1e-9);
    expect(pieceCount(law, law.parts[0]!, tilt)).toBeLessThan(4000);
  });

  it.each([0.5, 3, 20])('of Laplace noise between its two ends, tilt %d', (tilt) => {
    const law = sampledLaw(sampledMechanism(laplace('0.8'), 1), direction)!;
    const [e, a] = [1.25, tilt + 0.5];
    // The density of the loss l under P is e^((l - e) / 2) / 4.
    const truth = Math.log((Math.exp(a * e) - Math.exp(-a * e)) / a / 4) - e / 2;
    const { value, error } = partMoment(law, law.parts[0]!, tilt);
    expect(Math.abs(value - truth)).toBeLessThanOrEqual(error);
    expect(error).toBeLessThan(1e-9);
  });
});

it('at tilt 0 a part weighs what it is likely', () => {
  const law = sampledLaw(sampledMechanism(gaussian('0.6'), '0.2', 'without-replacement'), 'remove')!;
  const weights = law.parts.map((part) => Math.exp(partMoment(law, part, 0).value));
  const rest = law.atoms.reduce((sum, { logMass }) => sum + Math.exp(logMass), 0);
  expect(weights.reduce((a, b) => a + b, rest)).toBeCloseTo(1, 9);
});
