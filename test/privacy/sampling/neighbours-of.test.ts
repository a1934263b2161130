import { expect, it } from 'vitest';
import { NEIGHBOURS_OF } from '../../../src/privacy/sampling/rate.ts';
import { isCovered } from '../../../src/privacy/sampling/sampled-moment.ts';
import { decimal, gaussian, laplace, sampledMechanism } from '../../mechanisms.ts';

it.each(['poisson', 'without-replacement'] as const)(
  '%s has a theorem for its neighbours, and for no others',
  (scheme) => {
    const mechanism = sampledMechanism(laplace('1'), '0.5', scheme);
    const others = NEIGHBOURS_OF[scheme] === 'add-remove' ? 'replace-one' : 'add-remove';
    expect(isCovered({ ...mechanism, neighbours: NEIGHBOURS_OF[scheme] })).toBe(true);
    expect(isCovered({ ...mechanism, neighbours: others })).toBe(false);
  },
);

it('Poisson samples have one where a record is replaced, and for several records, if noise is Gaussian', () => {
  for (const base of [gaussian('1'), laplace('1')]) {
    const mechanism = sampledMechanism(base, '0.5');
    const isGaussian = base.mechanism.type === 'gaussian';
    expect(isCovered({ ...mechanism, neighbours: 'replace-one' })).toBe(isGaussian);
    expect(isCovered({ ...mechanism, records: decimal(2) })).toBe(isGaussian);
  }
});
