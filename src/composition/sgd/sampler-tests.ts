import { exponential, logarithm, multiply, times } from '../../numeric/enclosure-arithmetic.ts';
import { exactly } from '../../numeric/enclosure.ts';
import {
  binomialAtLeast,
  binomialAtMost,
  binomialExactly,
  disjointSamples,
  equalBatches,
  hypergeometricAtLeast,
  hypergeometricAtMost,
  hypergeometricExactly,
} from '../../numeric/exact-tails.ts';
import { encloseRational, Rational } from '../../numeric/rational.ts';
import { nextUp } from '../../numeric/rounding.ts';
import { TRAINING_SCHEMES, type TrainingScheme } from '../../privacy/mechanism.ts';
import type { Fact, FactId, SchemeVerdict } from '../core/sampler-verdict.ts';
import { batchWithTwice, epochsOf, overlapsOf, type BatchLog, type Epoch } from './batch-log.ts';

/** A fact with at least the probability, under a scheme, of one that is as extreme. */
export interface TestedFact extends Fact {
  readonly pValue: number;
}

/** What the tests of a scheme say of a log: what it never does, or the tests, as many as were fixed beforehand. */
type Examination = { readonly impossible: Fact } | { readonly planned: number; readonly tests: readonly TestedFact[] };

type Observation = Pick<Fact, 'observed'> & Partial<Fact>;

const fact = (id: FactId, seen: Observation): Fact => ({ id, of: null, expected: null, at: null, ...seen });

const never = (id: FactId, seen: Observation): Examination => ({ impossible: fact(id, seen) });

const test = (id: FactId, pValue: number, seen: Observation): TestedFact => ({
  ...fact(id, seen),
  pValue: Math.min(1, pValue),
});

const countOf = <T>(items: readonly T[], isOne: (item: T) => boolean): number =>
  items.reduce((sum, item) => sum + Number(isOne(item)), 0);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The epochs that have ended. */
function* wholeEpochs(log: BatchLog, batches: number): Generator<Epoch> {
  for (const epoch of epochsOf(log, batches)) if (epoch.sizes.length === batches) yield epoch;
}

/** The place of the largest number, of several the first; -1 where there is none. */
const placeOf = (numbers: readonly number[], isBeyond: (a: number, b: number) => boolean): number =>
  numbers.reduce((best, number, at) => (best < 0 || isBeyond(number, numbers[best]!) ? at : best), -1);
const largestAt = (numbers: readonly number[]): number => placeOf(numbers, (a, b) => a > b);
const smallestAt = (numbers: readonly number[]): number => placeOf(numbers, (a, b) => a < b);

/** At least the chance that any of `count` events happens, each of which has a chance of at most `one`. */
const united = (count: number, one: number): number => Math.min(1, nextUp(count * one));

/** Largest and smallest size of batches whose sizes are each Binomial(N, rate), dependent or not: by the union bound. */
function extremes({ examples, sizes }: BatchLog, rate: Rational, batch: number): TestedFact[] {
  const [most, least] = [largestAt(sizes), smallestAt(sizes)];
  const [largest, smallest] = [sizes[most]!, sizes[least]!];
  const above = binomialAtLeast(examples, encloseRational(rate).upper, largest);
  const below = binomialAtMost(examples, rate, smallest);
  return [
    test('largest', united(sizes.length, above), { observed: largest, at: most + 1, expected: batch }),
    test('smallest', united(sizes.length, below), { observed: smallest, at: least + 1, expected: batch }),
  ];
}

/** So many of several independent chances of at most `most` each came true. */
const successes = (id: FactId, observed: number, of: number, most: number): TestedFact =>
  test(id, binomialAtLeast(of, most, observed), { observed, of, expected: of * most });

/** At least t q (1 - q)^(t - 1): the chance that an example is in exactly one of t Poisson samples. */
function onceIn(t: number, rate: Rational): number {
  const rest = encloseRational(Rational.ONE.minus(rate));
  const others = t === 1 ? exactly(1) : exponential(times(t - 1, logarithm(rest)));
  return Math.min(1, times(t, multiply(encloseRational(rate), others)).upper);
}

/**
 * Poisson samples: whether each of N examples is in each of m batches are N m independent trials of chance q = B / N. So
 * - the number of batches of exactly B is Binomial(m, P[Binomial(N, q) = B]): batches of one size are seen by it;
 * - the sum of all sizes is Binomial(N m, q), tested on both sides;
 * - the largest and the smallest size exceed a number with at most m times the chance of one;
 * - the number of epochs (of t = ceil(N / B) batches) whose sizes add up to exactly N is Binomial(E, P[Binomial(N t, q) = N]);
 * - with members: the number of pairs of an example and an epoch of which it is in exactly one batch is Binomial(N E, t q (1 - q)^(t - 1)),
 *   and the number of examples that batches 2j - 1 and 2j have in common, over all j, is Binomial(N floor(m / 2), q^2), on both sides.
 * An example twice in a batch is impossible. All tails are upper bounds: those that rise in a chance take its upper end.
 *
 * Source: derived.
 */
function poisson(log: BatchLog): Examination {
  const { examples, batch, sizes, members } = log;
  const twice = batchWithTwice(log);
  if (twice !== null) return never('twice', { observed: 2, at: twice + 1 });
  const rate = Rational.of(batch, examples);
  const { upper: most } = encloseRational(rate);
  const t = Math.ceil(examples / batch);
  let [epochs, whole, once] = [0, 0, 0];
  for (const epoch of wholeEpochs(log, t)) {
    epochs++;
    whole += Number(sum(epoch.sizes) === examples);
    once += epoch.places?.times.reduce((count, times) => count + Number(times === 1), 0) ?? 0;
  }
  const [total, trials] = [sum(sizes), examples * sizes.length];
  const tests = [
    successes(
      'exact-sizes',
      countOf(sizes, (size) => size === batch),
      sizes.length,
      binomialExactly(examples, rate, batch),
    ),
    test('total', binomialAtLeast(trials, most, total), { observed: total, expected: sizes.length * batch }),
    test('total', binomialAtMost(trials, rate, total), { observed: total, expected: sizes.length * batch }),
    ...extremes(log, rate, batch),
    successes('whole-epochs', whole, epochs, binomialExactly(examples * t, rate, examples)),
  ];
  if (members === null) return { planned: 6, tests };
  const overlaps = overlapsOf(log, 1, (first) => first % 2 === 0);
  const shared = sum(overlaps);
  const square = rate.times(rate);
  const pairs = examples * overlaps.length;
  const seen = { observed: shared, of: null, expected: (overlaps.length * batch * batch) / examples };
  return {
    planned: 9,
    tests: [
      ...tests,
      successes('once', once, examples * epochs, onceIn(t, rate)),
      test('shared', binomialAtLeast(pairs, encloseRational(square).upper, shared), seen),
      test('shared', binomialAtMost(pairs, square, shared), seen),
    ],
  };
}

/** The first example that is not in exactly one batch of an epoch, or in several of one that has not ended; null where none is. */
const notOnce = ({ places }: Epoch, isWhole: boolean): number | null =>
  places?.times.find((times) => times > 1 || (isWhole && times !== 1)) ?? null;

/**
 * Random allocation: each example is in one of the t = N / B batches of an epoch, uniformly and independently. So
 * - sizes of an epoch add up to N, and each example is in exactly one of its batches: all else is impossible;
 * - the first batches of epochs are independent and Binomial(N, 1 / t): the number of those of exactly B is a binomial;
 * - all batches of an epoch have B with the multinomial probability N! / (B!^t t^N): the number of such epochs is a binomial;
 * - the largest and the smallest size exceed a number with at most m times the chance of one batch;
 * - with members: the number of examples that are in the same batch of an epoch as of the one before it is Binomial(N (E - 1), 1 / t),
 *   on both sides: one draw for all epochs is seen by it.
 *
 * Source: derived.
 */
function randomAllocation(log: BatchLog): Examination {
  const { examples, batch } = log;
  const t = examples / batch;
  if (!Number.isInteger(t)) return never('no-whole-batches', { observed: batch, of: examples });
  let [epochs, whole, first, equal, same] = [0, 0, 0, 0, 0];
  let before: Int32Array | null = null;
  for (const epoch of epochsOf(log, t)) {
    epochs++;
    const isWhole = epoch.sizes.length === t;
    const wrong = notOnce(epoch, isWhole);
    if (wrong !== null) return never('not-once', { observed: wrong, expected: 1, at: epochs });
    const total = sum(epoch.sizes);
    if (isWhole ? total !== examples : total > examples) {
      return never('epoch-total', { observed: total, expected: examples, at: epochs });
    }
    first += Number(epoch.sizes[0] === batch);
    if (!isWhole) continue;
    whole++;
    equal += Number(epoch.sizes.every((size) => size === batch));
    const last = epoch.places?.last ?? null;
    if (before !== null && last !== null) {
      for (let example = 0; example < examples; example++) same += Number(last[example] === before[example]);
    }
    before = last;
  }
  const rate = Rational.of(1, t);
  const { upper: most } = encloseRational(rate);
  const tests = [
    successes('first-sizes', first, epochs, binomialExactly(examples, rate, batch)),
    successes('equal-epochs', equal, whole, equalBatches(t, batch)),
    ...extremes(log, rate, batch),
  ];
  if (log.members === null) return { planned: 4, tests };
  const trials = examples * Math.max(0, whole - 1);
  const seen = { observed: same, of: trials, expected: trials / t };
  return {
    planned: 6,
    tests: [
      ...tests,
      test('same-place', binomialAtLeast(trials, most, same), seen),
      test('same-place', binomialAtMost(trials, rate, same), seen),
    ],
  };
}

/** The most and the fewest examples that a number of pairs of batches of B have in common, each by itself hypergeometric. */
function overlapExtremes({ examples, batch }: BatchLog, overlaps: readonly number[]): TestedFact[] {
  if (overlaps.length === 0) return [];
  const law = { all: examples, marked: batch, drawn: batch };
  const expected = (batch * batch) / examples;
  const [most, least] = [overlaps[largestAt(overlaps)]!, overlaps[smallestAt(overlaps)]!];
  const of = overlaps.length;
  return [
    test('most-shared', united(of, hypergeometricAtLeast(law, most)), { observed: most, of, expected }),
    test('least-shared', united(of, hypergeometricAtMost(law, least)), { observed: least, of, expected }),
  ];
}

/**
 * Samples of exactly B without replacement, drawn anew for every step: another size is impossible, and so is an example twice in a
 * batch. With members:
 * - given all batches before, the number of examples that a batch has in common with the one before it is hypergeometric, always by
 *   the same law: these numbers are independent. The number of pairs with none in common is a binomial; the largest and the
 *   smallest number exceed another with at most as many times the chance of one pair as there are pairs;
 * - the number of epochs (of floor(N / B) batches) in which no example is twice is Binomial(E, prod over j of C(N - jB, B) / C(N, B)).
 * Sizes alone say nothing more.
 *
 * Source: derived.
 */
function withoutReplacement(log: BatchLog): Examination {
  const { examples, batch, sizes, members } = log;
  const other = sizes.findIndex((size) => size !== batch);
  if (other >= 0) return never('size', { observed: sizes[other]!, expected: batch, at: other + 1 });
  const twice = batchWithTwice(log);
  if (twice !== null) return never('twice', { observed: 2, at: twice + 1 });
  if (members === null) return { planned: 0, tests: [] };
  const overlaps = overlapsOf(log, 1);
  const law = { all: examples, marked: batch, drawn: batch };
  const disjoint = countOf(overlaps, (shared) => shared === 0);
  const t = Math.floor(examples / batch);
  let [epochs, distinct] = [0, 0];
  for (const { places } of wholeEpochs(log, t)) {
    epochs++;
    distinct += Number(places!.times.every((times) => times <= 1));
  }
  return {
    planned: 4,
    tests: [
      successes('disjoint-pairs', disjoint, overlaps.length, hypergeometricExactly(law, 0)),
      ...overlapExtremes(log, overlaps),
      successes('disjoint-epochs', distinct, epochs, disjointSamples(t, batch, examples)),
    ],
  };
}

/**
 * Batches of a list that is permuted uniformly in every epoch: all of B, but for the last of an epoch, which has the rest or is left out
 * where B does not divide N; each example in exactly one batch of an epoch (of a last one that is left out, in at most one). All else is
 * impossible. With members: given an epoch, a batch of B of the next one has a hypergeometric number of examples in common with the batch at the same place, so
 * the largest and the smallest of these numbers exceed another with at most as many times the chance of one pair as there are pairs.
 *
 * Source: derived.
 */
function shuffled(log: BatchLog): Examination {
  const { examples, batch, sizes, members } = log;
  const [fewer, rest] = [Math.floor(examples / batch), examples % batch];
  const isLeftOut = sizes.every((size) => size === batch);
  const t = isLeftOut ? fewer : Math.ceil(examples / batch);
  const expectedAt = (at: number): number => (at % t === t - 1 && rest > 0 && !isLeftOut ? rest : batch);
  const other = sizes.findIndex((size, at) => size !== expectedAt(at));
  if (other >= 0) return never('size', { observed: sizes[other]!, expected: expectedAt(other), at: other + 1 });
  if (members === null) return { planned: 0, tests: [] };
  let at = 0;
  for (const epoch of epochsOf(log, t)) {
    at++;
    const wrong = notOnce(epoch, epoch.sizes.length === t && (!isLeftOut || rest === 0));
    if (wrong !== null) return never('not-once', { observed: wrong, expected: 1, at });
  }
  const isFull = (first: number): boolean => sizes[first] === batch && sizes[first + t] === batch;
  return { planned: 2, tests: overlapExtremes(log, overlapsOf(log, t, isFull)) };
}

const EXAMINERS: Readonly<Record<TrainingScheme, (log: BatchLog) => Examination>> = {
  poisson,
  'random-allocation': randomAllocation,
  'without-replacement': withoutReplacement,
  shuffled,
};

/**
 * Tests whether a log of batches may come from a scheme. A sampler of the scheme is contradicted with a probability of at most
 * `threshold`: each of its tests, of which how many there are depends only on whether members are known, has an equal share of it.
 */
export function examine(log: BatchLog, scheme: TrainingScheme, threshold: number): SchemeVerdict {
  const examination = EXAMINERS[scheme](log);
  if ('impossible' in examination) {
    return { scheme, verdict: 'impossible', pValue: 0, tests: 0, fact: examination.impossible };
  }
  const { planned, tests } = examination;
  const [first, ...more] = tests;
  if (first === undefined) return { scheme, verdict: 'not-contradicted', pValue: null, tests: planned, fact: null };
  const { pValue: least, ...seen } = more.reduce((best, other) => (other.pValue < best.pValue ? other : best), first);
  const pValue = united(planned, least);
  return {
    scheme,
    verdict: pValue <= threshold ? 'contradicted' : 'not-contradicted',
    pValue,
    tests: planned,
    fact: seen,
  };
}

/** What a log says of every scheme. */
export interface LogVerdicts {
  readonly log: BatchLog;
  readonly threshold: number;
  readonly verdicts: readonly SchemeVerdict[];
}

/** See {@link examine}. */
export const examineAll = (log: BatchLog, threshold: number): LogVerdicts => ({
  log,
  threshold,
  verdicts: TRAINING_SCHEMES.map((scheme) => examine(log, scheme, threshold)),
});
