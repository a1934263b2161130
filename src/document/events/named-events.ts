import { Decimal, ONE, ZERO } from '../../numeric/decimal.ts';
import { Rational, roundedDecimal } from '../../numeric/rational.ts';
import type { Path } from '../core/input-error.ts';
import type { JsonValue } from '../syntax/json-read.ts';
import {
  decimalIn,
  NO_OPERATION,
  sizeOf,
  wrong,
  type Conversion,
  type JsonObject,
  type Repeated,
} from './conversion.ts';

/** Where an event stands that is another mechanism here. */
interface Place {
  readonly path: Path;
  readonly repeated: Repeated;
  /** Whether it is run on a sample. */
  readonly isSampled: boolean;
  /** Whether neighbours are data of which one record is replaced. */
  readonly replaced: boolean;
}

type Reader = (conversion: Conversion, event: JsonObject, place: Place) => void;

const CLASS_KEYS = ['module_name', 'class_name'];

/** Digits of a probability that is no finite decimal; beyond, it is rounded down: more privacy loss is claimed, never less. */
const DIGITS = 50;

/** A number in a range that a key says; null with a mistake. */
function numberOf(
  conversion: Conversion,
  value: JsonValue | undefined,
  path: Path,
  range: readonly [least: number, most: number],
): Decimal | null {
  const number = decimalIn(value);
  if (number !== null && number.gte(range[0]) && number.lte(range[1])) return number;
  const name = String(path.at(-1));
  const allowed = range[1] === Infinity ? 'a number' : `a number from ${range[0]} to ${range[1]}`;
  conversion.note(path, wrong(name, allowed, value, 'For example: 0.5'));
  return null;
}

/**
 * The probabilities of randomized response over k symbols that with probability p answers with one of all k, uniformly: of the own symbol,
 * of each other. p / k is rounded down where it has many digits: that is a response of noise p' <= p, of which that of p is a
 * post-processing (it answers uniformly again with probability (p - p') / (1 - p')).
 */
export function responseProbabilities(p: Decimal, k: Decimal): { readonly own: Decimal; readonly other: Decimal } {
  const other = roundedDecimal(Rational.ofDecimal(p).over(Rational.ofDecimal(k)), DIGITS, 'down');
  return { own: ONE.minus(other.times(k.minus(ONE))), other };
}

/**
 * Randomized response over k symbols, as the pair of its answers under two of them: the likelihood ratio has three values, own / other,
 * its inverse, and 1 for all k - 2 further symbols, which are one outcome here. By symmetry all pairs of symbols are alike. One record
 * is replaced.
 */
const randomizedResponse: Reader = (conversion, event, { path, repeated, isSampled }) => {
  conversion.onlyKeys(event, [...CLASS_KEYS, 'noise_parameter', 'num_buckets'], path);
  const p = numberOf(conversion, event.noise_parameter, [...path, 'noise_parameter'], [0, 1]);
  const k = sizeOf(conversion, event, 'num_buckets', path, 1);
  if (p === null || k === null) return;
  if (isSampled) {
    conversion.refuse(path, 'sampling of randomized response');
    return;
  }
  const origin = { path, keys: new Map([['p', [...path, 'noise_parameter']]]) };
  if (k.eq(ONE) || p.eq(ONE)) {
    conversion.add(NO_OPERATION, origin, repeated);
    return;
  }
  const { own, other } = responseProbabilities(p, k);
  const rest = other.times(k.minus(2));
  const list = (...values: readonly Decimal[]): string[] =>
    (k.eq(2) ? values : [...values, rest]).map((value) => value.toString());
  const entry = { type: 'finite-pair', p: list(own, other), q: list(other, own), neighbours: 'replace-one' };
  conversion.add(entry, origin, repeated);
};

/**
 * The nodes of trees in which each record is in one leaf of all trees together: as private as the deepest tree, of whose completed nodes
 * a record is in ceil(log2(t + 1)) at most, as the accountant of dp_accounting has it.
 */
const singleEpochTree: Reader = (conversion, event, { path, repeated, isSampled, replaced }) => {
  conversion.onlyKeys(event, [...CLASS_KEYS, 'noise_multiplier', 'step_counts'], path);
  const { step_counts: counts } = event;
  const all = Array.isArray(counts) ? (counts as readonly JsonValue[]) : [counts];
  const at = [...path, 'step_counts'];
  const steps = all.map((count) => sizeOf(conversion, { step_counts: count } as JsonObject, 'step_counts', path, 1));
  if (all.length === 0) conversion.note(at, wrong('step_counts', 'at least one number', counts, 'For example: 1000'));
  if (steps.some((count) => count === null) || all.length === 0) return;
  if (isSampled || replaced) {
    conversion.refuse(path, isSampled ? 'sampling of tree aggregation' : 'a tree where a record is replaced');
    return;
  }
  const most = steps.reduce<Decimal>((largest, count) => (count!.gt(largest) ? count! : largest), ONE);
  const { noise_multiplier: noise } = event;
  conversion.add(
    {
      type: 'tree-aggregation',
      ...(noise !== undefined && { 'noise-multiplier': noise }),
      steps: most.toFixed(),
      participations: '1',
      nodes: 'completed',
    },
    {
      path,
      keys: new Map([
        ['noise-multiplier', [...path, 'noise_multiplier']],
        ['steps', at],
      ]),
    },
    repeated,
  );
};

/** The probabilities of the different sensitivities that have one, by their text. */
function sensitivitiesOf(values: readonly Decimal[], chances: readonly Decimal[]): Map<string, Decimal> {
  const all = new Map<string, Decimal>();
  values.forEach((value, i) => {
    if (chances[i]!.isZero()) return;
    const key = value.isZero() ? '0' : value.toString();
    all.set(key, (all.get(key) ?? ZERO).plus(chances[i]!));
  });
  return all;
}

/** The probabilities of m = 0, ..., k of k records on a sample of a rate. */
export function binomialChances(records: number, rate: Rational): readonly Rational[] {
  const rest = Rational.ONE.minus(rate);
  const powers = (base: Rational): readonly Rational[] => {
    const all = [Rational.ONE];
    for (let m = 0; m < records; m++) all.push(all[m]!.times(base));
    return all;
  };
  const [drawn, left] = [powers(rate), powers(rest)];
  let choices = 1n;
  return drawn.map((power, m) => {
    if (m > 0) choices = (choices * BigInt(records - m + 1)) / BigInt(m);
    return power.times(left[records - m]!).times(Rational.of(choices));
  });
}

/** Multiples of the smallest sensitivity, up to so many. */
const MOST_MULTIPLES = 32;
/** By how much a rate may be more than that of the mean, and its digits. */
const [MORE, RATE_DIGITS] = [Rational.of(10n ** 12n + 1n, 10n ** 12n), 40];

/**
 * The k records and the rate q of which the probabilities of m unit, m = 0, ..., k, are those of a binomial law, exactly or but for
 * roundings: then the q is a little larger, so that no multiple is exceeded less often, and more privacy loss is claimed, never less (the
 * pair of fewer records, drawn together with these, is dominated). null where they are not.
 */
function recordsOfMixture(
  all: ReadonlyMap<string, Decimal>,
): { unit: Decimal; records: number; rate: Rational } | null {
  const shifts = [...all].map(([value, chance]) => ({ value: new Decimal(value), chance: Rational.ofDecimal(chance) }));
  const moved = shifts.filter(({ value }) => !value.isZero());
  const isOneSided = moved.every(({ value }) => value.isNegative() === moved[0]!.value.isNegative());
  const unit = moved.reduce((least, { value }) => Decimal.min(least, value.abs()), new Decimal(Infinity));
  const tails: Rational[] = [];
  let mean = Rational.ZERO;
  for (const { value, chance } of moved) {
    const multiple = value.abs().div(unit);
    if (!isOneSided || !multiple.isInteger() || multiple.gt(MOST_MULTIPLES)) return null;
    const m = multiple.toNumber();
    mean = mean.plus(chance.times(Rational.of(m)));
    for (let j = 1; j <= m; j++) tails[j] = (tails[j] ?? Rational.ZERO).plus(chance);
  }
  const records = tails.length - 1;
  const exact = mean.over(Rational.of(records));
  const covers = (rate: Rational): boolean => {
    let tail = Rational.ZERO;
    return binomialChances(records, rate)
      .map((chance, m) => ({ chance, m }))
      .reverse()
      .every(({ chance, m }) => m === 0 || (tail = tail.plus(chance)).compare(tails[m]!) >= 0);
  };
  const larger = Rational.ofDecimal(roundedDecimal(exact.times(MORE), RATE_DIGITS, 'up'));
  const rate = [exact, larger].find((q) => q.compare(Rational.ONE) <= 0 && covers(q));
  return rate === undefined ? null : { unit, records, rate };
}

/**
 * N(C, sigma^2) of random C against N(0, sigma^2), exactly where C has one value (a Gaussian mechanism), or one besides 0: the pair of
 * Gaussian noise on a Poisson sample, whose rate is the probability of that; or multiples of one, with binomial probabilities: that for
 * several records of one person. Its sign says nothing.
 */
const mixtureOfGaussians: Reader = (conversion, event, { path, repeated, isSampled, replaced }) => {
  const keys = ['standard_deviation', 'sensitivities', 'sampling_probs'] as const;
  conversion.onlyKeys(event, [...CLASS_KEYS, ...keys], path);
  const [values, chances]: [Decimal[], Decimal[]] = [[], []];
  const before = conversion.mistakes.length;
  conversion.list(event.sensitivities, [...path, 'sensitivities'], (value, at) => {
    const number = numberOf(conversion, value, at, [-Infinity, Infinity]);
    if (number !== null) values.push(number);
  });
  conversion.list(event.sampling_probs, [...path, 'sampling_probs'], (value, at) => {
    const number = numberOf(conversion, value, at, [0, 1]);
    if (number !== null) chances.push(number);
  });
  if (conversion.mistakes.length > before) return;
  const total = chances.reduce((sum, chance) => sum.plus(chance), ZERO);
  if (values.length !== chances.length || !total.eq(ONE)) {
    const message = `sampling_probs must be one probability for each sensitivity, and sum to exactly 1, got ${total.toString()}`;
    conversion.note([...path, 'sampling_probs'], { code: 'wrong-sum', message, hint: 'Correct one of them.' });
    return;
  }
  const all = sensitivitiesOf(values, chances);
  const [moved, ...more] = [...all].filter(([value]) => value !== '0');
  const several = more.length > 0 && !isSampled && !replaced ? recordsOfMixture(all) : null;
  if (isSampled || replaced || (more.length > 0 && several === null)) {
    conversion.refuse(path, 'mixture-of-gaussians');
    return;
  }
  const origin = {
    path,
    keys: new Map([
      ['sigma', [...path, 'standard_deviation']],
      ['sensitivity', [...path, 'sensitivities']],
    ]),
  };
  if (moved === undefined) {
    conversion.add(NO_OPERATION, origin, repeated);
    return;
  }
  const [value, chance] = moved;
  const { standard_deviation: sigma } = event;
  const entry = {
    type: 'gaussian',
    ...(sigma !== undefined && { sigma }),
    sensitivity: (several?.unit ?? new Decimal(value).abs()).toString(),
    ...(several !== null && {
      sampling: { scheme: 'poisson', rate: several.rate.toString(), records: String(several.records) },
    }),
    ...(several !== null || chance.eq(ONE) ? {} : { sampling: { scheme: 'poisson', rate: chance.toString() } }),
    neighbours: 'add-remove',
  };
  conversion.add(entry, origin, repeated);
};

/** Gaussian noise on a Poisson sample that is cut at a size: exactly that on the sample where the size is never exceeded. */
const truncatedSample: Reader = (conversion, event, { path, repeated, isSampled, replaced }) => {
  const keys = ['dataset_size', 'sampling_probability', 'truncated_batch_size', 'noise_multiplier'];
  conversion.onlyKeys(event, [...CLASS_KEYS, ...keys], path);
  const size = sizeOf(conversion, event, 'dataset_size', path, 1);
  const most = sizeOf(conversion, event, 'truncated_batch_size', path, 0);
  const rate = numberOf(conversion, event.sampling_probability, [...path, 'sampling_probability'], [0, 1]);
  if (size === null || most === null || rate === null) return;
  // A neighbor has one record more.
  if (most.lte(size) || isSampled || replaced) {
    conversion.refuse(path, 'subsampled-truncated-gaussian');
    return;
  }
  const { noise_multiplier: sigma } = event;
  const entry = {
    type: 'gaussian',
    ...(sigma !== undefined && { sigma }),
    ...(rate.eq(ONE) ? {} : { sampling: { scheme: 'poisson', rate: rate.toString() } }),
    neighbours: 'add-remove',
  };
  const origin = { path, keys: new Map([['sigma', [...path, 'noise_multiplier']]]) };
  conversion.add(entry, origin, repeated);
};

/** Events of dp_accounting that are mechanisms here by an argument, not by other names of their parameters. */
export const NAMED_EVENTS: Readonly<Record<string, Reader>> = {
  RandomizedResponseDpEvent: randomizedResponse,
  SingleEpochTreeAggregationDpEvent: singleEpochTree,
  MixtureOfGaussiansDpEvent: mixtureOfGaussians,
  TruncatedSubsampledGaussianDpEvent: truncatedSample,
};
