import { describe, expect, it } from 'vitest';
import { compose } from '../../../src/composition/compose/compose.ts';
import type { SamplingRefusal } from '../../../src/composition/core/outcome.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import type { Query } from '../../../src/privacy/curve.ts';
import { answer, atDelta, atEpsilon, dp, gaussian, laplace, sampled, type Text } from '../../mechanisms.ts';

const shuffled = (of: Entry, rate: Text): Entry => {
  const entry = sampled(of, rate);
  return entry.mechanism.type === 'sampled'
    ? { ...entry, mechanism: { ...entry.mechanism, scheme: 'shuffled' } }
    : entry;
};

function refused(entries: readonly Entry[], query: Query): SamplingRefusal['code'] | Shuffled {
  const outcome = compose({ entries, adaptivity: 'adaptive' }, query);
  if (outcome.kind === 'answer') throw new Error('answered');
  const { refusal } = outcome;
  if (refusal.code === 'shuffled-batches') return refusal;
  if (refusal.code === 'mixed-neighbours' || refusal.code === 'sampled-in-structure') return refusal.code;
  throw new Error(refusal.code);
}

type Shuffled = Extract<SamplingRefusal, { code: 'shuffled-batches' }>;

function batches(entries: readonly Entry[], query: Query): Shuffled {
  const refusal = refused(entries, query);
  if (typeof refusal === 'string') throw new Error(refusal);
  return refusal;
}

describe('shuffled batches', () => {
  it('cost at least 0.226 in the hard case, where Poisson samples cost 1.2e-5', () => {
    const { least, asPoisson } = batches([shuffled(gaussian('0.4', { count: 10_000 }), '1e-4')], atEpsilon(4));
    expect(least).toBeGreaterThan(0.22605535);
    expect(asPoisson).toBeGreaterThan(1.168318006e-5 * (1 - 1e-6));
    expect(asPoisson).toBeLessThan(1.168318006e-5 * (1 + 1e-6));
  });

  it('cost at least what their curve says, the other way round', () => {
    const { least } = batches([shuffled(gaussian('0.4', { count: 10_000 }), '1e-4')], atDelta('0.22605535'));
    expect(least).toBeGreaterThan(3.99);
  });

  it('of which nothing is known are refused without a number, and crash nothing', () => {
    for (const entry of [
      shuffled(laplace(1, { count: 10 }), '0.1'),
      shuffled(gaussian(1, { count: 9 }), '0.1'),
      shuffled(gaussian(1), 0),
      shuffled(gaussian(1), '1e-300'),
    ]) {
      expect(batches([entry], atDelta('1e-6')).least).toBeNull();
    }
  });

  it('that are all the data cost no less than the noise without them', () => {
    const { least } = batches([shuffled(gaussian(1, { count: 3 }), 1)], atDelta('1e-6'));
    const { epsilon } = answer([gaussian(1, { count: 3 })], atDelta('1e-6'));
    expect(least).toBeGreaterThan(0.99 * epsilon.upper);
    expect(least).toBeLessThanOrEqual(epsilon.upper);
  });
});

describe('mechanisms for different neighbours', () => {
  const poisson = sampled(gaussian(1), '0.1');
  const replaced = sampled(gaussian(1), '0.1', 'without-replacement');

  it('are refused together, also where one of them is on no sample', () => {
    expect(refused([poisson, replaced], atDelta('1e-6'))).toBe('mixed-neighbours');
    expect(refused([poisson, { ...gaussian(1), neighbours: 'replace-one' }], atDelta('1e-6'))).toBe('mixed-neighbours');
  });

  it('are not those that say nothing of neighbours', () => {
    expect(answer([poisson, dp(1)], atDelta('1e-6')).epsilon.upper).toBeGreaterThan(1);
  });
});

describe('the directions of an answer', () => {
  it('are those of sampled randomized response, against exact rationals, and the larger is claimed', () => {
    const { epsilon, directions } = answer([sampled(dp(1, 0, { count: 100 }), '0.1')], atDelta('1e-6'), {
      directions: true,
    });
    const known = { remove: 5.29552041190028, add: 4.44263452998794 };
    for (const name of ['remove', 'add'] as const) {
      const { lower, upper } = directions![name];
      expect(lower).toBeLessThanOrEqual(known[name] * (1 + 1e-14));
      expect(upper).toBeGreaterThanOrEqual(known[name] * (1 - 1e-14));
      expect(upper - lower!).toBeLessThan(1e-9);
    }
    expect(epsilon).toEqual(directions!.remove);
  });
});
