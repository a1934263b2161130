import { describe, expect, it } from 'vitest';
import type { Sampled } from '../../../src/privacy/mechanism.ts';
import { logSurvivalOf, sampledLaw } from '../../../src/privacy/sampling/sampled-law.ts';
import { sampledPair } from '../../../src/privacy/sampling/sampled-pair.ts';
import { decimal } from '../../mechanisms.ts';

/** Gaussian noise of sigma 1 on samples without replacement. */
const noise = (rate: string): Sampled => ({
  type: 'sampled',
  of: { type: 'gaussian', sigma: decimal(1), sensitivity: decimal(1) },
  scheme: 'without-replacement',
  rate: { numerator: decimal(rate), denominator: decimal(1) },
  neighbours: 'replace-one',
});

function deviation(rate: string): number {
  const law = sampledLaw(noise(rate), 'remove')!;
  return sampledPair(law, logSurvivalOf(law)).deviation;
}

describe('the deviation of a sampled loss', () => {
  it('is that of the noise where all records are in the sample', () => {
    expect(deviation('1')).toBeCloseTo(1, 3);
  });

  it('falls with the rate, of small rates in proportion', () => {
    expect(deviation('1e-3') / deviation('1e-4')).toBeCloseTo(10, 0);
    expect(deviation('1e-6') / deviation('1e-7')).toBeCloseTo(10, 3);
    expect(deviation('1e-7')).toBeGreaterThan(0);
  });
});
