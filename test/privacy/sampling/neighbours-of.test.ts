import { expect, it } from 'vitest';
import { NEIGHBOURS_OF } from '../../../src/privacy/sampling/rate.ts';
import { isCovered } from '../../../src/privacy/sampling/sampled-moment.ts';
import { gaussian, sampledMechanism } from '../../mechanisms.ts';

it.each(['poisson', 'without-replacement'] as const)(
  '%s has a theorem for its neighbours, and for no others',
  (scheme) => {
    const mechanism = sampledMechanism(gaussian('1'), '0.5', scheme);
    const others = NEIGHBOURS_OF[scheme] === 'add-remove' ? 'replace-one' : 'add-remove';
    expect(isCovered({ ...mechanism, neighbours: NEIGHBOURS_OF[scheme] })).toBe(true);
    expect(isCovered({ ...mechanism, neighbours: others })).toBe(false);
  },
);
