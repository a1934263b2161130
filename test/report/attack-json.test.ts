import { describe, expect, it } from 'vitest';
import { Rational } from '../../src/numeric/rational.ts';
import { obliviousOutput, parallelOutput, renyiOutput } from '../../src/report/attack.ts';
import {
  anyGates,
  differentGates,
  expectedOblivious,
  limitedRenyi,
  oblivious,
  oddGates,
  renyi,
  threeGates,
} from './attacks.ts';
import { violations } from './schema.ts';

const ALL: readonly [string, string][] = [
  ['parallel', parallelOutput(threeGates).json('0.1.0')],
  ['parallel, different', parallelOutput(differentGates).json('0.1.0')],
  ['parallel, any number', parallelOutput(anyGates).json('0.1.0')],
  ['parallel, an odd seed', parallelOutput(oddGates).json('0.1.0')],
  ['renyi', renyiOutput(renyi).json('0.1.0')],
  ['renyi, limited', renyiOutput(limitedRenyi).json('0.1.0')],
  ['oblivious', obliviousOutput(oblivious).json('0.1.0')],
  ['oblivious, expected', obliviousOutput(expectedOblivious).json('0.1.0')],
];

describe('attack --json', () => {
  it.each(ALL)('of %s is what its schema says', (_, text) => {
    expect(violations('attack', text)).toEqual([]);
  });

  it('of parallel has what is expected, what was seen, and what no delta can go below', () => {
    expect(JSON.parse(parallelOutput(threeGates).json('0.1.0'))).toMatchObject({
      schema: 'dpcompose.attack/1',
      version: '0.1.0',
      attack: 'parallel',
      input: { deltas: [0.1], instances: 3 },
      expected: { success: { lower: 0.27099999999999996, upper: 0.271 }, messages: { most: 7 } },
      needed: [
        { success: 0.5, instances: 7, messages: 15 },
        { success: 0.99, instances: 44, messages: 89 },
      ],
      simulated: { runs: 200, seed: 1, generator: 'xoshiro128**', confidence: 0.99 },
      floor: { epsilon: 'any', delta: 0.27099999999999996, supremum: 1 },
      refuses: 'unbounded-approximate',
    });
  });

  it('of renyi has the probabilities with all their digits', () => {
    const text = renyiOutput(renyi).json('0.1.0');
    const { printed, simulated, bound } = JSON.parse(text) as Record<string, Record<string, unknown>>;
    expect(text).toMatch(/"proving": \{\n +"q": 0\.99999361563487715\d+,/);
    expect(printed!.q).toBe(0.994140625);
    expect([simulated, bound]).toEqual([null, null]);
  });

  it('of oblivious has what is learned as a fraction, between doubles', () => {
    const { oblivious: fixed, adaptive } = JSON.parse(obliviousOutput(expectedOblivious).json('0.1.0')) as Record<
      string,
      { exact: unknown }
    >;
    expect(fixed!.exact).toEqual({ exact: '1/4', lower: 0.25, upper: 0.25 });
    expect(adaptive!.exact).toMatchObject({ exact: '1' });
  });
});

describe('the schema of attack --json', () => {
  const changed = (change: (document: Record<string, unknown>) => void): string => {
    const document = JSON.parse(obliviousOutput(oblivious).json('0.1.0')) as Record<string, unknown>;
    change(document);
    return JSON.stringify(document);
  };

  it.each([
    ['without its kind', (document: Record<string, unknown>) => delete document.attack],
    ['of another kind', (document: Record<string, unknown>) => (document.attack = 'parallel')],
    [
      'with a decimal for a fraction',
      (document: Record<string, unknown>) => (document.adaptive = { exact: 0.1, simulated: null }),
    ],
    ['without what an adversary learns', (document: Record<string, unknown>) => delete document.adaptive],
  ])('allows no document %s', (_, change) => {
    expect(violations('attack', changed(change))).not.toEqual([]);
  });

  it('allows no fraction with a sign', () => {
    const minus = obliviousOutput(oblivious)
      .json('0.1.0')
      .replaceAll(`"${String(Rational.of(1, 10))}"`, '"-1/10"');
    expect(violations('attack', minus)).not.toEqual([]);
  });
});
