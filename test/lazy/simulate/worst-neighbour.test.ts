import { describe, expect, it } from 'vitest';
import { epsilonBetween } from '../../../src/lazy/simulate/exact-epsilon.ts';
import { lossRatios } from '../../../src/lazy/simulate/loss-ratios.ts';
import { deltaBetween, outputDistribution } from '../../../src/lazy/simulate/output-distribution.ts';
import { randomStreams } from '../../../src/lazy/simulate/random-streams.ts';
import { sumsOfBatches } from '../../../src/lazy/simulate/batch-sums.ts';
import { chooseThreshold, testedEpsilon } from '../../../src/lazy/simulate/tested-epsilon.ts';
import { worstNeighbour } from '../../../src/lazy/simulate/worst-neighbour.ts';
import type { L2pSetting } from '../../../src/lazy/core/setting.ts';
import { Xoshiro, unit } from '../../../src/numeric/random.ts';
import { d, setting } from '../helpers.ts';

const ROUNDS = [
  [0, 1],
  [1, 0.5],
  [0.25, 1],
];
const OTHER = [[1, 0], ...ROUNDS.slice(1)];
const WITH_Y = setting(3, 1, '0.3', '0.2');
const WITHOUT_Y: L2pSetting = { rounds: 3, batch: 1, eta: d('0.3'), switchRate: d('0.15') };

const vectors = (rows: readonly (readonly number[])[]): Float64Array[] => rows.map((row) => Float64Array.from(row));

function sources(seed: number, count: number) {
  const streams = randomStreams(seed);
  return Array.from({ length: count }, () => streams.next().value);
}

/** The losses of so many runs on ROUNDS against OTHER. */
const losses = (parameters: L2pSetting, count: number, seed = 1): Float64Array =>
  lossRatios(
    parameters,
    sumsOfBatches(vectors(ROUNDS), 1),
    [{ batch: 0, change: Float64Array.of(1, -1) }],
    sources(seed, count),
  )[0]!;

/** The losses of the listed laws, with their masses. */
function listed(parameters: L2pSetting) {
  const [one, other] = [ROUNDS, OTHER].map((rows) => outputDistribution(parameters, rows, 'flags')) as [
    ReturnType<typeof outputDistribution>,
    ReturnType<typeof outputDistribution>,
  ];
  return {
    one,
    other,
    all: [...one]
      .filter(([, mass]) => mass > 0)
      .map(([seen, mass]) => [Math.log(mass / other.get(seen)!), mass] as const),
  };
}

describe.each([
  ['with y', WITH_Y],
  ['without y', WITHOUT_Y],
])('the losses of runs %s', (_, parameters) => {
  const COUNT = 40_000;

  it('have the law that listing everything gives', () => {
    const seen = losses(parameters, COUNT);
    const { all } = listed(parameters);
    for (const at of [-0.5, -0.2, 0.01, 0.1, 0.25, 0.4, 0.6]) {
      const mass = all.reduce((sum, [loss, each]) => sum + (loss >= at ? each : 0), 0);
      const share = seen.reduce((sum, loss) => sum + (loss >= at ? 1 : 0), 0) / COUNT;
      expect(Math.abs(share - mass)).toBeLessThan(4 * Math.sqrt((mass * (1 - mass)) / COUNT) + 1e-9);
    }
    const possible = all.map(([loss]) => loss);
    for (const loss of seen.subarray(0, 500)) {
      expect(Math.min(...possible.map((each) => Math.abs(each - loss)))).toBeLessThan(1e-12);
    }
  });

  it('give a tested epsilon below the exact one, and above most of it', () => {
    const { one, other } = listed(parameters);
    for (const delta of [1e-4, 1e-2]) {
      const exact = epsilonBetween(one, other, delta);
      const { threshold } = chooseThreshold(losses(parameters, COUNT, 2), delta);
      const found = testedEpsilon(losses(parameters, COUNT, 3), threshold, delta);
      expect(found).toBeLessThan(exact);
      expect(found).toBeGreaterThan(0.75 * exact);
    }
  });

  it('is exact where everything can be listed, the largest over all neighbours with losses 0 and 1', () => {
    const delta = d('1e-3');
    const found = worstNeighbour({ setting: parameters, rounds: vectors(ROUNDS), delta, runs: 10, seed: 1 });
    expect([found.kind, found.tried]).toEqual(['exact', 12]);
    const own = outputDistribution(parameters, ROUNDS, 'flags');
    let most = 0;
    for (const round of [0, 1, 2]) {
      for (const row of [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ]) {
        const rows = ROUNDS.map((each, t) => (t === round ? row : each));
        most = Math.max(most, epsilonBetween(own, outputDistribution(parameters, rows, 'flags'), 1e-3));
      }
    }
    expect(found.epsilon).toBe(most);
    expect(found.epsilon).toBeGreaterThan(0.5 * found.accounting.epsilon);
    expect(found.epsilon).toBeLessThanOrEqual(found.accounting.epsilon);
  });
});

describe('the epsilon of listed laws', () => {
  it('is where delta is reached', () => {
    const { one, other } = listed(WITH_Y);
    for (const delta of [1e-5, 1e-3, 0.05]) {
      const epsilon = epsilonBetween(one, other, delta);
      expect(deltaBetween(one, other, epsilon)).toBeCloseTo(delta, 12);
    }
    expect(epsilonBetween(one, one, 0)).toBe(0);
    const never = new Map([['a', 1]]);
    expect(epsilonBetween(never, new Map([['b', 1]]), 0.5)).toBe(Infinity);
    expect(epsilonBetween(never, new Map([['b', 1]]), 1)).toBe(0);
  });
});

describe('the tested epsilon', () => {
  it('exceeds the true one in at most 5% of all tests', () => {
    // Randomised response: loss 1 with probability e / (1 + e), else -1; epsilon at delta 0.2 is ln((a - 0.2) / (1 - a)).
    const a = Math.E / (1 + Math.E);
    const truth = Math.log((a - 0.2) / (1 - a));
    const random = new Xoshiro(7);
    let above = 0;
    for (let test = 0; test < 2000; test++) {
      const losses = Float64Array.from({ length: 60 }, () => (unit(random) < a ? 1 : -1));
      if (testedEpsilon(losses, 1, 0.2) > truth) above++;
    }
    expect(above / 2000).toBeLessThan(0.065);
    expect(above).toBeGreaterThan(0);
  });

  it('is 0 where no run is in the event, or too few are', () => {
    expect(testedEpsilon(Float64Array.of(0, 0), 1, 0.1)).toBe(0);
    expect(testedEpsilon(new Float64Array(100).fill(2), 2, 0.999)).toBe(0);
    expect(chooseThreshold(new Float64Array(50), 0.1)).toEqual({ threshold: Infinity, promise: 0 });
  });
});

describe('the search with runs', () => {
  it.each<[string, L2pSetting]>([
    ['with y', setting(2000, 10, '0.01', '0.1')],
    ['without y', { rounds: 2000, batch: 10, eta: d('0.02'), switchRate: d('0.1') }],
  ])('finds part of what accounting guarantees, never more: %s', (_, parameters) => {
    const random = new Xoshiro(3);
    const rounds = Array.from({ length: 2000 }, () => Float64Array.from({ length: 4 }, () => random.word() % 2));
    const found = worstNeighbour({ setting: parameters, rounds, delta: d('1e-4'), runs: 4000, seed: 2 });
    expect(found.kind).toBe('tested');
    expect(found.epsilon).toBeGreaterThan(0.1 * found.accounting.epsilon);
    expect(found.epsilon).toBeLessThan(found.accounting.epsilon);
    expect(worstNeighbour({ setting: parameters, rounds, delta: d('1e-4'), runs: 4000, seed: 2 })).toEqual(found);
  });
});
