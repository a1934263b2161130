import type { RowId } from '../../bounds/core/bound.ts';
import { Decimal, toLower } from '../../numeric/decimal.ts';
import { relativeWidth, type Bracket } from '../../numeric/enclosure.ts';
import type { ComposeOptions, Problem } from '../compose/compose.ts';
import type { Answer, Refusal, Warning } from '../core/outcome.ts';
import { divergence, type Divergence } from './divergence.ts';
import { gaussianFit, type GaussianFit } from './gaussian-fit.ts';
import { guessSuccess, membershipAdvantage, positivePredictiveValue, truePositiveRate } from './inference.ts';
import { minEntropyLeakage, mutualInformation, type LeakedBits } from './leakage.ts';
import { profilesOf, type Profiles } from './profile.ts';

/** The risks that are asked for. */
export interface RiskQuestion {
  /** Prior probabilities that one of two neighbouring data sets is the right one, in (0, 1). */
  readonly priors: readonly Decimal[];
  /** False-positive rates of a test, in (0, 1). */
  readonly falsePositiveRates: readonly Decimal[];
  /** The chances of guessing an attribute, or a record well enough, without the results: in (0, 1). */
  readonly baselines: readonly Decimal[];
  readonly divergences: readonly Divergence[];
  /** The error rates from which on a Gaussian is to fit, from 1e-12 to 0.01; null or absent where none is asked for. */
  readonly gaussianRate?: Decimal | null;
}

/** What is asked where nothing else is. */
export const USUAL_RISKS: RiskQuestion = {
  priors: [new Decimal('0.5')],
  falsePositiveRates: ['0.1', '0.01', '0.001'].map((rate) => new Decimal(rate)),
  baselines: [],
  divergences: [],
};

/** Success in naming the right one of two neighbouring data sets. */
export interface Guess {
  readonly prior: Decimal;
  readonly success: Bracket;
}

/** A test whether the data are one of two neighbouring sets. */
export interface TestRates {
  readonly falsePositiveRate: Decimal;
  readonly truePositiveRate: Bracket;
  /** For each of the priors: how probable it is that it is right where it says yes. */
  readonly predictive: readonly { readonly prior: Decimal; readonly value: Bracket }[];
}

/** Success in guessing an attribute, or reconstructing a record. */
export interface Reconstruction {
  readonly baseline: Decimal;
  /**
   * Upper: for an adversary whose chance without the results is at most the baseline. No lower end is known: the bound is attained
   * where two values are equally likely, and not by Gaussian noise for three.
   */
  readonly success: Bracket;
}

/** The Gaussian mechanisms on both sides of a composition, by tests whose error rates are both at least `rate`. */
export interface FittedGaussian extends GaussianFit {
  readonly rate: Decimal;
}

/** The risks of a composition: upper ends hold for everybody, lower ends are attained on some mechanisms of the classes. */
export interface Risk {
  readonly question: RiskQuestion;
  /** The largest true-positive rate minus false-positive rate: the total variation, delta at epsilon 0. */
  readonly advantage: Bracket;
  readonly guesses: readonly Guess[];
  readonly tests: readonly TestRates[];
  readonly reconstructions: readonly Reconstruction[];
  /** What the results tell of a uniform bit, which of two neighbouring data sets it is. */
  readonly leakedBits: LeakedBits;
  readonly divergences: readonly { readonly divergence: Divergence; readonly value: Bracket }[];
  /** The Gaussian trade-off functions on both sides; null where none is asked for. */
  readonly gaussian: FittedGaussian | null;
  /** The smallest delta at epsilon 0, with the theorem behind it and the warnings. */
  readonly answer: Answer;
  /** The bounds that gave the profile: at every epsilon the smallest of what they claim. */
  readonly bounds: readonly RowId[];
  readonly warnings: readonly Warning[];
  /** Whether the profile is that of a dominating pair that is attained: then both ends meet. */
  readonly isExact: boolean;
}

export type RiskOutcome =
  { readonly kind: 'risk'; readonly risk: Risk } | { readonly kind: 'refusal'; readonly refusal: Refusal };

/** The default relative width of a rate of a pair, and of one that is claimed without a pair. */
export const RISK_TOLERANCE = 1e-10;
const CLAIM_TOLERANCE = 1e-6;

/** The default relative width of the rates of these profiles. */
export const riskTolerance = ({ claimed, attained }: Pick<Profiles, 'claimed' | 'attained'>): number =>
  claimed === attained ? RISK_TOLERANCE : CLAIM_TOLERANCE;

export interface RiskOptions extends ComposeOptions {
  /** Receives how many of the rates are known, and how many there are. */
  readonly answered?: (done: number, all: number) => void;
}

/** That time was up, or that a rate of a pair is not as narrow as was asked. */
function warningsOf(
  { atZero, basis }: Profiles,
  rates: readonly Bracket[],
  { tolerance, exhausted }: RiskOptions,
): Warning[] {
  const { givenUp } = basis;
  const widths = rates.map(relativeWidth).filter((width) => tolerance !== undefined && width > tolerance);
  const others = atZero.warnings.filter(({ code }) => code !== 'interrupted' && code !== 'tolerance-not-met');
  return [
    ...others,
    ...(givenUp.size === 0 ? [] : [{ code: 'interrupted', bounds: [...givenUp] } as const]),
    ...(tolerance === undefined || widths.length === 0
      ? []
      : [
          {
            code: 'tolerance-not-met',
            asked: tolerance,
            reached: Math.max(...widths),
            cut: exhausted?.() === true,
            rows: widths.length,
          } as const,
        ]),
  ];
}

/** The risks that profiles prove. */
function riskIn(
  profiles: Profiles,
  question: RiskQuestion,
  tolerance: number,
  answered: RiskOptions['answered'] = () => undefined,
): Omit<Risk, 'warnings' | 'bounds'> {
  const { priors, falsePositiveRates, baselines, divergences, gaussianRate = null } = question;
  const { atZero: answer } = profiles;
  const all = falsePositiveRates.length + baselines.length;
  const rateAt = (rate: Decimal, index: number): Bracket => {
    answered(index, all);
    return truePositiveRate(profiles, rate, tolerance);
  };
  const advantage = membershipAdvantage(profiles);
  return {
    question,
    advantage,
    guesses: priors.map((prior) => ({ prior, success: guessSuccess(profiles, prior) })),
    tests: falsePositiveRates.map((rate, index) => {
      const power = rateAt(rate, index);
      const predictive = priors.map((prior) => ({ prior, value: positivePredictiveValue(power, rate, prior) }));
      return { falsePositiveRate: rate, truePositiveRate: power, predictive };
    }),
    reconstructions: baselines.map((baseline, index) => ({
      baseline,
      success: { lower: null, upper: rateAt(baseline, falsePositiveRates.length + index).upper },
    })),
    leakedBits: { minEntropy: minEntropyLeakage(advantage), mutualInformation: mutualInformation(profiles) },
    divergences: divergences.map((measure) => ({ divergence: measure, value: divergence(profiles, measure) })),
    gaussian: gaussianRate && { rate: gaussianRate, ...gaussianFit(profiles, toLower(gaussianRate)) },
    answer,
    isExact: profiles.claimed === profiles.attained,
  };
}

/**
 * The risks of mechanisms together, exact for the worst pair where their dominating pairs are attained: who is in the
 * data, what an attribute or a record is, how many bits are told, which Gaussian mechanism they are like. Refused where no theorem covers the mechanisms.
 *
 * Upper ends hold for everybody, and err upward; lower ends are attained on some mechanisms of the declared classes.
 */
export function risk(problem: Problem, question: RiskQuestion, options: RiskOptions = {}): RiskOutcome {
  const { answered, ...work } = options;
  const outcome = profilesOf(problem, work);
  if (outcome.kind === 'refusal') return outcome;
  const { profiles } = outcome;
  const { tolerance = riskTolerance(profiles) } = work;
  const risks = riskIn(profiles, question, tolerance, answered);
  const rates = risks.isExact ? [risks.advantage, ...risks.tests.map((test) => test.truePositiveRate)] : [];
  const warnings = warningsOf(profiles, rates, work);
  return { kind: 'risk', risk: { ...risks, bounds: [...profiles.basis.used], warnings } };
}
