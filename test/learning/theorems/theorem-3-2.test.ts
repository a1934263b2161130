import { describe, expect, it } from 'vitest';
import { covers, theorem32 } from '../../../src/learning/theorems/theorem-3-2.ts';
import { section } from '../../docs/pages.ts';
import { input } from '../helpers.ts';

/*
 * docs/theorem-3-2.md. The points are 0 and 1, with equal weights at first. One loss multiplies the weights by (1 + h, 1 - h), a
 * second one by (1 - h, 1 + h), a third by (1, 1).
 */

type Pair = readonly [number, number];

/** The weights after a loss, as probabilities, from equal ones. */
const after = (h: number): Pair => [(1 + h) / 2, (1 - h) / 2];

/** The farthest that ln of a probability moves in one of so many rounds, whatever the losses: when all before pushed one way. */
function farthest(h: number, rounds: number): number {
  let [a, b, most] = [0.5, 0.5, 0];
  for (let t = 1; t < rounds; t++) {
    const [up, down] = [a * (1 + h), b * (1 - h)];
    const sum = up + down;
    most = Math.max(most, -Math.log(down / sum / b), -Math.log((a * (1 - h)) / (a * (1 - h) + b * (1 + h)) / a));
    most = Math.max(most, Math.log((b * (1 + h)) / (a * (1 - h) + b * (1 + h)) / b));
    [a, b] = [up / sum, down / sum];
  }
  return most;
}

interface Run {
  readonly rounds: number;
  readonly eta: number;
  readonly p: number;
  readonly h: number;
}

/** The chance that x is kept in the first transition, by Algorithm 1 with B = 1. */
const keptBy = ({ eta, p }: Run, [first, second]: Pair, x: number, y: number): number => {
  const ratio = [2 * first, 2 * second];
  return (1 - p) * Math.min(1, (Math.exp(-2 * eta) * ratio[x]!) / ratio[y]!);
};

type Law = Map<string, number>;

/** The law of x, y and zeta up to the second round, where the first loss makes these weights. */
function seen(run: Run, weights: Pair): Law {
  const law: Law = new Map();
  for (const x of [0, 1]) {
    for (const y of [0, 1]) {
      const kept = keptBy(run, weights, x, y);
      const moves = (now: number, keep: number) => [
        { to: now, fresh: false, chance: keep },
        ...weights.map((weight, to) => ({ to, fresh: true, chance: (1 - keep) * weight })),
      ];
      for (const newX of moves(x, kept)) {
        for (const newY of moves(y, 1 - run.p)) {
          const key = `${x}${y} ${newX.to}${newY.to} ${newX.fresh || newY.fresh ? 1 : 0}`;
          law.set(key, (law.get(key) ?? 0) + 0.25 * newX.chance * newY.chance);
        }
      }
    }
  }
  return law;
}

/** The law of all that is played, where all losses but the first are the third one: given x, nothing else is looked at then. */
function playedOver(run: Run, weights: Pair): Law {
  const stays = (1 - run.p) * Math.exp(-2 * run.eta);
  // Runs of x that are as likely for every first loss are one: those with the same first two places and numbers of moves.
  let branches = new Map<string, number>();
  for (const x of [0, 1]) {
    const kept = [0, 1].reduce((sum, y) => sum + keptBy(run, weights, x, y) / 2, 0);
    for (const to of [0, 1]) {
      branches.set(`${x}${to},0,0,0,0`, 0.5 * ((x === to ? kept : 0) + (1 - kept) * weights[to]!));
    }
  }
  for (let s = 2; s < run.rounds; s++) {
    const next = new Map<string, number>();
    for (const [key, mass] of branches) {
      const [places = '', ...counts] = key.split(',');
      // Which of the two x is at is the second place after an even number of changes, else the other.
      const moves = counts.map(Number);
      const at = (Number(places[1]) + moves[1]! + moves[2]!) % 2;
      for (const to of [0, 1]) {
        const chance = (at === to ? stays : 0) + (1 - stays) * weights[to]!;
        const more = moves.map((count, index) => count + (index === 2 * at + to ? 1 : 0));
        const name = [places, ...more].join();
        next.set(name, (next.get(name) ?? 0) + mass * chance);
      }
    }
    branches = next;
  }
  return branches;
}

const deltaOf = (one: Law, other: Law, epsilon: number): number =>
  [...one].reduce((sum, [key, mass]) => sum + Math.max(0, mass - Math.exp(epsilon) * (other.get(key) ?? 0)), 0);

const total = (law: Law): number => [...law.values()].reduce((a, b) => a + b, 0);

describe('Case 2 of the proof of Theorem 3.2', () => {
  // A first loss and its neighbour, in two rounds.
  const [h, p] = [0.01, 0.5];
  const run: Run = { rounds: 2, eta: -Math.log(1 - h), p, h };

  it('is about measures of Assumption 3.1 here', () => {
    expect(farthest(h, 2)).toBeLessThanOrEqual(run.eta * (1 + 1e-14));
  });

  it('takes e^(2 eta) for a ratio of chances that is ((1 + h) / (1 - h))^2, above it by (1 + h)^2', () => {
    const ratio = keptBy(run, after(h), 0, 1) / keptBy(run, after(-h), 0, 1);
    expect(ratio).toBeCloseTo(((1 + h) / (1 - h)) ** 2, 12);
    expect(ratio / Math.exp(2 * run.eta)).toBeCloseTo((1 + h) ** 2, 12);
    expect(Math.log(ratio) / run.eta).toBeGreaterThan(3.9);
  });
});

describe('Theorem 3.2 for any measure', () => {
  const run: Run = { rounds: 40, eta: 0.00132, p: 0.025, h: 0.00125 };
  const theorem = theorem32(input(40, 1, '0.00132', '0.025', '1e-8'));
  const laws = [seen(run, after(run.h)), seen(run, after(-run.h))] as const;

  it('covers the example', () => {
    expect(covers(theorem)).toBe(true);
    expect(farthest(run.h, run.rounds)).toBeLessThan(run.eta);
    for (const law of laws) expect(total(law)).toBeCloseTo(1, 12);
    expect(theorem.delta.upper).toBeCloseTo(8e-7, 15);
  });

  it('is below the truth of what its proof reveals', () => {
    const delta = deltaOf(...laws, theorem.epsilon.upper);
    expect(delta).toBeCloseTo(4.776e-5, 8);
    // At the epsilon as the page prints it, which is a little larger.
    expect(deltaOf(...laws, 0.1666)).toBeGreaterThan(4.74e-5);
    expect(deltaOf(...laws, 0.1666) / 8e-7).toBeGreaterThan(59);
    expect(farthest(run.h, run.rounds)).toBeLessThan(0.001312);
    expect(delta / theorem.delta.upper).toBeGreaterThan(59);
    expect(laws.map(({ size }) => size)).toEqual([20, 20]);
    // One outcome is enough: x at 0 and y at 1, then x at 1.
    const [one, other] = [after(-run.h), after(run.h)].map(
      (weights) => 0.25 * (1 - keptBy(run, weights, 0, 1)) * weights[1] * (1 - run.p),
    );
    expect(one! - Math.exp(theorem.epsilon.upper) * other!).toBeGreaterThan(10 * theorem.delta.upper);
  });

  it('is not below the truth of what is played alone there', () => {
    const played = [playedOver(run, after(run.h)), playedOver(run, after(-run.h))] as const;
    for (const law of played) expect(total(law)).toBeCloseTo(1, 12);
    expect(deltaOf(...played, theorem.epsilon.lower)).toBeLessThan(theorem.delta.lower);
    expect(deltaOf(...played, 0)).toBeGreaterThan(1e-3);
  });

  it('is above it for multiplicative weights with the same parameters, where one loss changes that ratio by 2 eta', () => {
    const half = Math.tanh(run.eta / 2);
    const [one, other] = [after(half), after(-half)];
    // Losses (0, 1) and (1, 0) in place of the two: their weights differ by e^(2 eta) from each other.
    const pair = [seen({ ...run, h: half }, one), seen({ ...run, h: half }, other)] as const;
    expect(deltaOf(...pair, theorem.epsilon.upper)).toBeLessThan(theorem.delta.lower);
  });

  it('is below it from 24 rounds on', () => {
    const few: Run = { rounds: 24, eta: 0.000412, p: 1 / 24, h: 0.000408 };
    const claimed = theorem32(input(24, 1, '0.000412', '0.04166666666666666667', '8.5e-8'));
    expect(farthest(few.h, few.rounds)).toBeLessThan(few.eta);
    expect(covers(claimed)).toBe(true);
    const truth = deltaOf(seen(few, after(few.h)), seen(few, after(-few.h)), claimed.epsilon.upper);
    expect(truth / claimed.delta.upper).toBeGreaterThan(1.3);
  });
});

describe('the page on Theorem 3.2', () => {
  it('has the numbers of the example', () => {
    const text = section('docs/theorem-3-2.md', 'An example');
    for (const number of [
      '20 outcomes',
      '59 times',
      'T = 40',
      'eta = 0.00132',
      'p = 0.025',
      'h = 0.00125',
      '(0.1666, 8e-7)',
      '4.74e-5',
      'e^0.001312',
    ])
      expect(text).toContain(number);
  });
});
