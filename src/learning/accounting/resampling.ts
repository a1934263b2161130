import { binomialWindow } from '../../numeric/binomial.ts';
import { encloseDecimal, type Decimal } from '../../numeric/decimal.ts';
import { exactly, type Enclosure, midpoint } from '../../numeric/enclosure.ts';
import { add, divide, expm1, exponential, multiply, negate } from '../../numeric/enclosure-arithmetic.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { withoutFake, type Measure, type RegularisedWeights } from '../core/setting.ts';
import type { KeepProbability } from './first-flag.ts';

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

/** Counts from `lowerCount` to `upperCount`, and what is certain of their probability and, given that it is one of them, their mean. */
export interface CountBlock {
  readonly lowerCount: number;
  readonly upperCount: number;
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
    const lowerCount = Math.max(0, countAt(b * size) - law.slack);
    const upperCount = Math.min(law.largest, countAt(b * size + part.length - 1));
    // Counts are whole numbers below 2^54, which doubles hold to one in 2^52.
    const mean = {
      lower: Math.max(lowerCount, (countAt(b * size + index.lower) - law.slack) * (1 - 2 ** -51)),
      upper: Math.min(upperCount, countAt(b * size + index.upper) * (1 + 2 ** -51)),
    };
    return { lowerCount, upperCount, mean, probability: { lower: mass * (1 - short), upper: mass * (1 + short) } };
  });
  const { largest, leak } = law;
  const mean = { lower: 0, upper: largest };
  return [...listed, { lowerCount: 0, upperCount: largest, mean, probability: { lower: 0, upper: leak } }];
}

/** The chance, in each of `rounds` rounds, that one of x and y is sampled anew. */
export interface Resampling {
  readonly rounds: number;
  readonly probability: Enclosure;
  /** 1 - probability. */
  readonly complement: Enclosure;
}

/** Resampled in every one of `rounds` rounds. */
export const always = (rounds: number): Resampling => ({ rounds, probability: exactly(1), complement: exactly(0) });

/** Below this the chance of keeping would underflow: what is kept is taken to be sampled anew. */
const NEGLIGIBLE = 1e-250;

/** Resampled in each of `rounds` rounds with this chance. */
export const repeated = (rounds: number, probability: Enclosure, complement: Enclosure): Resampling =>
  complement.upper < NEGLIGIBLE ? always(rounds) : { rounds, probability, complement };

/**
 * The resamplings in `rounds` rounds: x, with at most 1 - (1-p) r_min, r_min the least Pr[S_s = 1], and y with p, where
 * that is above 0. A round in which that of x is smaller is a post-processing of one in which it is not, since
 * resampling reveals more than keeping.
 */
export function resamplings({ logLeast }: KeepProbability, fakeSwitch: Decimal, rounds: number): readonly Resampling[] {
  const p = encloseDecimal(fakeSwitch);
  const noFake = withoutFake(fakeSwitch);
  const probability = add(p, multiply(noFake, negate(expm1(logLeast))));
  const complement = multiply(noFake, exponential(logLeast));
  const ofX = repeated(rounds, probability, complement);
  return fakeSwitch.isZero() ? [ofX] : [ofX, repeated(rounds, p, noFake)];
}

/**
 * The resamplings in `rounds` (at least 1) rounds, the first of which has the flag that the neighbours change. That flag
 * tells whether x is sampled anew, so given what was seen its chance is not that of the other rounds: there x is taken
 * to be sampled anew for certain.
 */
export function resamplingsAfterFlag(
  keep: KeepProbability,
  fakeSwitch: Decimal,
  rounds: number,
): readonly Resampling[] {
  const [ofX, ...ofY] = resamplings(keep, fakeSwitch, rounds);
  const later = ofX === undefined || rounds === 1 ? [] : [{ ...ofX, rounds: rounds - 1 }];
  return [always(1), ...later, ...ofY];
}

const width = ({ lower, upper }: Enclosure): number => (upper - lower === 0 ? 0 : (upper - lower) / lower);

/** How far, relatively, the two probabilities may be from their midpoints. */
export const spreadOfChance = ({ probability, complement }: Resampling): number =>
  width(probability) + width(complement);

/** The known guarantee of one resampling of x or y, for replacing one loss. */
export type ResamplingGuarantee =
  | { readonly kind: 'randomized-response'; readonly epsilon: Decimal }
  | { readonly kind: 'bounded-range'; readonly epsilon: Decimal }
  | { readonly kind: 'gaussian'; readonly muSquared: Enclosure };

export type GuaranteeKind = ResamplingGuarantee['kind'];

/**
 * mu^2 = 2 beta L^2 / lambda: exponents that are 2 beta lambda-strongly convex on a convex set and differ by a
 * 2 beta L-Lipschitz function give mu-Gaussian differential privacy with mu = 2 beta L / sqrt(2 beta lambda).
 *
 * Source: Gopi, Lee, Liu (2022), Theorem 4.1.
 */
export function gaussianSquared({ beta, lambda, lipschitz }: RegularisedWeights): Enclosure {
  const l = encloseDecimal(lipschitz);
  return divide(multiply(multiply(exactly(2), encloseDecimal(beta)), multiply(l, l)), encloseDecimal(lambda));
}

/**
 * The guarantees that every resampling of a measure is known to have.
 *
 * Multiplicative weights are exponential mechanisms: replacing a loss moves the exponent by a function of range 2 eta at
 * most, so they are of 2 eta-bounded range, and (2 eta, 0)-DP. Any measure of Assumption 3.1 with delta0 = 0 is
 * (2 eta, 0)-DP (Asi, Koren, Liu, Talwar 2024, Lemma 3.6). Regularised weights: see {@link gaussianSquared}.
 */
export function guaranteesOf(measure: Measure, eta: Decimal): readonly ResamplingGuarantee[] {
  const epsilon = eta.times(2);
  switch (measure.type) {
    case 'multiplicative-weights':
      return [
        { kind: 'randomized-response', epsilon },
        { kind: 'bounded-range', epsilon },
      ];
    case 'any':
      return [{ kind: 'randomized-response', epsilon }];
    case 'regularised-multiplicative-weights':
      return [{ kind: 'gaussian', muSquared: gaussianSquared(measure) }];
  }
}
