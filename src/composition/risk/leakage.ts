import { remainingUncertainty } from '../../numeric/contour/expectation.ts';
import { sampled, type Meeting, type Sample } from '../../numeric/convex/samples.ts';
import { decimalFromDouble, toLower, toUpper, ONE } from '../../numeric/decimal.ts';
import { asLower, asUpper, enclosure, exactly, width, type Bracket, type Enclosure } from '../../numeric/enclosure.ts';
import {
  add,
  divide,
  exponential,
  expm1,
  log1p,
  logarithm,
  multiply,
  negate,
  subtract,
} from '../../numeric/enclosure-arithmetic.ts';
import { unlessInterrupted } from '../../numeric/watch.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { FIRST_EPSILONS } from './claimed.ts';
import { pairLosses } from './divergence.ts';
import type { Profiles } from './profile.ts';

const LN2 = logarithm(exactly(2));

/** ln 2 less what is left to know, of mechanisms that have pairs; null where that is not computed. */
function ofPairs(entries: readonly Entry[]): Enclosure | null {
  const pairs = pairLosses(entries, 'remove');
  if (pairs === null) return null;
  const { lower, upper } = pairs.failure;
  if (lower.eq(1)) return LN2;
  const survival = enclosure(toLower(ONE.minus(upper)), toUpper(ONE.minus(lower)));
  const uncertainty = unlessInterrupted(() => remainingUncertainty(pairs.loss(), survival));
  return uncertainty && subtract(LN2, uncertainty);
}

/** No profile is looked at beyond this epsilon: what is there is too small. */
const FARTHEST = 40;
const MOST = 32;
/** The width at which it is no longer looked at, relatively. */
const ENOUGH = 1e-6;
/** A tail that is so small a part tells nothing. */
const SMALL = 1e-7;
/** A width, relative to the upper end, at which chords tell no more. */
const NARROW = 1e-4;

/** The integrals over gamma from a = e^left to b = e^right of 1 / (gamma (1 + gamma)), and of that times (gamma - a) / (b - a). */
function weights(left: number, right: number): { readonly whole: Enclosure; readonly rising: Enclosure } {
  const one = exactly(1);
  const grown = expm1(subtract(exactly(right), exactly(left)));
  const [a, b] = [exponential(exactly(left)), exponential(exactly(right))];
  const whole = log1p(divide(grown, add(one, b)));
  const further = divide(log1p(divide(grown, add(one, divide(one, a)))), a);
  const { lower, upper } = divide(subtract(further, whole), grown);
  return { whole, rising: enclosure(Math.max(0, lower), Math.min(upper, whole.upper)) };
}

/** At most the integral below, by chords of the sum of a profile and its exchange, which is convex in gamma. */
function ofProfiles(claimed: Profiles['claimed']): number {
  const [first, last] = [claimed[0]!, claimed.at(-1)!];
  const evaluate = (epsilon: number): Enclosure => {
    const at = decimalFromDouble(epsilon);
    const firstDelta = first.delta(at).upper;
    const lastDelta = first === last ? firstDelta : last.delta(at).upper;
    return exactly(add(exactly(firstDelta), exactly(lastDelta)).upper);
  };
  const farthest = Math.min(FARTHEST, first.largest, last.largest);
  // Beyond, delta is costly and next to nothing.
  const beyond = (epsilon: number): number => evaluate(epsilon).upper * Math.exp(-epsilon);
  const isEnd = (epsilon: number): boolean => epsilon >= farthest || beyond(epsilon) <= SMALL * beyond(0);
  const end = Math.min(farthest, FIRST_EPSILONS.find(isEnd) ?? farthest);
  const gain = (left: Sample, right: Sample, { x, value }: Meeting): number => {
    const share = (x - left.x.lower) / (right.x.lower - left.x.lower);
    const chord = left.value.upper * (1 - share) + right.value.upper * share;
    return (chord - value) * weights(left.at, right.at).whole.upper * 0.5;
  };
  const integral = (samples: readonly Sample[]): number => {
    const tail = multiply(samples.at(-1)!.value, log1p(exponential(exactly(-end))));
    const sum = samples.slice(1).reduce((all, right, i) => {
      const left = samples[i]!;
      const { whole, rising } = weights(left.at, right.at);
      return add(all, subtract(multiply(left.value, whole), multiply(subtract(left.value, right.value), rising)));
    }, tail);
    return 0.5 * sum.upper;
  };
  if (end <= 0) return 0.5 * multiply(evaluate(0), LN2).upper;
  const places = [...FIRST_EPSILONS.filter((epsilon) => epsilon < end), end];
  const gains = (samples: readonly Sample[], meetings: readonly Meeting[]): number[] => {
    const all = meetings.map((meeting, i) => gain(samples[i]!, samples[i + 1]!, meeting));
    const total = all.reduce((sum, part) => sum + part, 0);
    return total > ENOUGH * integral(samples) ? all : all.map(() => 0);
  };
  const samples = sampled({ evaluate, first: places, steepest: -2, gains, limit: MOST });
  return integral(samples);
}

/** ((1 + a) ln(1 + a) + (1 - a) ln(1 - a)) / 2, which is at least a^2 / 2, rounded down. */
function ofAdvantage(advantage: number): number {
  const a = exactly(Math.min(1, advantage));
  const rest = advantage < 1 ? multiply(subtract(exactly(1), a), log1p(negate(a))) : exactly(0);
  const whole = add(multiply(add(exactly(1), a), log1p(a)), rest);
  return Math.max(0, 0.5 * whole.lower, 0.5 * multiply(a, a).lower);
}

/** How much the results tell of a uniform bit, which of two neighbouring data sets it is: in bits, from 0 to 1. */
export interface LeakedBits {
  /** Of being right: the logarithm of how many times as often the best guess is right. */
  readonly minEntropy: Bracket;
  /** Of uncertainty: by how much the entropy is smaller on average. */
  readonly mutualInformation: Bracket;
}

/** log2(1 + a) of a in [0, 1]. */
const log2Above1 = (a: number): Enclosure => (a === 0 || a === 1 ? exactly(a) : divide(log1p(exactly(a)), LN2));

/**
 * The min-entropy leakage of a uniform bit, which of two neighbouring data sets it is: log2 of the chance of naming the right
 * one, (1 + a) / 2, over that without the results, 1/2, which is log2(1 + a) for the advantage a. No other prior of that bit
 * gives more, nor does guessing anything else of which the results tell through that bit alone.
 *
 * Upper: nothing tells more; lower: some mechanisms of the declared classes tell as much.
 *
 * Source: Smith (2009), "On the foundations of quantitative information flow"; Braun, Chatzikokolakis, Palamidessi (2009),
 * "Quantitative notions of leakage for one-try attacks" (it is largest for the uniform prior); Issa, Wagner, Kamath (2020),
 * Thm 1 (maximal leakage: the logarithm of the sum over outcomes of the largest probability, which of two laws is 1 + a).
 */
export function minEntropyLeakage(advantage: Bracket): Bracket {
  const upper = Math.min(1, log2Above1(Math.min(1, advantage.upper)).upper);
  const lower = Math.min(upper, Math.max(0, log2Above1(Math.min(1, Math.max(0, advantage.lower ?? 0))).lower));
  return { lower: asLower(lower), upper: asUpper(upper) };
}

/**
 * The mutual information of the results and a uniform bit, which of two neighbouring data sets it is: the Jensen-Shannon
 * divergence of their distributions in bits, (1 / ln 2) times the integral over eps > 0 of (delta_PQ(eps) + delta_QP(eps)) /
 * (2 (1 + e^eps)).
 *
 * Upper: nothing tells more; lower: some mechanisms of the declared classes tell as much. Where a list of mechanisms has
 * pairs that are attained, both ends are those of an integral over their joint moments (see remainingUncertainty), some
 * 1e-12 apart; else the upper end is that of the profile, by chords. It is at most the advantage a, and at least
 * 1 - h((1 + a) / 2), h the binary entropy.
 *
 * Source: Lin (1991), Thm 3 and Sec 4; Sason, Verdu (2016), Prop 3, with f'' = 1 / (2 t (1 + t)); the lower end by the
 * advantage: what the best test says, of which a symmetric one tells least (derived).
 */
export function mutualInformation({ atZero, claimed, attained, attaining }: Profiles): Bracket {
  const pairLeakage = attaining.length === 0 ? null : ofPairs(attaining);
  // Where little is told, what is left of ln 2 is only rounding.
  const isNarrow = claimed === attained && pairLeakage !== null && width(pairLeakage) <= NARROW * pairLeakage.upper;
  const byPairs = claimed === attained && pairLeakage !== null ? pairLeakage.upper : Infinity;
  const upper = isNarrow ? byPairs : Math.min(byPairs, ofProfiles(claimed));
  const byAdvantage = ofAdvantage(atZero.delta.lower ?? 0);
  const inBits = (nats: number): Enclosure => divide(exactly(nats), LN2);
  const upperBits = Math.min(1, atZero.delta.upper, inBits(upper).upper);
  const lowerBits = inBits(Math.max(0, pairLeakage?.lower ?? 0, byAdvantage)).lower;
  return { lower: asLower(Math.max(0, Math.min(upperBits, lowerBits))), upper: asUpper(upperBits) };
}
