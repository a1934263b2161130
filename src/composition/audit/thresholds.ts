import { encloseDecimal, ONE, toLower, type Decimal } from '../../numeric/decimal.ts';
import { asLower, asUpper, enclosure, exactly, type LowerBound, type UpperBound } from '../../numeric/enclosure.ts';
import { divide, logarithm, subtract } from '../../numeric/enclosure-arithmetic.ts';
import { leastChance } from '../../numeric/binomial.ts';
import { normalQuantile } from '../../numeric/normal.ts';
import { below, Xoshiro } from '../../numeric/random.ts';
import { nextDown, nextUp } from '../../numeric/rounding.ts';

/** Scores of independent runs, higher where membership is likelier: of runs with the canary, and of runs without it. */
export interface Scores {
  readonly members: Float64Array;
  readonly others: Float64Array;
}

/** Where "member" is said: above the k-th largest score of the others, from a score on, or above a rank chosen on one half. */
export type Cut =
  | { readonly kind: 'ranks'; readonly ranks: readonly number[] }
  | { readonly kind: 'thresholds'; readonly thresholds: readonly number[] }
  | { readonly kind: 'split' };

/** What the scores show at one threshold. */
export interface AuditedThreshold {
  /** k where the threshold is the k-th largest score of the others, which is not passed; null where it was fixed, and is passed. */
  readonly rank: number | null;
  readonly threshold: number;
  /** How many of the others pass it, and how many of the members. */
  readonly falsePositives: number;
  readonly truePositives: number;
  readonly falsePositiveRate: UpperBound;
  readonly truePositiveRate: LowerBound;
  readonly epsilon: LowerBound;
  readonly mu: LowerBound;
}

/** Rates at a threshold: certain bounds, and the rates of the opposite test, which lose nothing near 1. */
interface Rates {
  readonly truePositive: number;
  readonly falseNegative: number;
  readonly falsePositive: number;
  readonly trueNegative: number;
}

/** ln((power - delta) / level), rounded down; -Infinity where that is nothing. */
function slopeOf(power: number, level: number, delta: UpperBound): number {
  const rest = nextDown(power - delta);
  return rest > 0 ? logarithm(divide(exactly(rest), exactly(level))).lower : -Infinity;
}

/** Beneath this a rate shows nothing. */
const LEAST_RATE = 1e-290;

/** Phi^-1(true-positive rate) - Phi^-1(false-positive rate), rounded down and at least 0. */
function muOf({ truePositive, falseNegative, falsePositive, trueNegative }: Rates): number {
  if (truePositive < LEAST_RATE || trueNegative < LEAST_RATE) return 0;
  const power = normalQuantile(exactly(truePositive), enclosure(nextDown(1 - truePositive), falseNegative));
  const level = normalQuantile(enclosure(nextDown(1 - trueNegative), falsePositive), exactly(trueNegative));
  return Math.max(0, subtract(power, level).lower);
}

/** How many numbers of an ascending list pass a threshold. */
function passing(ascending: Float64Array, threshold: number, isPassedByEqual: boolean): number {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const score = ascending[middle]!;
    if (score > threshold || (isPassedByEqual && score === threshold)) to = middle;
    else from = middle + 1;
  }
  return ascending.length - from;
}

/**
 * What sorted scores show at a threshold, with two tests of level `risk`.
 *
 * A threshold that is the k-th largest score of the others, X_(k), is passed by those above it. Its false-positive rate F is at most
 * Beta(k, n - k + 1) in order, also where scores are equal: it is at most the k-th smallest of n uniform V_i in [P[X > X_i],
 * P[X >= X_i]]. So the chance that F is above the upper Clopper-Pearson end of k - 1 successes is at most `risk`, and given the
 * others, the members that pass it are binomial. A threshold that was fixed before is passed by equal scores too, and both counts are binomial.
 *
 * (eps, delta)-DP gives TPR <= e^eps FPR + delta, also of the opposite test, which recognises the others. mu-GDP gives
 * Phi^-1(TPR) - Phi^-1(FPR) <= mu [Dong, Roth, Su 2022, Def 2.6]. Both hold for the rates together, so for the bounds on them.
 */
function audited(
  { members, others }: Scores,
  { rank, threshold }: Pick<AuditedThreshold, 'rank' | 'threshold'>,
  risk: number,
  delta: UpperBound,
): AuditedThreshold {
  const falsePositives = passing(others, threshold, rank === null);
  const truePositives = passing(members, threshold, rank === null);
  const counted = rank === null ? falsePositives : rank - 1;
  const trueNegative = leastChance(others.length - counted, others.length, risk);
  const truePositive = leastChance(truePositives, members.length, risk);
  const falsePositive = Math.min(1, nextUp(1 - trueNegative));
  const falseNegative = Math.min(1, nextUp(1 - truePositive));
  const epsilon = Math.max(0, slopeOf(truePositive, falsePositive, delta), slopeOf(trueNegative, falseNegative, delta));
  return {
    rank,
    threshold,
    falsePositives,
    truePositives,
    falsePositiveRate: asUpper(falsePositive),
    truePositiveRate: asLower(truePositive),
    epsilon: asLower(epsilon),
    mu: asLower(muOf({ truePositive, falseNegative, falsePositive, trueNegative })),
  };
}

/** For each of `count` tests of both rates: at most (1 - confidence) / (2 count). */
const riskOf = (confidence: Decimal, count: number): number => nextDown(toLower(ONE.minus(confidence)) / (2 * count));

const atRank = (others: Float64Array, rank: number): Pick<AuditedThreshold, 'rank' | 'threshold'> => ({
  rank,
  threshold: others[others.length - rank]!,
});

/** The same numbers in an order that does not depend on them. */
function shuffled(scores: Float64Array, source: Xoshiro): Float64Array {
  const copy = scores.slice();
  for (let last = copy.length - 1; last > 0; last--) {
    const other = below(last + 1, source);
    [copy[last], copy[other]] = [copy[other]!, copy[last]!];
  }
  return copy;
}

/** Any will do, as long as nobody chooses it by its result. */
const SEED = 1;
/** Ratio of ranks that are compared on the first half. */
const SPACING = 1.25;

/** The ranks that are compared on one half: 1, and others about evenly on a logarithmic scale. */
function ranksUpTo(most: number): number[] {
  const ranks: number[] = [];
  for (let rank = 1; rank <= most; rank = Math.max(rank + 1, Math.floor(rank * SPACING))) ranks.push(rank);
  return ranks;
}

/** One half decides the rank, the other shows what it shows there. */
function bySplit({ members, others }: Scores, confidence: Decimal, delta: UpperBound): AuditedThreshold {
  const source = new Xoshiro(SEED);
  const all = [members, others].map((scores) => shuffled(scores, source)) as [Float64Array, Float64Array];
  const halves = [0, 1].map((half): Scores => {
    const [own, other] = all.map((scores) => {
      const middle = scores.length >> 1;
      return (half === 0 ? scores.subarray(0, middle) : scores.subarray(middle)).sort();
    });
    return { members: own!, others: other! };
  });
  const [first, second] = halves as [Scores, Scores];
  const risk = riskOf(confidence, 1);
  const isMore = (a: AuditedThreshold, b: AuditedThreshold): boolean =>
    a.epsilon === b.epsilon ? a.mu > b.mu : a.epsilon > b.epsilon;
  const best = ranksUpTo(first.others.length)
    .map((rank) => audited(first, atRank(first.others, rank), risk, delta))
    .reduce((a, b) => (isMore(b, a) ? b : a));
  return audited(second, atRank(second.others, best.rank!), risk, delta);
}

/**
 * What scores show at thresholds that do not depend on what they show: with probability `confidence`, every bound at every one of them holds.
 * Bonferroni over the thresholds and the two rates.
 *
 * Units and domain: at least one score of both kinds (two for a split), none NaN; ranks from 1 to the number of others; 0 <= delta <= 1.
 *
 * Source: derived at {@link audited}; Clopper, Pearson (1934).
 */
export function auditThresholds(scores: Scores, cut: Cut, confidence: Decimal, delta: Decimal): AuditedThreshold[] {
  const { upper } = encloseDecimal(delta);
  if (cut.kind === 'split') return [bySplit(scores, confidence, upper)];
  const sorted: Scores = { members: scores.members.slice().sort(), others: scores.others.slice().sort() };
  const places =
    cut.kind === 'ranks'
      ? cut.ranks.map((rank) => atRank(sorted.others, rank))
      : cut.thresholds.map((threshold) => ({ rank: null, threshold }));
  const risk = riskOf(confidence, places.length);
  return places.map((place) => audited(sorted, place, risk, upper));
}
