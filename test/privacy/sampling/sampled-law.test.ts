import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/numeric/decimal.ts';
import type { Entry, Neighbours, SamplingScheme } from '../../../src/privacy/mechanism.ts';
import { answer, atEpsilon } from '../../mechanisms.ts';
import { shareOf } from '../../reference/share.ts';
import {
  adaptiveDelta,
  between,
  onSamples,
  poissonSamples,
  samplesOfSize,
  type Choices,
  type OnSample,
} from '../../reference/subsets.ts';
import { Random } from '../../soundness/random.ts';

/** Probabilities in thousandths. */
function distribution(random: Random, outcomes: number, mayBeZero: boolean): Decimal[] {
  const weights = random.times(outcomes, () => (mayBeZero && random.chance(0.2) ? 0 : random.between(0.02, 1)));
  const sum = weights.reduce((a, b) => a + b, 0) || 1;
  const parts = weights.map((x) => Math.floor((x / sum) * 1000));
  parts[0]! += 1000 - parts.reduce((a, b) => a + b, 0);
  return parts.map((x) => new Decimal(x).div(1000));
}

/** Values that a mechanism gives to samples, remembered: the samples of neighbouring data sets overlap. */
function remembered<T>(make: (drawn: readonly number[]) => T): (drawn: readonly number[]) => T {
  const known = new Map<string, T>();
  return (drawn) => {
    const key = [...drawn].sort().join(' ');
    if (!known.has(key)) known.set(key, make(drawn));
    return known.get(key)!;
  };
}

interface Case {
  readonly p: readonly Decimal[];
  readonly q: readonly Decimal[];
  readonly rate: readonly [number, number];
  readonly rounds: number;
  readonly scheme: SamplingScheme;
  readonly neighbours: Neighbours;
  readonly choices: readonly Choices[];
}

const pick01 = (random: Random): number => (random.chance(0.7) ? random.whole(0, 1) : random.next());

/** A data set and one with a record less; what is run is nearer to q the fewer the records drawn, as neighbours may stand in one order only. */
function poissonCase(random: Random): Case {
  const size = random.whole(1, 4);
  const outcomes = random.whole(2, 3);
  const [p, q] = [distribution(random, outcomes, true), distribution(random, outcomes, true)];
  const rate = [random.pick([0, 1, 5, 10, 30, 50, 90, 100]), 100] as const;
  const scheme = poissonSamples(rate[0] / rate[1]);
  const withRecord = Array.from({ length: size }, (_, i) => i);
  const without = withRecord.slice(1);
  const mechanism = (): OnSample => {
    const worths = random.times(size, () => (random.chance(0.4) ? 0 : random.between(0, 1.5)));
    const start = random.chance(0.6) ? 0 : random.next();
    worths[0] = random.chance(0.6) ? 5 : random.next();
    return (drawn) => between(p, q, 1 - Math.min(1, start + drawn.reduce((sum, i) => sum + worths[i]!, 0)));
  };
  const pairs = random.times(random.whole(1, 4), () => {
    const run = mechanism();
    return { larger: onSamples(scheme, withRecord, run), smaller: onSamples(scheme, without, run) };
  });
  return {
    p,
    q,
    rate,
    rounds: random.whole(1, 3),
    scheme: 'poisson',
    neighbours: 'add-remove',
    choices: [
      pairs.map(({ larger, smaller }) => ({ here: larger, there: smaller })),
      pairs.map(({ larger, smaller }) => ({ here: smaller, there: larger })),
    ],
  };
}

/** All data sets that differ in one record; mechanisms lie anywhere between the two of a pair that is its own swap. */
function fixedSizeCase(random: Random): Case {
  const size = random.whole(2, 5);
  const drawn = random.whole(1, size);
  const outcomes = random.whole(2, 4);
  const p = distribution(random, outcomes, true);
  const q = p.toReversed();
  const scheme = samplesOfSize(drawn);
  const mechanism = (): OnSample => {
    // By chance the sample shows that a certain value is in it.
    const isTell = random.chance(0.5);
    return remembered((values) => between(p, q, isTell ? Number(values.includes(2)) : pick01(random)));
  };
  const rest = random.times(size - 1, () => random.whole(0, 1));
  const [one, other] = [
    [2, ...rest],
    [random.whole(0, 1), ...rest],
  ];
  const pairs = random.times(random.whole(1, 4), () => {
    const run = mechanism();
    return { one: onSamples(scheme, one, run), other: onSamples(scheme, other, run) };
  });
  return {
    p,
    q,
    rate: [drawn, size],
    rounds: random.whole(1, 3),
    scheme: 'without-replacement',
    neighbours: 'replace-one',
    choices: [
      pairs.map((pair) => ({ here: pair.one, there: pair.other })),
      pairs.map((pair) => ({ here: pair.other, there: pair.one })),
    ],
  };
}

const entryOf = ({ p, q, rate: [drawn, of], rounds, scheme, neighbours }: Case): Entry => ({
  mechanism: {
    type: 'sampled',
    of: { type: 'finite-pair', p, q, direction: 'fixed' },
    scheme,
    neighbours,
    rate: { numerator: new Decimal(drawn), denominator: new Decimal(of) },
  },
  count: rounds,
  kind: 'noninteractive',
  label: null,
});

/** How far the claim is above the best of the adversaries, relatively; below 0 where the claim is wrong. */
function slack(random: Random, made: Case): number {
  const epsilon = random.chance(0.2) ? 0 : random.between(-1.5, 2.5);
  const reached = Math.max(...made.choices.map((choices) => adaptiveDelta(choices, made.rounds, Math.exp(epsilon))));
  const { upper } = answer([entryOf(made)], atEpsilon(epsilon)).delta;
  return (upper - reached + 1e-12) / Math.max(upper, 1e-6);
}

describe('a claim about a mechanism on a sample is at least what adversaries reach, sample by sample', () => {
  it.each([
    ['Poisson, a record added or removed', poissonCase],
    ['of fixed size, a record replaced', fixedSizeCase],
  ])('%s', (_, make) => {
    const slacks = Array.from({ length: shareOf(250, 25) }, (_each, i) => {
      const random = new Random(16, i);
      return slack(random, make(random));
    });
    expect(Math.min(...slacks)).toBeGreaterThanOrEqual(0);
    // Some adversary reaches it.
    expect(slacks.filter((x) => x < 1e-6).length).toBeGreaterThan(slacks.length / 20);
  });

  it.each([
    ['without-replacement', 'replace-one'],
    ['poisson', 'add-remove'],
  ] as const)('%s of all records, where each side gives what the other never does', (scheme, neighbours) => {
    const p = [new Decimal('0.75'), new Decimal(0), new Decimal('0.25'), new Decimal(0)];
    const made: Case = { p, q: p.toReversed(), rate: [3, 3], rounds: 2, scheme, neighbours, choices: [] };
    expect(answer([entryOf(made)], atEpsilon(1)).delta.upper).toBe(1);
  });
});
