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

function reports(
  local: number | string,
  users: number,
  { categories, count = 1 }: { categories?: number; count?: number } = {},
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

type Law = ReadonlyMap<string, number>;

/** The histogram of the reports of these users. */
function histogram(values: readonly number[], k: number, p: number): Law {
  let law = new Map([[Array(k).fill(0).join(), 1]]);
  for (const value of values) {
    const next = new Map<string, number>();
    for (const [key, mass] of law) {
      for (let y = 0; y < k; y++) {
        const counts = key.split(',').map(Number);
        counts[y]!++;
        const to = counts.join();
        next.set(to, (next.get(to) ?? 0) + (mass * (y === value ? p : 1)) / (p + k - 1));
      }
    }
    law = next;
  }
  return law;
}

/** All lists of `size` values of `k` that ascend. */
const lists = (size: number, k: number, from = 0): number[][] =>
  size === 0
    ? [[]]
    : Array.from({ length: k - from }, (_, i) => from + i).flatMap((first) =>
        lists(size - 1, k, first).map((rest) => [first, ...rest]),
      );

const hockeyStick = (p: Law, q: Law, e: number): number =>
  [...p].reduce((sum, [key, mass]) => sum + Math.max(0, mass - e * (q.get(key) ?? 0)), 0);

const twice = (law: Law): Law =>
  new Map([...law].flatMap(([a, x]) => [...law].map(([b, y]) => [`${a};${b}`, x * y] as const)));

describe('of few users, by all data sets', () => {
  const cases = [2, 3, 4].flatMap((k) =>
    [1, 2, 3, 4, 5].flatMap((n) => [0.4, 1.1, 2.5].map((local) => [k, n, local] as const)),
  );

  it.each(cases)('%i categories, %i users, local epsilon %f', (k, n, local) => {
    const p = Math.exp(local);
    for (const share of [0, 0.2, 0.5, 0.9]) {
      const at = (share * local).toPrecision(6);
      const e = Math.exp(Number(at));
      const worst = Math.max(
        ...lists(n - 1, k).flatMap((others) => {
          const [one, two] = [0, 1].map((x) => histogram([...others, x], k, p)) as [Law, Law];
          return [hockeyStick(one, two, e), hockeyStick(two, one, e)];
        }),
      );
      const named = answer([reports(local, n, { categories: k })], atEpsilon(at)).delta;
      const any = answer([reports(local, n)], atEpsilon(at)).delta;
      expect(named.upper).toBeGreaterThanOrEqual(worst * (1 - 1e-12));
      expect(named.lower!).toBeLessThanOrEqual(worst * (1 + 1e-12));
      expect(any.upper).toBeGreaterThanOrEqual(named.upper * (1 - 1e-12));
    }
  });

  it.each([
    [2, 3, 1],
    [3, 3, 1.5],
    [4, 2, 0.8],
  ])('two rounds: %i categories, %i users, local epsilon %f', (k, n, local) => {
    const p = Math.exp(local);
    for (const at of ['0', '0.4', '1.1', '-0.3']) {
      const e = Math.exp(Number(at));
      const worst = Math.max(
        ...lists(n - 1, k).flatMap((others) => {
          const [one, two] = [0, 1].map((x) => twice(histogram([...others, x], k, p))) as [Law, Law];
          return [hockeyStick(one, two, e), hockeyStick(two, one, e)];
        }),
      );
      const { delta } = answer([reports(local, n, { categories: k, count: 2 })], atEpsilon(at));
      expect(delta.upper).toBeGreaterThanOrEqual(worst * (1 - 1e-12));
      expect(delta.lower!).toBeLessThanOrEqual(worst * (1 + 1e-12));
      expect(delta.lower!).toBeGreaterThan(0.3 * worst);
    }
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

describe('never costs more', () => {
  const settings = fc.record({
    local: fc.integer({ min: 1, max: 500 }),
    users: fc.integer({ min: 1, max: 5000 }),
    delta: fc.integer({ min: 3, max: 14 }),
    categories: fc.constantFrom(undefined, 2, 3, 10),
  });
  const cost = (local: number, users: number, delta: number, categories: number | undefined): number =>
    answer(
      [reports((local / 100).toString(), users, categories === undefined ? {} : { categories })],
      atDelta(`1e-${delta}`),
    ).epsilon.upper;

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
