import { BOUND_IDS } from '../../bounds/core/bound.ts';
import { Decimal, decimalFromDouble, toLower, toUpper } from '../../numeric/decimal.ts';
import { asLower, type Bracket, type LowerBound, type UpperBound } from '../../numeric/enclosure.ts';
import { goldenSection } from '../../numeric/golden-section.ts';
import { unlessInterrupted } from '../../numeric/watch.ts';
import type { ComposeOptions, Problem } from '../compose/compose.ts';
import type { Answer } from '../core/outcome.ts';
import { guessSuccess } from '../risk/guess.ts';
import { profilesOf, type Profile, type Profiles } from '../risk/profile.ts';
import { RISK_TOLERANCE, type Guess, type TestRates } from '../risk/risk.ts';
import { truePositiveRate } from '../risk/true-positive-rate.ts';
import { claimedProfile } from './claimed-profile.ts';

/** How often somebody tells two neighbouring data sets apart: upper ends hold for everybody, lower ends are attained. */
export interface StatedRisk {
  /** The largest true-positive rate minus false-positive rate. */
  readonly advantage: Bracket;
  /** Where both are equally likely. */
  readonly guess: Guess;
  readonly tests: readonly Pick<TestRates, 'falsePositiveRate' | 'truePositiveRate'>[];
}

const ZERO = new Decimal(0);
const HALF = new Decimal('0.5');

/** The false-positive rates of which a statement speaks. */
const RATES: readonly Decimal[] = [new Decimal('0.1'), new Decimal('0.01')];

const Up = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_CEIL });

/** An upper end of delta, for every order of two neighbouring data sets. */
type Claim = (epsilon: Decimal) => UpperBound;

const smaller = (a: UpperBound, b: UpperBound): UpperBound => (a < b ? a : b);

const largestOf =
  (profiles: readonly Profile[]): Claim =>
  (epsilon) =>
    profiles.map((profile) => profile.delta(epsilon).upper).reduce((most, each) => (each > most ? each : most));

/** Ratios of probabilities among which the best line is looked for, and in how many sections. */
const LEAST_RATIO = 1e-3;
const SECTIONS = 24;

/** Lines that are steeper bound no rate of at least 0.01 below 1. */
const STEEPEST = 5;

/** An epsilon at which e^epsilon alpha + delta(epsilon) is about smallest. */
function bestEpsilon(delta: Claim, alpha: Decimal): Decimal {
  const rate = alpha.toNumber();
  const line = (ratio: number): number => ratio * rate + delta(decimalFromDouble(Math.log(ratio)));
  return decimalFromDouble(Math.log(goldenSection(line, LEAST_RATIO, 1 / rate, SECTIONS)));
}

/** What is known of a composition: a claim, one that is near it and quick, and profiles that are attained. */
interface Known {
  readonly claim: Claim;
  /** That claim at epsilon 0. */
  readonly atZero: UpperBound;
  readonly near: Claim;
  readonly attained: Profiles | null;
}

const attainedIn = (profiles: Profiles): Profiles | null =>
  profiles.attained.length === 0 ? null : { ...profiles, claimed: profiles.attained };

/**
 * The risks where each delta may take long, as where a game is solved for it: rates by three lines, each of which bounds
 * them, one of them at an epsilon that is chosen by what is near and quick; upper ends are no tighter than those lines.
 *
 * Source: `truePositiveRate`, every e^epsilon alpha + delta(epsilon) of which is an upper end.
 */
function byLines({ claim, atZero, near, attained }: Known, answer: Answer): StatedRisk {
  const own = claimedProfile(answer);
  const most = smaller(atZero, own.delta(ZERO).upper);
  const end = answer.epsilon.upper < STEEPEST ? [decimalFromDouble(answer.epsilon.upper)] : [];
  const lineAt = (alpha: Decimal, epsilon: Decimal, delta: UpperBound): Decimal =>
    new Up(new Up(epsilon).exp()).times(alpha).plus(decimalFromDouble(delta));
  const rateAt = (alpha: Decimal): Bracket => {
    const best = bestEpsilon(near, alpha);
    const lines = [
      lineAt(alpha, ZERO, most),
      ...end.map((epsilon) => lineAt(alpha, epsilon, own.delta(epsilon).upper)),
      lineAt(alpha, best, smaller(claim(best), own.delta(best).upper)),
    ];
    const upper = toUpper(Decimal.max(alpha, Decimal.min(1, ...lines)));
    const lower = attained === null ? alpha.toNumber() : truePositiveRate(attained, alpha, RISK_TOLERANCE).lower!;
    return { lower: asLower(Math.min(upper, lower)), upper };
  };
  const least = attained === null ? 0 : Math.max(...attained.claimed.map((each) => each.delta(ZERO).lower ?? 0));
  const lower: LowerBound = asLower(Math.min(least, most));
  const half = (value: number): Decimal => decimalFromDouble(value).plus(1).times(HALF);
  return {
    advantage: { lower, upper: most },
    guess: { prior: HALF, success: { lower: toLower(half(lower)), upper: toUpper(half(most)) } },
    tests: RATES.map((rate) => ({ falsePositiveRate: rate, truePositiveRate: rateAt(rate) })),
  };
}

/** A claim that is near that of a composition, and quick, or not far from it; null where none is known. */
function nearClaim(problem: Problem, profiles: Profiles, options: ComposeOptions): Claim | null {
  const { plan } = profiles.atZero;
  if (profiles.attained.length > 0) return largestOf(profiles.attained);
  if (plan === undefined) return quickClaim(problem, options);
  // What pays for a plan composes to about what the plan claims.
  const paying: Problem = { entries: plan.entries, adaptivity: problem.adaptivity };
  const found = plan.entries.length === 0 ? null : profilesOf(paying, options);
  if (found?.kind !== 'profiles') return null;
  const { attained, claimed } = found.profiles;
  return largestOf(attained.length > 0 ? attained : claimed);
}

/** Of what takes milliseconds alone. */
function quickly(problem: Problem, answer: Answer, options: ComposeOptions): StatedRisk {
  const near = quickClaim(problem, options) ?? largestOf([claimedProfile(answer)]);
  return byLines({ claim: near, atZero: near(ZERO), near, attained: null }, answer);
}

/** The claim of closed forms and sums; null where no theorem covers the mechanisms. */
function quickClaim(problem: Problem, { bounds = BOUND_IDS, session }: ComposeOptions): Claim | null {
  const found = profilesOf(problem, { bounds, quick: true, ...(session && { session }) });
  return found.kind === 'refusal' ? null : largestOf(found.profiles.claimed);
}

/**
 * How often somebody who sees everything that comes out names the right one of two neighbouring data sets, for the worst
 * two: exact where the mechanisms' dominating pairs are attained, and else by what the theorems claim, of which `answer` is
 * one.
 */
export function statedRisk(problem: Problem, answer: Answer, options: ComposeOptions = {}): StatedRisk {
  const found = unlessInterrupted((): StatedRisk | null => {
    const outcome = profilesOf(problem, options);
    if (outcome.kind === 'refusal') return null;
    const { profiles } = outcome;
    const { claimed, attained } = profiles;
    if (claimed !== attained) {
      const near = nearClaim(problem, profiles, options) ?? largestOf([claimedProfile(answer)]);
      const atZero = profiles.atZero.delta.upper;
      return byLines({ claim: largestOf(claimed), atZero, near, attained: attainedIn(profiles) }, answer);
    }
    return {
      advantage: profiles.atZero.delta,
      guess: { prior: HALF, success: guessSuccess(profiles, HALF) },
      tests: RATES.map((falsePositiveRate) => ({
        falsePositiveRate,
        truePositiveRate: truePositiveRate(profiles, falsePositiveRate, RISK_TOLERANCE),
      })),
    };
  });
  return found ?? quickly(problem, answer, options);
}
