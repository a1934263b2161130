import { describe, expect, it } from 'vitest';
import { NOT_OFFERED } from '../../../src/document/core/not-offered.ts';
import { EVENT_CLASSES, EVENT_CLASSES_REFUSED } from '../../../src/document/events/conversion.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { fc } from '../../reference/properties.ts';
import { mechanismsOf, mistakes, refused } from './convertible.ts';

const GAUSSIAN = { class_name: 'GaussianDpEvent', noise_multiplier: 2.5 };
const self = (event: unknown, count: unknown): unknown => ({ class_name: 'SelfComposedDpEvent', event, count });
const all = (...events: unknown[]): unknown => ({
  module_name: 'dp_accounting.dp_event',
  class_name: 'ComposedDpEvent',
  events,
});

describe('an event list', () => {
  it('of mechanisms and parameters lists them', () => {
    const events = [
      { mechanism: 'gaussian', parameters: { noise_multiplier: 1.5 }, count: 10, label: 'sums' },
      { mechanism: 'dp', parameters: { epsilon: '0.1', delta: '1e-7' } },
      { mechanism: 'laplace', parameters: { noise_multiplier: 4, sampling_probability: 1 } },
    ];
    expect(mechanismsOf({ events })).toEqual([
      { type: 'gaussian', 'noise-multiplier': 1.5, label: 'sums', count: 10 },
      { type: 'dp', epsilon: '0.1', delta: '1e-7' },
      { type: 'laplace', scale: 4 },
    ]);
  });

  it('of dp_accounting counts what is composed with itself', () => {
    const event = all(GAUSSIAN, self(all(self({ class_name: 'LaplaceDpEvent', noise_multiplier: 3 }, 4), GAUSSIAN), 5));
    expect(mechanismsOf(event)).toEqual([
      { type: 'gaussian', sigma: 2.5 },
      { type: 'laplace', scale: 3, count: 20 },
      { type: 'gaussian', sigma: 2.5, count: 5 },
    ]);
    expect(mechanismsOf({ events: [event] })).toEqual(mechanismsOf(event));
  });

  it('writes each class of dp_accounting by what it guarantees', () => {
    const event = all(
      { class_name: 'NoOpDpEvent' },
      { class_name: 'EpsilonDeltaDpEvent', epsilon: 1, delta: 0.25 },
      { class_name: 'ZCDpEvent', rho: 0.5, xi: 0.0 },
      { class_name: 'ExponentialMechanismDpEvent', epsilon: 1 },
      { class_name: 'PermuteAndFlipDpEvent', epsilon: 1 },
      { class_name: 'DiscreteGaussianDpEvent', sigma: 3, sensitivity: 2, dimension: 1 },
    );
    expect(mechanismsOf(event)).toEqual([
      { type: 'dp', epsilon: '0' },
      { type: 'dp', epsilon: 1, delta: 0.25 },
      { type: 'zcdp', rho: 0.5 },
      { type: 'exponential', epsilon: 1 },
      { type: 'permute-and-flip', epsilon: 1 },
      { type: 'discrete-gaussian', sigma: 3, sensitivity: 2 },
    ]);
  });

  it('never claims more discrete noise than there is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 9 }), (n) => {
        const a = new Decimal(n).div('1e6');
        const [entry] = mechanismsOf({
          class_name: 'DiscreteLaplaceDpEvent',
          noise_parameter: a.toString(),
          sensitivity: 1,
        }) as { scale: string }[];
        const product = new (Decimal.clone({ precision: 200 }))(entry?.scale ?? 0).times(a);
        expect(product.lte(1) && product.gt('0.99999999999999999999')).toBe(true);
      }),
    );
  });

  it('has nothing in place of what is never run', () => {
    expect(mechanismsOf(all(self(self(GAUSSIAN, 0), 10), { class_name: 'NoOpDpEvent' }))).toEqual([
      { type: 'dp', epsilon: '0' },
      { type: 'dp', epsilon: '0' },
    ]);
  });

  it('takes a sampling as a specification has it', () => {
    const sampling = { scheme: 'poisson', rate: 0.01 };
    expect(
      mechanismsOf({ events: [{ mechanism: 'gaussian', parameters: { noise_multiplier: 1, sampling }, count: 5 }] }),
    ).toEqual([{ type: 'gaussian', 'noise-multiplier': 1, sampling, count: 5 }]);
  });

  it('of diffprivlib is what is spent', () => {
    expect(
      mechanismsOf({
        spent_budget: [
          [0.5, 0],
          [0.25, 1e-7],
        ],
      }),
    ).toEqual([
      { type: 'dp', epsilon: 0.5, delta: 0 },
      { type: 'dp', epsilon: 0.25, delta: 1e-7 },
    ]);
  });

  it('with events that no theorem covers is refused by name, and nothing is left out', () => {
    const inside = { class_name: 'NonPrivateDpEvent' };
    expect(refused(all(GAUSSIAN, self(inside, 3)))).toBe('events[1].event non-private');
    expect(refused({ events: [{ mechanism: 'gaussian', parameters: { sigma: 1, sample_rate: 0.5 } }] })).toBe(
      'events[0].parameters.sample_rate subsampled',
    );
    expect(refused({ events: [{ mechanism: 'poisson-subsampled', parameters: {} }] })).toBe(
      'events[0] poisson-subsampled',
    );
    expect(refused({ class_name: 'ZCDpEvent', rho: 1, xi: 0.1 })).toBe('document approximate-zcdp');
    expect(refused({ class_name: 'DiscreteGaussianDpEvent', sigma: 1 })).toBe(
      'document multivariate-discrete-gaussian',
    );
    for (const name of ['TomorrowsDpEvent', 'constructor', '__proto__', 'toString']) {
      expect(refused({ class_name: name })).toBe(`document ${name}`);
    }
    expect(mistakes({ events: [{ mechanism: 'constructor', parameters: { name: 1 } }] })).toEqual([
      'events[0].mechanism unknown-type',
    ]);
  });

  it('knows why it refuses a class', () => {
    expect(Object.values(EVENT_CLASSES_REFUSED).filter((type) => !Object.hasOwn(NOT_OFFERED, type))).toEqual([]);
    expect(Object.keys(EVENT_CLASSES).filter((name) => Object.hasOwn(EVENT_CLASSES_REFUSED, name))).toEqual([]);
  });

  it.each([
    ['noise that is none', all({ ...GAUSSIAN, noise_multiplier: 0 }), ['events[0].noise_multiplier out-of-range']],
    ['a parameter it lacks', all({ class_name: 'GaussianDpEvent' }), ['events[0].noise_multiplier missing-key']],
    ['a key nobody knows', all({ ...GAUSSIAN, l2_norm_clip: 1 }), ['events[0].l2_norm_clip unknown-key']],
    ['half a repetition', self(GAUSSIAN, 1.5), ['count out-of-range']],
    ['a repetition less than none', self(GAUSSIAN, -1), ['count out-of-range']],
    [
      'an unknown mechanism',
      { events: [{ mechanism: 'gausian', parameters: { sigma: 1 } }] },
      ['events[0].mechanism unknown-type'],
    ],
    [
      'two names for one parameter',
      { events: [{ mechanism: 'gaussian', parameters: { sigma: 1, noise_multiplier: 2 } }] },
      ['events[0] conflicting-keys'],
    ],
    ['no list', { events: 3 }, ['events wrong-type']],
    ['no events', { events: [] }, ['events empty-list']],
    ['a pair for a triple', { history: [[1, 2]] }, ['history[0] wrong-type']],
    ['too many in all', self(self(GAUSSIAN, 2 ** 40), 2 ** 40), ['event.event out-of-range']],
  ])('with %s is a mistake at its place', (_, events, expected) => {
    expect(mistakes(events)).toEqual(expected);
  });
});
