import { binomialWindow } from '../../numeric/binomial.ts';
import { midpoint } from '../../numeric/enclosure.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { spreadOfChance, type Resampling } from './resampling.ts';

/** The law of a count where it matters; where it is too wide to be listed in full, of a rounded-up count. */
export interface CountLaw {
  /** The count of the first weight. */
  readonly first: number;
  /** From one count to the next. */
  readonly step: number;
  /** By how much a count was rounded up at most; 0 where the law is listed in full. */
  readonly slack: number;
  readonly weights: Float64Array;
  /** Bound on the relative error of every weight. */
  readonly relativeError: number;
  /** Bound on the probability of all other counts. */
  readonly leak: number;
  /** No count is larger. */
  readonly largest: number;
}

/** Nothing happens. */
export const NO_COUNT: CountLaw = {
  first: 0,
  step: 1,
  slack: 0,
  weights: Float64Array.of(1),
  relativeError: 0,
  leak: 0,
  largest: 0,
};

/** Any count up to all `rounds` may have any probability. */
const unknown = (rounds: number): CountLaw => ({
  first: rounds,
  step: 1,
  slack: 0,
  weights: Float64Array.of(0),
  relativeError: 0,
  leak: 1,
  largest: rounds,
});

/** Relative errors add up, as the bounds on them assume, only while they are small. */
const LARGEST_SPREAD = 2 ** -20;

/** The law of the number of rounds in which a part is resampled: binomial. */
function lawOf(part: Resampling): CountLaw {
  const { rounds } = part;
  const spread = spreadOfChance(part);
  if (!(spread <= LARGEST_SPREAD)) return unknown(rounds);
  const error = spread + ELEMENTARY_ERROR + 2 * U;
  const window = binomialWindow(rounds, {
    value: midpoint(part.probability),
    complement: midpoint(part.complement),
    error,
  });
  return { ...window, step: 1, slack: 0, largest: rounds };
}

/** The law of the count, rounded up to every `step`-th one. */
function roundedUp(law: CountLaw, step: number): CountLaw {
  const weights = new Float64Array(Math.ceil(law.weights.length / step));
  law.weights.forEach((weight, i) => (weights[Math.floor(i / step)]! += weight));
  const slack = step - 1;
  return { ...law, first: law.first + slack, step, slack, weights, relativeError: law.relativeError + step * U };
}

/** The law of the sum of two independent counts with the same step. */
function sumOf(a: CountLaw, b: CountLaw): CountLaw {
  const weights = new Float64Array(a.weights.length + b.weights.length - 1);
  a.weights.forEach((x, i) => {
    for (let j = 0; j < b.weights.length; j++) weights[i + j]! += x * b.weights[j]!;
  });
  const shorter = Math.min(a.weights.length, b.weights.length);
  return {
    first: a.first + b.first,
    step: a.step,
    slack: a.slack + b.slack,
    weights,
    relativeError: (a.relativeError + b.relativeError + 2 * shorter * U) * (1 + 2 ** -20),
    leak: (a.leak + b.leak) * (1 + 2 ** -20),
    largest: a.largest + b.largest,
  };
}

/** The most products that a sum of two laws may take. */
const MOST_PRODUCTS = 2 ** 26;

/** The law of the number of resamplings of all parts (at least one), which are independent. */
export function resamplingCount(parts: readonly Resampling[], mostProducts = MOST_PRODUCTS): CountLaw {
  const laws = parts.map(lawOf);
  const products = laws.reduce((product, { weights }) => product * weights.length, 1);
  const step = Math.ceil(Math.sqrt(products / mostProducts));
  return laws.map((law) => roundedUp(law, step)).reduce(sumOf);
}

/** Mean and standard deviation of the number of resamplings of all parts, in doubles. */
export function spreadOf(parts: readonly Resampling[]): { readonly mean: number; readonly deviation: number } {
  const expected = parts.map(({ rounds, probability }) => rounds * midpoint(probability));
  const variances = parts.map(({ complement }, i) => expected[i]! * midpoint(complement));
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return { mean: sum(expected), deviation: Math.sqrt(sum(variances)) };
}

/** The most by which sums of weights may fall short, relatively. */
const shortfall = ({ relativeError, weights }: CountLaw): number => relativeError + weights.length * 2 * U;

/** An upper bound on Pr[count > k]. */
export function tailBeyond(law: CountLaw, k: number): number {
  if (k >= law.largest) return 0;
  let sum = 0;
  for (let i = law.weights.length - 1; i >= 0 && law.first + i * law.step > k; i--) sum += law.weights[i]!;
  const tail = sum * (1 + shortfall(law)) + law.leak;
  return tail < 1 ? tail : 1;
}

/** A lower bound on Pr[count > k]. */
export function leastBeyond(law: CountLaw, k: number): number {
  const listed = law.weights.filter((_, i) => law.first + i * law.step - law.slack > k);
  const sum = listed.reduce((all, weight) => all + weight, 0);
  return Math.max(0, sum * (1 - shortfall(law)));
}

/**
 * The least k for which Pr[count > k] is certainly at most `beyond`, to the step of the law; the largest count where
 * `beyond` is too small for what the law lists.
 */
export function quantile(law: CountLaw, beyond: number): number {
  if (!(law.leak <= beyond && shortfall(law) < Infinity)) return law.largest;
  let sum = 0;
  for (let i = law.weights.length - 1; i >= 0; i--) {
    sum += law.weights[i]!;
    if (sum * (1 + shortfall(law)) + law.leak > beyond) return law.first + i * law.step;
  }
  return Math.max(0, law.first - 1);
}

/** Counts from `least` to `most`, and what is certain of their probability and, given that it is one of them, their mean. */
export interface CountBlock {
  readonly least: number;
  readonly most: number;
  readonly mean: { readonly lower: number; readonly upper: number };
  readonly probability: { readonly lower: number; readonly upper: number };
}

/** The mean index of weights with a relative error each: errors of r move it by less than 2 r / (1 - r) of its range. */
function meanIndex(weights: Float64Array, mass: number, error: number): CountBlock['mean'] {
  const last = weights.length - 1;
  if (!(mass > 0 && error < 0.25)) return { lower: 0, upper: last };
  const mean = weights.reduce((sum, weight, i) => sum + i * weight, 0) / mass;
  const reach = last * (3 * error + (2 * last + 8) * U);
  return { lower: Math.max(0, mean - reach), upper: Math.min(last, mean + reach) };
}

/** The law in at most `blocks` + 1 blocks; the last one holds all that is not listed. */
export function inBlocks(law: CountLaw, blocks: number): CountBlock[] {
  const size = Math.ceil(law.weights.length / blocks);
  const short = shortfall(law);
  const listed = Array.from({ length: Math.ceil(law.weights.length / size) }, (_, b): CountBlock => {
    const part = law.weights.subarray(b * size, (b + 1) * size);
    const mass = part.reduce((sum, weight) => sum + weight, 0);
    const countAt = (i: number): number => law.first + i * law.step;
    const index = meanIndex(part, mass, law.relativeError);
    const least = Math.max(0, countAt(b * size) - law.slack);
    const most = Math.min(law.largest, countAt(b * size + part.length - 1));
    // Counts are whole numbers below 2^54, which doubles hold to one in 2^52.
    const mean = {
      lower: Math.max(least, (countAt(b * size + index.lower) - law.slack) * (1 - 2 ** -51)),
      upper: Math.min(most, countAt(b * size + index.upper) * (1 + 2 ** -51)),
    };
    return { least, most, mean, probability: { lower: mass * (1 - short), upper: mass * (1 + short) } };
  });
  const { largest, leak } = law;
  const mean = { lower: 0, upper: largest };
  return [...listed, { least: 0, most: largest, mean, probability: { lower: 0, upper: leak } }];
}
