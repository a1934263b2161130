import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { discretisedMethod } from '../../../src/bounds/loss-distribution/discretised-method.ts';
import { tiltedCurve } from '../../../src/bounds/loss-distribution/tilted-curve.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { exactly } from '../../../src/numeric/enclosure.ts';
import { solveEpsilon } from '../../../src/privacy/finite-loss-curve.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import { reportLosses, type Side } from '../../../src/privacy/shuffling/report-atoms.ts';
import { reportCurve } from '../../../src/privacy/shuffling/report-curve.ts';
import {
  binaryReports,
  dominatingReports,
  thirdSymbolReports,
  type ReportLaw,
} from '../../../src/privacy/shuffling/report-law.ts';
import { answer, atDelta, atEpsilon, dp, laplace } from '../../mechanisms.ts';
import { judge } from '../../soundness/judge.ts';
import type { CaseSpec } from '../../soundness/specification.ts';

function reports(
  local: number | string,
  users: number,
  { categories, count = 1 }: { categories?: number | undefined; count?: number } = {},
): Entry {
  return {
    mechanism: {
      type: 'shuffled-reports',
      localEpsilon: new Decimal(local),
      users: new Decimal(users),
      ...(categories === undefined ? {} : { categories: new Decimal(categories) }),
    },
    count,
    kind: 'noninteractive',
    label: null,
  };
}

const response = (epsilon: number | string, categories: number, count = 1): Entry => ({
  mechanism: { type: 'randomized-response', epsilon: new Decimal(epsilon), categories: new Decimal(categories) },
  count,
  kind: 'noninteractive',
  label: null,
});

const epsilonOf = (law: ReportLaw, delta: number): number =>
  solveEpsilon(reportCurve(law), exactly(Math.log(delta))).upper;

const near = (value: number, target: number, relative: number): void => {
  expect(Math.abs(value / target - 1), `${value} against ${target}`).toBeLessThan(relative);
};

describe('the epsilon of shuffled reports', () => {
  it.each([
    [1, 1e6, 1e-6, 0.00351352101606, 0.003078974973, 0.00284900865],
    [2, 1e4, 1e-8, 0.145976171735, 0.137538823029, 0.112651070334],
    [0.5, 1e5, 1e-7, 0.0062591073029, 0.005271340396, 0.005576659197],
    [4, 1e6, 1e-8, 0.0450729620259, 0.044653616393, 0.031990578764],
    [3, 1000, 1e-6, 0.82311136808, 0.796241708657, 0.69484748],
  ])(
    'is that of sums in another language: local epsilon %f, %i users, delta %f',
    (local, users, delta, upper, third, binary) => {
      const e = new Decimal(local);
      near(epsilonOf(dominatingReports(users, e, null), delta), upper, 1e-9);
      near(epsilonOf(thirdSymbolReports(users, e, 3), delta), third, 1e-9);
      near(Math.max(...[true, false].map((way) => epsilonOf(binaryReports(users, e, way), delta))), binary, 1e-9);
      const { epsilon } = answer([reports(local, users)], atDelta(delta));
      near(epsilon.upper, upper, 1e-9);
      near(epsilon.lower!, Math.max(third, binary), 1e-9);
    },
  );

  it('of k-ary response lies between the data set of a third symbol and the blanket', () => {
    const four = answer([reports(1.5, 1000, { categories: 4 })], atDelta('1e-6')).epsilon;
    expect(four.upper).toBeGreaterThanOrEqual(0.217589977928);
    near(four.upper, 0.217589977928, 5e-5);
    near(four.lower!, 0.217293869187, 1e-9);
    const sixteen = answer([reports(2, 1e4, { categories: 16 })], atDelta('1e-7')).epsilon;
    expect(sixteen.upper).toBeGreaterThanOrEqual(0.077826627654);
    near(sixteen.upper, 0.077826627654, 5e-6);
  });

  it('of binary response is exact near the local epsilon', () => {
    const exact = answer([reports(3, 200, { categories: 2 })], atDelta('1e-6')).epsilon;
    near(exact.upper, 2.98325540279, 1e-9);
    near(exact.lower!, 2.98325540279, 1e-9);
    const apart = answer([reports(1, 1000, { categories: 2 })], atDelta('1e-6')).epsilon;
    near(apart.upper, 0.148670616354, 1e-9);
    near(apart.lower!, 0.126614480961, 1e-9);
  });

  it('is answered for a billion users', () => {
    const { epsilon } = answer([reports(1, 1e9)], atDelta('1e-8'));
    expect(epsilon.upper).toBeGreaterThan(1.24230302e-4);
    expect(epsilon.upper).toBeLessThan(1.24230303e-4);
  });
});

/** R_x of the other users (8, 8, 1) / 17, of the two values (1, 8, 8) / 17 and (8, 1, 8) / 17. */
it('covers randomizers that a merged form of the pair does not', () => {
  const local = new (Decimal.clone({ precision: 40 }))(8).ln();
  const { delta } = answer(
    [reports(local.toString(), 2)],
    atEpsilon(new (Decimal.clone({ precision: 40 }))(7).ln().toString()),
  );
  expect(delta.upper).toBeGreaterThanOrEqual((8 / 289) * (1 - 1e-14));
});

/** k-ary response, named or not, with all data sets of so many users. */
const listed = (
  [categories, users, localEpsilon]: readonly [number, number, string],
  epsilon: string,
  { isAny = false, count = 1 } = {},
): CaseSpec => ({
  class: 'shuffled-reports',
  entries: [{ type: 'shuffled-reports', localEpsilon, users, categories, isAny, count }],
  query: { epsilon },
  bounds: ['loss-distribution'],
});

describe('of few users, by all data sets', () => {
  const cases = [2, 3, 4].flatMap((k) =>
    [1, 2, 3, 4, 5].flatMap((n) => ['0.4', '1.1', '2.5'].map((local) => [k, n, local] as const)),
  );

  it.each(cases)('%i categories, %i users, local epsilon %s', (...reported) => {
    for (const share of [0, 0.2, 0.5, 0.9]) {
      const at = (share * Number(reported[2])).toPrecision(6);
      const named = judge(listed(reported, at));
      const any = judge(listed(reported, at, { isAny: true }));
      expect([...named.misses, ...any.misses]).toEqual([]);
      expect(any.answer.upper).toBeGreaterThanOrEqual(named.answer.upper * (1 - 1e-12));
    }
  });

  it.each([
    [2, 3, '1'],
    [3, 3, '1.5'],
    [4, 2, '0.8'],
  ] as const)('two rounds: %i categories, %i users, local epsilon %s', (...reported) => {
    for (const at of ['0', '0.4', '1.1', '-0.3']) {
      const { misses, width } = judge(listed(reported, at, { count: 2 }));
      expect(misses).toEqual([]);
      expect(width!).toBeLessThan(0.7);
    }
  });
});

describe('published figures', () => {
  /** Authors' notebook to Balle, Bell, Gascon, Nissim (2019): github.com/BorjaBalle/amplification-by-shuffling. */
  const BALLE = [
    ['of Erlingsson and others (2019)', undefined, 0.2523130449483328],
    ['Hoeffding, generic', undefined, 0.05746164784348143],
    ['Bennett, generic', undefined, 0.11301679081207759],
    ['Hoeffding, binary response', 2, 0.02397882347116631],
    ['Bennett, binary response', 2, 0.02428301504607527],
    ['Hoeffding, 100-ary response', 100, 0.026881289729458715],
    ['Bennett, 100-ary response', 100, 0.0035207898339832183],
  ] as const;

  it.each(BALLE)('privacy blanket: at most the epsilon %s', (_, categories, epsilon) => {
    const own = answer([reports(0.4, 5000, { categories })], atDelta('1e-6')).epsilon.upper;
    expect(own).toBeLessThanOrEqual(epsilon);
  });

  it.each([
    [undefined, 0.037942471911790294, 0.04963572123548638],
    [2, 0.005642546362741425, 0.09933108921716256],
    [100, 3.360217120217285e-9, 0.5191456848866671],
  ])('privacy blanket, %s categories: at most the delta, and no smaller local epsilon', (categories, delta, local) => {
    const entry = (e: number): Entry => reports(e, 5000, { categories });
    expect(answer([entry(0.4)], atEpsilon('0.005')).delta.upper).toBeLessThanOrEqual(delta);
    expect(answer([entry(local)], atDelta('1e-6')).epsilon.upper).toBeLessThanOrEqual(0.005);
  });

  /** Feldman, McMillan, Talwar (2021), as the page of its code prints them: github.com/apple/ml-shuffling-amplification. */
  it('hiding among the clones: at most the epsilon of the closed form, and of the sums', () => {
    const { upper } = answer([reports(4, 1e5)], atDelta('1e-6')).epsilon;
    for (const epsilon of [0.5378040242374512, 0.172790550755978]) expect(upper).toBeLessThanOrEqual(epsilon);
  });

  /**
   * The pair of Feldman, McMillan, Talwar (2022) for a local epsilon of 4 and 10,000 users, by a Fourier accountant: the deltas of figure 1 in
   * github.com/DPBayes/numerical-shuffler-experiments, whose losses are rounded up to multiples of 4e-6.
   */
  it.each([
    [0, 1, 0.00920948955229734],
    [40, 1, 2.7118478781078514e-13],
    [59, 1, 1.923331926873077e-21],
    [30, 2, 2.655325361007269e-6],
    [59, 2, 1.9021609204005981e-13],
    [20, 3, 0.0008020191073841613],
    [10, 4, 0.011882012933407673],
    [59, 4, 3.314190123382294e-8],
  ])('stronger clones: the delta of place %i of the figure, %i rounds', (place, count, published) => {
    const { delta } = answer([reports(4, 1e4, { count })], atEpsilon(0.1 + (0.9 * place) / 59));
    near(delta.upper, published, 5e-4);
    if (count === 1) expect(delta.upper).toBeLessThanOrEqual(published);
    expect(delta.lower!).toBeLessThan(published);
  });

  /** Figure 4 there: 4-ary response whose symbols are uniform with the chance 1/4, so that e^epsilon is 13; by the blanket. */
  it.each([
    [1, '1e-4', 0.38951635360717773],
    [1, '1e-7', 0.6296396255493164],
    [4, '1e-4', 0.8431911468505859],
    [4, '1e-7', 1.2885332107543945],
    [16, '1e-4', 1.849687099456787],
    [16, '1e-7', 2.7040958404541016],
  ])('4-ary response: at most the epsilon of %i rounds, delta %s', (count, delta, published) => {
    const { upper } = answer(
      [reports('2.5649493574615367360534874416', 1000, { categories: 4, count })],
      atDelta(delta),
    ).epsilon;
    expect(upper).toBeLessThanOrEqual(published);
    near(upper, published, 2e-3);
  });
});

describe('what composes', () => {
  it.each<readonly [ReportLaw, Side]>([
    [dominatingReports(1e6, new Decimal(1), null), 'above'],
    [dominatingReports(3000, new Decimal(2), 8), 'above'],
    [thirdSymbolReports(1e6, new Decimal(1), 3), 'below'],
    [binaryReports(1e5, new Decimal(1), false), 'below'],
  ])('stands on the right side of what it stands for, and near it', (law, side) => {
    const curve = reportCurve(law);
    const method = discretisedMethod([{ pair: reportLosses(law, side).pair(), count: 1 }], law.epsilon, 1e-6);
    const composed = tiltedCurve(method, 1e-5, { exhausted: () => false });
    for (const delta of [1e-6, 1e-12]) {
      const [exact, cells] = [curve, composed].map((one) => solveEpsilon(one, exactly(Math.log(delta)))) as [
        ReturnType<typeof solveEpsilon>,
        ReturnType<typeof solveEpsilon>,
      ];
      if (side === 'above') expect(cells.upper).toBeGreaterThanOrEqual(exact.lower);
      else expect(cells.lower).toBeLessThanOrEqual(exact.upper);
      near(side === 'above' ? cells.upper : cells.lower, exact.upper, 2e-3);
    }
  });

  it('is no more than all rounds at their local epsilon, beside other mechanisms too', () => {
    const { epsilon } = answer([reports(0.5, 20, { count: 3 }), laplace(2)], atDelta('1e-3'));
    const local = answer([dp('0.5', 0, { count: 3 }), laplace(2)], atDelta('1e-3')).epsilon;
    expect(epsilon.upper).toBeLessThan(local.upper);
    expect(epsilon.lower!).toBeGreaterThan(0.7 * epsilon.upper);
  });
});

it('has a delta at an epsilon just below the local one', () => {
  const local = '0.6931471805599453094172321214581765680756';
  const { upper } = reportCurve(dominatingReports(6, new Decimal(local), null)).logDelta({ high: Math.log(2), low: 0 });
  // Of one randomizer, by whole numbers.
  expect(upper).toBeGreaterThanOrEqual(Math.log(2.6561658200997479e-19));
  expect(upper).toBeLessThan(Math.log(1e-13));
});

// By sums over the symbols that hide, from the least likely up.
it.each([
  [1e-13, 0.1948],
  [1e-14, 0.2044],
  [1e-20, 0.2551],
])('ten symbols of which few hide have an epsilon at delta %d too', (delta, most) => {
  const found = epsilonOf(dominatingReports(4993, new Decimal('1.93'), 10), delta);
  expect(found).toBeLessThan(most);
  expect(found).toBeGreaterThan(0.998 * most);
});

describe('never costs more', () => {
  const settings = fc.record({
    local: fc.integer({ min: 1, max: 500 }),
    users: fc.integer({ min: 1, max: 5000 }),
    delta: fc.integer({ min: 3, max: 14 }),
    categories: fc.constantFrom(undefined, 2, 3, 10),
  });
  const cost = (local: number, users: number, delta: number, categories: number | undefined): number =>
    answer([reports((local / 100).toString(), users, { categories })], atDelta(`1e-${delta}`)).epsilon.upper;

  it('with more users, a smaller local epsilon, or a larger delta', () => {
    fc.assert(
      fc.property(settings, fc.integer({ min: 1, max: 3 }), ({ local, users, delta, categories }, factor) => {
        const own = cost(local, users, delta, categories) * (1 + 2e-5);
        expect(cost(local, users * factor, delta, categories)).toBeLessThanOrEqual(own);
        expect(cost(Math.ceil(local / factor), users, delta, categories)).toBeLessThanOrEqual(own);
        expect(cost(local, users, delta - 1, categories)).toBeLessThanOrEqual(own);
        expect(cost(local, users, delta, undefined) * (1 + 2e-5)).toBeGreaterThanOrEqual(
          cost(local, users, delta, categories),
        );
      }),
      { numRuns: 8 },
    );
  });
});

describe('k-ary randomized response', () => {
  it('of two categories is (epsilon, 0)-DP', () => {
    const [own, pure] = [response('0.3', 2, 40), dp('0.3', 0, { count: 40 })].map(
      (entry) => answer([entry], atDelta('1e-6')).epsilon.upper,
    );
    near(own!, pure!, 1e-6);
  });

  it('of 523 categories: losses are epsilon, 0 and -epsilon', () => {
    const [e, k, rounds, at] = [2, 523, 3, 1];
    const d = Math.exp(e) + k - 1;
    const atoms = [
      [e, Math.exp(e) / d],
      [0, (k - 2) / d],
      [-e, 1 / d],
    ] as const;
    const sums = (left: number): (readonly [number, number])[] =>
      left === 0 ? [[0, 1]] : sums(left - 1).flatMap(([l, m]) => atoms.map(([x, w]) => [l + x, m * w] as const));
    const truth = sums(rounds).reduce((sum, [l, m]) => sum + m * Math.max(0, 1 - Math.exp(at - l)), 0);
    const { delta } = answer([response(e, k, rounds)], atEpsilon(at));
    near(delta.upper, truth, 1e-8);
    near(delta.lower!, truth, 1e-8);
  });
});
