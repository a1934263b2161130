import { describe, expect, it } from 'vitest';
import { fc } from '../../reference/properties.ts';
import { jointSigma } from '../../../src/document/events/dp-events.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { Rational } from '../../../src/numeric/rational.ts';
import { mechanismsOf, mistakes, refused } from './convertible.ts';

const gaussian = (noise: unknown): unknown => ({ class_name: 'GaussianDpEvent', noise_multiplier: noise });
const LAPLACE = { class_name: 'LaplaceDpEvent', noise_multiplier: 2 };
const self = (event: unknown, count: unknown): unknown => ({ class_name: 'SelfComposedDpEvent', event, count });
const all = (...events: unknown[]): unknown => ({ class_name: 'ComposedDpEvent', events });
const poisson = (event: unknown, rate: unknown = 0.1): unknown => ({
  class_name: 'PoissonSampledDpEvent',
  sampling_probability: rate,
  event,
});
const fixed = (event: unknown, size: unknown = 10, population: unknown = 1000): unknown => ({
  class_name: 'SampledWithoutReplacementDpEvent',
  source_dataset_size: population,
  sample_size: size,
  event,
});

const onPoisson = (entry: object, rate: unknown = 0.1): unknown => ({
  ...entry,
  sampling: { scheme: 'poisson', rate },
  neighbours: 'add-remove',
});
const onFixed = (entry: object, rate = '10/1000'): unknown => ({
  ...entry,
  sampling: { scheme: 'without-replacement', rate },
  neighbours: 'replace-one',
});

describe('an event on a sample', () => {
  it('is the mechanism with a sampling', () => {
    expect(mechanismsOf(self(poisson(gaussian(1.1), '256/60000'), 14063))).toEqual([
      { ...(onPoisson({ type: 'gaussian', sigma: 1.1 }, '256/60000') as object), count: 14063 },
    ]);
    expect(mechanismsOf(poisson(LAPLACE))).toEqual([onPoisson({ type: 'laplace', scale: 2 })]);
    expect(mechanismsOf(poisson({ class_name: 'EpsilonDeltaDpEvent', epsilon: 1, delta: 0 }))).toEqual([
      onPoisson({ type: 'dp', epsilon: 1, delta: 0 }),
    ]);
  });

  it('of everything is the mechanism, and of nothing stays one', () => {
    const zcdp = { class_name: 'ZCDpEvent', rho: 1 };
    expect(mechanismsOf(poisson(all(gaussian(1), zcdp), 1))).toEqual([
      { type: 'gaussian', sigma: 1 },
      { type: 'zcdp', rho: 1 },
    ]);
    expect(mechanismsOf(poisson(gaussian(1), 0))).toEqual([onPoisson({ type: 'gaussian', sigma: 1 }, 0)]);
    expect(mechanismsOf(poisson(gaussian(1), '0.0'))).toEqual([onPoisson({ type: 'gaussian', sigma: 1 }, '0.0')]);
  });

  it('has twice the norm bound as its sensitivity where a record is replaced, also beside the sample', () => {
    const discrete = { class_name: 'DiscreteLaplaceDpEvent', noise_parameter: 0.5, sensitivity: 3 };
    const known = { class_name: 'DiscreteGaussianDpEvent', sigma: 3, sensitivity: 2, dimension: 1 };
    expect(mechanismsOf(all(fixed(gaussian(1.1)), gaussian(2), LAPLACE, discrete, known))).toEqual([
      onFixed({ type: 'gaussian', sigma: 1.1, sensitivity: 2 }),
      { type: 'gaussian', sigma: 2, sensitivity: 2 },
      { type: 'laplace', scale: 2, sensitivity: 2 },
      { type: 'discrete-laplace', scale: '2', sensitivity: 6 },
      { type: 'discrete-gaussian', sigma: 3, sensitivity: 2 },
    ]);
    expect(mechanismsOf(fixed(gaussian(1), 60, 60))).toEqual([{ type: 'gaussian', sigma: 1, sensitivity: 2 }]);
    expect(mechanismsOf(all(poisson(gaussian(1)), gaussian(2)))).toEqual([
      onPoisson({ type: 'gaussian', sigma: 1 }),
      { type: 'gaussian', sigma: 2 },
    ]);
  });

  it('may be a quotient of noise and what it is a multiple of', () => {
    expect(mechanismsOf(all(gaussian('10/3'), poisson(gaussian('1/0.3'))))).toEqual([
      { type: 'gaussian', sigma: '10', sensitivity: '3' },
      onPoisson({ type: 'gaussian', sigma: '1', sensitivity: '0.3' }),
    ]);
    expect(mechanismsOf(fixed(gaussian('10/3')))).toEqual([onFixed({ type: 'gaussian', sigma: '10', sensitivity: 6 })]);
    expect(mistakes(gaussian('1/0'))).toEqual(['noise_multiplier not-a-number']);
    expect(mistakes(gaussian('1/2/3'))).toEqual(['noise_multiplier not-a-number']);
  });
});

describe('Gaussian events on one sample', () => {
  it('are one, of less noise', () => {
    expect(mechanismsOf(poisson(all(gaussian(6), self(gaussian('6.0'), 3))))).toEqual([
      onPoisson({ type: 'gaussian', sigma: '3' }),
    ]);
    expect(mechanismsOf(poisson(all(gaussian(1.1), all(gaussian(10)), { class_name: 'NoOpDpEvent' })))).toEqual([
      onPoisson({ type: 'gaussian', sigma: '1.0934047915289761804' }),
    ]);
    expect(mechanismsOf(fixed(self(gaussian(2), 4)))).toEqual([
      onFixed({ type: 'gaussian', sigma: '1', sensitivity: 2 }),
    ]);
  });

  it('are none, or the only other event, where nothing else is run', () => {
    expect(mechanismsOf(poisson(all(self(gaussian(1), 0))))).toEqual([{ type: 'dp', epsilon: '0' }]);
    expect(mechanismsOf(poisson(all(self(LAPLACE, 1), { class_name: 'NoOpDpEvent' })))).toEqual([
      onPoisson({ type: 'laplace', scale: 2 }),
    ]);
  });

  it('never have more noise than they have together', () => {
    const multiplier = fc.tuple(fc.integer({ min: 1, max: 10 ** 6 }), fc.integer({ min: 1, max: 1000 }));
    const noise = fc.array(fc.tuple(multiplier, fc.integer({ min: 1, max: 10 ** 6 })), { minLength: 1, maxLength: 90 });
    fc.assert(
      fc.property(noise, (members) => {
        const read = members.map(([[above, below], times]) => ({
          multiplier: Rational.of(above, below),
          times: new Decimal(times),
        }));
        const sigma = Rational.ofDecimal(jointSigma(read));
        let inverse = Rational.ZERO;
        for (const { multiplier, times } of read) {
          inverse = inverse.plus(Rational.ofDecimal(times).over(multiplier.times(multiplier)));
        }
        const product = sigma.times(sigma).times(inverse);
        expect(product.compare(Rational.ONE)).toBeLessThanOrEqual(0);
        expect(product.compare(Rational.of(10n ** 18n - 1n, 10n ** 18n))).toBe(1);
      }),
      { numRuns: 50 },
    );
  });
});

describe('what may not be done with a sample', () => {
  it.each([
    ['two mechanisms on it', poisson(all(gaussian(1), LAPLACE)), 'event.events[1] one sample used twice'],
    ['one mechanism on it twice', poisson(self(LAPLACE, 2)), 'event.event one sample used twice'],
    ['a sample of it', poisson(poisson(gaussian(1))), 'event sampling of what was sampled'],
    [
      'a sample among others of it',
      poisson(all(gaussian(1), fixed(gaussian(1)))),
      'event.events[1] one sample used twice',
    ],
    ['a zCDP guarantee', poisson({ class_name: 'ZCDpEvent', rho: 1 }), 'event sampling of a Renyi or zCDP guarantee'],
    [
      'an exponential mechanism',
      poisson({ class_name: 'ExponentialMechanismDpEvent', epsilon: 1 }),
      'event sampling of bounded range',
    ],
    ['no privacy', poisson({ class_name: 'NonPrivateDpEvent' }), 'event non-private'],
    [
      'a sample that is cut',
      {
        class_name: 'TruncatedSubsampledGaussianDpEvent',
        dataset_size: 1000,
        sampling_probability: 0.1,
        truncated_batch_size: 1000,
        noise_multiplier: 1,
      },
      'document subsampled-truncated-gaussian',
    ],
    [
      'a tree on it',
      poisson({ class_name: 'SingleEpochTreeAggregationDpEvent', noise_multiplier: 1, step_counts: 3 }),
      'event sampling of tree aggregation',
    ],
  ])('%s is refused at its place', (_, event, expected) => {
    expect(refused(event)).toBe(expected);
  });

  it.each([
    ['a rate above 1', poisson(gaussian(1), 1.5), ['sampling_probability out-of-range']],
    ['a rate that is no number', poisson(gaussian(1), 'often'), ['sampling_probability not-a-number']],
    ['no rate', { class_name: 'PoissonSampledDpEvent', event: gaussian(1) }, ['sampling_probability missing-key']],
    ['nothing on it', { class_name: 'PoissonSampledDpEvent', sampling_probability: 1 }, ['event missing-key']],
    ['a sample larger than all', fixed(gaussian(1), 11, 10), ['sample_size out-of-range']],
    ['a sample of nothing', fixed(gaussian(1), 0, 0), ['source_dataset_size out-of-range']],
    ['half a record', fixed(gaussian(1), 0.5), ['sample_size out-of-range']],
    ['noise that is none', poisson(all(gaussian(0), gaussian(1))), ['event.events[0].noise_multiplier out-of-range']],
    ['half a repetition', poisson(self(gaussian(1), 0.5)), ['event.count out-of-range']],
    ['a word for a list', poisson({ class_name: 'ComposedDpEvent', events: 3 }), ['event.events wrong-type']],
  ])('%s is a mistake at its place', (_, event, expected) => {
    expect(mistakes(event)).toEqual(expected);
  });
});
