import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { verdictOn, type Budget, type Problem } from '../../../src/composition/compose/compose.ts';
import type { Decimal } from '../../../src/numeric/decimal.ts';
import type { PlanNode } from '../../../src/composition/core/plan-node.ts';
import { largestCount } from '../../../src/composition/solve/largest-count.ts';
import { largestParameter } from '../../../src/composition/solve/largest-parameter.ts';
import { mechanismsIn, withMechanisms } from '../../../src/composition/solve/mechanisms.ts';
import {
  boundedRange,
  decimal,
  discreteGaussian,
  dp,
  finitePair,
  gaussian,
  gdp,
  laplace,
  rdp,
  zcdp,
  type Text,
} from '../../mechanisms.ts';
import { group, local, parallel, partition, users } from '../../plans.ts';

const budget = (epsilon: Text, delta: Text = '1e-6'): Budget => ({ epsilon: decimal(epsilon), delta: decimal(delta) });
const list = (...entries: readonly PlanNode[]): Problem => ({ entries, adaptivity: 'adaptive' });

const passes = (problem: Problem, index: number, count: number, limit: Budget): boolean => {
  const { entry } = mechanismsIn(problem.entries)[index]!;
  const entries = withMechanisms(problem.entries, new Map([[index, { ...entry, count }]]));
  return verdictOn({ ...problem, entries }, limit).kind === 'within';
};

const positive = (least: number, most: number) =>
  fc.double({ min: Math.log(least), max: Math.log(most), noNaN: true }).map((x) => Math.exp(x).toPrecision(3));

describe('the largest count within a budget', () => {
  it.each([
    [
      'decimals that add up to the budget',
      list(dp('0.1')),
      budget('1', 0),
      { within: 10, exceeding: 11, next: 'exceeds' },
    ],
    ['other mechanisms held', list(dp('0.1'), dp('0.3', 0, { count: 2 })), budget('1', 0), { within: 4 }],
    ['deltas that add up', list(dp('0.1', '1e-7')), budget('100', '1e-6'), { next: 'exceeds' }],
    [
      'mechanisms that cost nothing',
      list(dp(0)),
      budget(0, 0),
      { within: Number.MAX_SAFE_INTEGER, exceeding: null, next: 'none' },
    ],
    ['a budget that promises nothing', list(dp(5)), budget(0, 1), { within: Number.MAX_SAFE_INTEGER, next: 'none' }],
    ['very many', list(dp('1e-5')), budget('0.1', '1e-6'), {}],
  ])('is the last that passes: %s', (_, problem, limit, expected) => {
    const found = largestCount(problem, [0], limit);
    expect(found).toMatchObject(expected);
    const count = found.within!;
    expect(passes(problem, 0, count, limit)).toBe(true);
    if (count < Number.MAX_SAFE_INTEGER) expect(passes(problem, 0, count + 1, limit)).toBe(false);
  });

  it('is none where not even one passes', () => {
    const none = { within: null, exceeding: 1, next: 'exceeds' };
    expect(largestCount(list(dp('1.1')), [0], budget(1))).toMatchObject(none);
    expect(largestCount(list(dp('0.1'), dp(2)), [0], budget(1, 0))).toMatchObject(none);
    expect(largestCount(list(dp('0.1', '1e-3')), [0], budget(1))).toMatchObject(none);
  });

  it('is that of a scan, for lists of random mechanisms', () => {
    const epsilon = positive(0.1, 1);
    fc.assert(
      fc.property(epsilon, epsilon, positive(0.2, 2), fc.constantFrom(0, '1e-6', '1e-3'), (one, held, total, delta) => {
        const problem = list(dp(one), boundedRange(held, { kind: 'interactive' }));
        const limit = budget(total, delta);
        let scanned = 0;
        while (passes(problem, 0, scanned + 1, limit)) scanned++;
        expect(largestCount(problem, [0], limit).within ?? 0).toBe(scanned);
      }),
      { numRuns: 15 },
    );
  });

  it('is found inside structures too', () => {
    const problem = list(group(dp('0.2'), parallel(2, dp('0.1'))), dp('0.1'));
    // 2 of the instances pay: 0.2 + 2 (0.1 k) + 0.1 <= 1
    expect(largestCount(problem, [1], budget(1, 0))).toMatchObject({ within: 3, exceeding: 4, next: 'exceeds' });
  });

  it('is what is known where the time is over', () => {
    let left = 3;
    const found = largestCount(list(dp('0.1')), [0], budget(1, 0), { exhausted: () => left-- <= 0 });
    expect(found.next).toBe('unknown');
    expect(found.within).toBeLessThanOrEqual(10);
    expect(found.exceeding ?? Infinity).toBeGreaterThan(10);
    const none = largestCount(list(dp('0.1')), [0], budget(1, 0), { exhausted: () => true });
    expect(none).toMatchObject({ within: null, exceeding: null, next: 'unknown' });
  });
});

describe('the largest parameter within a budget', () => {
  it.each([
    ['dp', list(dp('0.5', 0, { count: 4 })), budget(1, 0), 'epsilon', '0.25'],
    ['dp with a delta', list(dp('0.5', '1e-7'), dp('0.3')), budget(1, '1e-7'), 'epsilon', null],
    ['a third', list(dp(1, 0, { count: 3 })), budget(1, 0), 'epsilon', '0.333333333333'],
    ['Laplace noise', list(laplace(1, { count: 4 }, 2)), budget(1, 0), 'scale', '8'],
    ['Laplace noise of seven', list(laplace(1, { count: 7 })), budget(3, 0), 'scale', '2.33333333334'],
    ['Gaussian noise', list(gaussian(1)), budget(1), 'sigma', null],
    ['discrete Gaussian noise', list(discreteGaussian(5, 1)), budget(1, '1e-5'), 'sigma', null],
    ['zCDP', list(zcdp(1, { count: 5 })), budget(1), 'rho', null],
    ['GDP', list(gdp(2)), budget(1), 'mu', null],
    ['RDP at one order', list(rdp([[8, 1]])), budget(3), 'epsilon', null],
    [
      'RDP at several',
      list(
        rdp([
          [4, 1],
          [16, 2],
        ]),
      ),
      budget(2),
      'factor',
      null,
    ],
  ])('passes while the next decimal does not: %s', (_, problem, limit, name, value) => {
    for (const digits of [12, 6, 3]) {
      const found = largestParameter(problem, [0], limit, { digits })!;
      expect(found.name).toBe(name);
      expect(found.within!.precision()).toBeLessThanOrEqual(digits);
      expect(['exceeds', 'undecided']).toContain(found.next);
      const kindWith = (at: Decimal) => {
        const entries = withMechanisms(problem.entries, new Map([[0, found.entriesWith(at)[0]!]]));
        return verdictOn({ ...problem, entries }, limit).kind;
      };
      expect(kindWith(found.within!)).toBe('within');
      if (found.exceeding !== null) expect(kindWith(found.exceeding)).toBe('exceeds');
      if (value !== null && digits === 12) expect(found.within!.toString()).toBe(value);
    }
  });

  it('is 0 where the others cost all of the budget, and none where they cost more', () => {
    const others = dp('0.1', 0, { count: 10 });
    expect(largestParameter(list(dp(1), others), [0], budget(1, 0))).toMatchObject({ within: decimal(0) });
    const none = { within: null, next: 'exceeds' };
    expect(largestParameter(list(dp(1), others), [0], budget('0.99', 0))).toMatchObject(none);
    expect(largestParameter(list(laplace(1), others), [0], budget('0.99', 0))).toMatchObject({ within: null });
  });

  it('is none where mechanisms have none, or fail too often', () => {
    expect(largestParameter(list(finitePair(['0.9', '0.1'], ['0.1', '0.9'])), [0], budget(1))).toBeNull();
    expect(largestParameter(list(dp(1, '1e-5')), [0], budget(9))).toMatchObject({ within: null, next: 'exceeds' });
  });

  it('is the limit of numbers where everything passes', () => {
    expect(largestParameter(list(dp(1)), [0], budget(1, 1))).toMatchObject({ within: decimal('1e300'), next: 'none' });
  });

  it('spends a budget on equal mechanisms that basic composition spends exactly', () => {
    fc.assert(
      fc.property(positive(0.001, 50), fc.integer({ min: 1, max: 200 }), (total, count) => {
        const { within, next } = largestParameter(list(dp(1, 0, { count })), [0], budget(total, 0), { digits: 12 })!;
        const exact = decimal(total).div(count);
        expect(within!.lte(exact)).toBe(true);
        expect(exact.minus(within!).div(exact).lt('1e-11')).toBe(true);
        expect(next).toBe('exceeds');
      }),
      { numRuns: 50 },
    );
  });
});

describe('the mechanisms of a plan', () => {
  const nodes = [
    dp('0.1'),
    group(dp('0.2'), partition([dp('0.3'), dp('0.4')])),
    local(1, parallel(1, dp('0.5'))),
    users(1, dp('0.6'), group(dp('0.7'))),
  ];

  it('have their places in the document', () => {
    expect(mechanismsIn(nodes).map(({ path }) => path)).toEqual([
      'mechanisms[0]',
      'mechanisms[1].mechanisms[0]',
      'mechanisms[1].mechanisms[1].of[0]',
      'mechanisms[1].mechanisms[1].of[1]',
      'mechanisms[2].of.of',
      'mechanisms[3].each[0]',
      'mechanisms[3].each[1].mechanisms[0]',
    ]);
  });

  it('are replaced one at a time', () => {
    const replaced = dp(9);
    mechanismsIn(nodes).forEach((_, index) => {
      const after = mechanismsIn(withMechanisms(nodes, new Map([[index, replaced]]))).map(({ entry }) => entry);
      expect(after).toEqual(mechanismsIn(nodes).map(({ entry }, at) => (at === index ? replaced : entry)));
    });
  });
});

describe('a search that begins near its end', () => {
  const limit = budget(2);

  it.each([1e-3, 0.5, 1, 50])('finds the same, whatever slope is guessed: %d', (slope) => {
    const noise = list(gaussian('11', { count: 30 }));
    const [near, far] = [{ slope }, {}].map((options) => largestParameter(noise, [0], limit, options)!);
    expect(near!.within!.toString()).toBe(far!.within!.toString());
    expect(near!.next).toBe('exceeds');
    const counted = list(dp('0.1'));
    expect(largestCount(counted, [0], limit, { slope }).within).toBe(largestCount(counted, [0], limit).within);
  });
});
