import { describe, expect, it } from 'vitest';
import { convert, mechanismsOf, mistakes } from './convertible.ts';

const sampled = (sigma: unknown, rate: unknown, count: number): unknown => ({
  type: 'gaussian',
  sigma,
  sampling: { scheme: 'poisson', rate },
  neighbours: 'add-remove',
  count,
});

const CONFIG = {
  target_delta: 1e-5,
  population_size: 1000,
  neighboring_relation: 'add-or-remove-one',
  sampling_method: 'poisson',
  max_epsilon: null,
};

describe('an accountant that has recorded nothing yet', () => {
  it.each([
    ['Opacus', { history: [], mechanism: 'prv' }],
    ['Flower', { schema_version: 1, config: CONFIG, compositions: [] }],
    ['dp_accounting', { class_name: 'ComposedDpEvent', events: [] }],
    ['diffprivlib', { spent_budget: [] }],
  ])('of %s costs nothing', (_, state) => {
    expect(mechanismsOf(state)).toEqual([{ type: 'dp', epsilon: '0' }]);
  });
});

describe('the history of an accountant of Opacus', () => {
  const HISTORY = [
    [1.1, 0.0042, 100],
    [2, 1.0, 10],
  ];
  const MECHANISMS = [sampled(1.1, 0.0042, 100), { type: 'gaussian', sigma: 2, count: 10 }];

  it.each(['rdp', 'prv', 'gdp'])('is Gaussian noise on Poisson samples, also of %s', (mechanism) => {
    expect(mechanismsOf({ history: HISTORY, mechanism })).toEqual(MECHANISMS);
  });

  it('may stand by itself', () => {
    expect(mechanismsOf(HISTORY)).toEqual(MECHANISMS);
  });

  it('keeps the digits of its numbers', () => {
    const digits = '0.0042666666666666666666666666667';
    expect(mechanismsOf(`[[1.1, ${digits}, 14063]]`)).toEqual([sampled(1.1, digits, 14063)]);
  });

  it('may sample nothing, or take no steps', () => {
    expect(mechanismsOf([[1.1, 0, 100]])).toEqual([sampled(1.1, 0, 100)]);
    expect(mechanismsOf([[1.1, 0.5, 0]])).toEqual([{ type: 'dp', epsilon: '0' }]);
  });

  it.each([
    ['a rate above 1', [[1, 1.5, 2]], ['[0][1] out-of-range']],
    ['a rate below 0', [[1, -0.5, 2]], ['[0][1] out-of-range']],
    ['no rate', [[1, null, 2]], ['[0][1] wrong-type']],
    ['no noise', [[0, 0.5, 2]], ['[0][0] out-of-range']],
    ['negative noise', [[-1, 0.5, 2]], ['[0][0] out-of-range']],
    ['part of a step', [[1, 0.5, 2.5]], ['[0][2] out-of-range']],
    ['steps taken back', [[1, 0.5, -2]], ['[0][2] out-of-range']],
    ['more steps than are counted', [[1, 0.5, 2 ** 60]], ['[0][2] out-of-range']],
    ['text', [['a', 'b', 'c']], ['[0][1] not-a-number', '[0][2] out-of-range']],
    ['four in place of three', [[1, 0.5, 2, 3]], ['[0] wrong-type']],
    ['no numbers', '{"history": [[NaN, 0.5, 2]]}', ['history[0][0] invalid-json']],
  ])('with %s is a mistake at its place', (_, history, expected) => {
    expect(mistakes(history)).toEqual(expected);
  });
});

const release = (noise: number, size: number, count: unknown, population = 1000): unknown => ({
  event: { noise_multiplier: noise, sample_size: size, population_size: population },
  count,
});

const state = (config: object, ...compositions: unknown[]): unknown => ({
  schema_version: 1,
  backend: 'rdp',
  backend_version: '0.6.0',
  config: { ...CONFIG, ...config },
  orders: [2, 3.5],
  compositions,
});

describe("the state of Flower's accountant", () => {
  it('is Gaussian noise on samples of clients, with the delta at which it reports', () => {
    const flower = state({}, release(1.1, 20, 30), release(1, 1000, 2));
    expect(mechanismsOf(flower)).toEqual([sampled(1.1, '20/1000', 30), { type: 'gaussian', sigma: 1, count: 2 }]);
    expect(Object.keys(convert(flower).document ?? {})).toEqual(['dpcompose', 'target', 'mechanisms']);
  });

  it('has twice the clipping norm as its sensitivity where a client is replaced', () => {
    const config = { neighboring_relation: 'replace-one', sampling_method: 'without-replacement' };
    expect(mechanismsOf(state(config, release(1.1, 20, 30)))).toEqual([
      {
        type: 'gaussian',
        sigma: 1.1,
        sensitivity: 2,
        sampling: { scheme: 'without-replacement', rate: '20/1000' },
        neighbours: 'replace-one',
        count: 30,
      },
    ]);
  });

  it('has all clients in every release without amplification', () => {
    expect(mechanismsOf(state({ sampling_method: 'no-amplification' }, release(1.1, 20, 30)))).toEqual([
      { type: 'gaussian', sigma: 1.1, count: 30 },
    ]);
  });

  it('has the noise on what one record adds under Poisson samples, also where one is replaced', () => {
    expect(mechanismsOf(state({ neighboring_relation: 'replace-one' }, release(1.1, 20, 30)))).toEqual([
      {
        type: 'gaussian',
        sigma: 1.1,
        sampling: { scheme: 'poisson', rate: '20/1000' },
        neighbours: 'replace-one',
        count: 30,
      },
    ]);
  });

  it.each([
    [
      'another version',
      { ...(state({}, release(1, 2, 3)) as object), schema_version: 2 },
      ['schema_version unsupported-version'],
    ],
    ['no setting', { compositions: [] }, ['document unsupported-version', 'config missing-key']],
    ['a relation nobody knows', state({ neighboring_relation: 'any' }), ['config.neighboring_relation unknown-value']],
    ['a target that is none', state({ target_delta: 2 }, release(1, 2, 3)), ['config.target_delta out-of-range']],
    ['another population', state({}, release(1, 2, 3, 100)), ['compositions[0].event.population_size out-of-range']],
    ['more than all clients', state({}, release(1, 2000, 3)), ['compositions[0].event.sample_size out-of-range']],
    ['part of a client', state({}, release(1, 2.5, 3)), ['compositions[0].event.sample_size out-of-range']],
    ['no noise', state({}, release(0, 2, 3)), ['compositions[0].event.noise_multiplier out-of-range']],
    ['part of a release', state({}, release(1, 2, 0.5)), ['compositions[0].count out-of-range']],
    ['no event', state({}, 3), ['compositions[0] wrong-type']],
  ])('with %s is a mistake at its place', (_, flower, expected) => {
    expect(mistakes(flower)).toEqual(expected);
  });
});
