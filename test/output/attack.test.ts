import { describe, expect, it } from 'vitest';
import { Rational } from '../../src/numeric/rational.ts';
import { obliviousOutput, parallelOutput, renyiOutput } from '../../src/output/attack.ts';
import { violations } from './schema.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { type Layout, pageText, type Output, PLAIN } from '../../src/output/kit/page.ts';
import { intervalText, rationalText, decimalText } from '../../src/output/kit/number.ts';
import { obliviousAttack } from '../../src/composition/attack/oblivious.ts';
import { parallelAttack } from '../../src/composition/attack/parallel.ts';
import { renyiAttack, renyiExpectations } from '../../src/composition/attack/renyi.ts';

/** Attacks as reports are given them: small, and with a seed. */

const SEED = { runs: 200, seed: 1 };

const decimals = (...texts: string[]): Decimal[] => texts.map((text) => new Decimal(text));

const threeGates = parallelAttack({ deltas: decimals('0.1'), instances: 3 }, SEED);
const differentGates = parallelAttack({ deltas: decimals('0.001', '0.002', '0.0005'), instances: 3 }, null);
const anyGates = parallelAttack({ deltas: decimals('0.1'), instances: null }, { runs: 1, seed: 1 });

/** A seed that is one of the odd ones. */
const oddGates = {
  ...threeGates,
  simulated: { ...threeGates.simulated!, guessed: { times: 150, of: 200, interval: { lower: 0.66, upper: 0.83 } } },
} as typeof threeGates;

const claim = { alpha: new Decimal(2), epsilon: new Decimal(1) };

const renyi = renyiAttack(renyiExpectations({ ...claim, target: new Decimal(10), instances: null }), null);
const limitedRenyi = renyiAttack(renyiExpectations({ ...claim, target: new Decimal(2), instances: 50 }), SEED);

const oblivious = obliviousAttack(new Decimal('0.1'), SEED);
const expectedOblivious = obliviousAttack(new Decimal('0.3'), null);

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

const WIDE: Layout = { width: Infinity, style: PLAIN };

const textOf = <Attack>(outputOf: (attack: Attack) => Output, attack: Attack, layout: Layout): string =>
  pageText(outputOf(attack).page('0.1.0'), layout);

describe('the report on parallel gates', () => {
  it('sets what was seen beside what is expected', () => {
    const text = textOf(parallelOutput, threeGates, WIDE);
    expect(text).toMatch(
      /^Attack on 3 \(0, 0\.1\)-DP continual mechanisms in parallel, one of which may receive different data\n/,
    );
    expect(text).toMatch(/\n {24}expected {2}200 runs, seed 1 {2}99% confidence\n/);
    expect(text).toMatch(/\nsecret bit learned {6}0\.271 {5}0\.\d+ +0\.\d+ to 0\.\d+\n/);
    expect(text).toMatch(/\nmessages, at most {7}7 +7\n/);
  });

  it('says what is refused therefore, and what would fix it', () => {
    expect(textOf(parallelOutput, threeGates, WIDE)).toContain(
      'No delta below 0.271 holds for this composition, whatever epsilon; with more instances it tends to 1: dpcompose refuses',
    );
    expect(textOf(parallelOutput, anyGates, WIDE)).toContain(
      'No delta below 1 holds for any number of such mechanisms',
    );
    expect(textOf(parallelOutput, anyGates, WIDE)).toContain('Any one of these fixes it: ');
  });

  it('lists deltas that differ, and leaves out what was not simulated', () => {
    const text = textOf(parallelOutput, differentGates, WIDE);
    expect(text).toContain('; delta is 0.001, 0.002 and 0.0005\n');
    expect(text).toMatch(/\nsecret bit learned {6}0\.003496501\n/);
    expect(text).not.toContain('runs');
  });

  it('speaks of one run as one', () => {
    expect(textOf(parallelOutput, anyGates, WIDE)).toContain('1 run, seed 1');
  });

  it('says so where the confidence interval is one of the odd ones', () => {
    expect(textOf(parallelOutput, oddGates, WIDE)).toContain('at most one seed in 100 is like that');
    expect(textOf(parallelOutput, threeGates, WIDE)).not.toContain('one seed in');
  });
});

describe('the report on Renyi gates', () => {
  it('sets the constants of the paper beside those that prove the theorem', () => {
    const text = textOf(renyiOutput, renyi, WIDE);
    expect(text).toMatch(/\np, a gate opens +1\.09703487e-5 +2\.712673612e-5\n/);
    expect(text).toMatch(/\ndivergence of the mechanism +1 +0\.00453809655\n/);
    expect(text).toMatch(/\nof the view, without limit +11\.96164574 +5\.127959325\n/);
    expect(text).toMatch(/\nabove 10 +yes +no\n/);
    expect(text).toContain('With the constants of the proof as printed, the view never reaches 10');
  });

  it('has no reproach for constants that do reach the target', () => {
    const text = textOf(renyiOutput, limitedRenyi, WIDE);
    expect(text).toMatch(/\nabove 2 +yes +yes\n/);
    expect(text).not.toContain('never reaches');
    expect(text).toMatch(/\nof the view, 50 instances /);
    expect(text).toMatch(/With 50 instances no epsilon below 4\.46\d* holds of order 2/);
  });
});

describe('the report on messages fixed in advance', () => {
  it('sets both adversaries side by side', () => {
    const text = textOf(obliviousOutput, oblivious, WIDE);
    expect(text).toMatch(/\nmessages fixed in advance +1\/10 = 0\.1 +0\.\d+ +0\.\d+ to 0\.\d+\n/);
    expect(text).toMatch(/\nmessages chosen on the way +1 +1 +0\.97\d* to 1\n/);
    expect(textOf(obliviousOutput, expectedOblivious, WIDE)).toContain('one of 4 numbers');
  });
});

describe('every report', () => {
  it.each([40, 80, 120])('fits a terminal of %i columns', (width) => {
    const layout: Layout = { width, style: PLAIN };
    const texts = [
      textOf(parallelOutput, threeGates, layout),
      textOf(renyiOutput, limitedRenyi, layout),
      textOf(obliviousOutput, oblivious, layout),
    ];
    for (const text of texts) {
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width);
    }
  });
});

describe('exact numbers', () => {
  it('are fractions with their decimals, long ones decimals only', () => {
    expect([Rational.of(3, 4), Rational.of(2, 3), Rational.of(7), Rational.ZERO].map(rationalText)).toEqual([
      '3/4 = 0.75',
      '2/3 < 0.6666666667',
      '7',
      '0',
    ]);
    expect(rationalText(Rational.of(2n ** 80n + 1n, 2n ** 81n))).toBe('0.5000000001');
  });

  it('are rounded in the direction that is asked for', () => {
    const value = new Decimal('0.12345678901234');
    expect([decimalText(value, 'down'), decimalText(value, 'up')]).toEqual(['0.123456789', '0.1234567891']);
    expect(intervalText({ lower: new Decimal(0), upper: value })).toBe('0.1234567891');
  });
});
