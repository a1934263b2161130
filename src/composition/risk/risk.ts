import { createSession } from '../../bounds/core/session.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import type { ComposeOptions, Problem } from '../compose/compose.ts';
import type { Answer, Refusal } from '../core/outcome.ts';
import { divergence, type Divergence } from './divergence.ts';
import { guessSuccess } from './guess.ts';
import { leakedBits } from './leakage.ts';
import { positivePredictiveValue } from './predictive-value.ts';
import { profilesOf, type Profiles } from './profile.ts';
import { truePositiveRate } from './true-positive-rate.ts';

/** The risks that are asked for. */
export interface RiskQuestion {
  /** Prior probabilities that one of two neighbouring data sets is the right one, in (0, 1). */
  readonly priors: readonly Decimal[];
  /** False-positive rates of a test, in (0, 1). */
  readonly falsePositiveRates: readonly Decimal[];
  /** The chances of guessing an attribute, or a record well enough, without the results: in (0, 1). */
  readonly baselines: readonly Decimal[];
  readonly divergences: readonly Divergence[];
}

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
  readonly success: Bracket;
}

/** The risks of a composition: upper ends hold for everybody, lower ends are attained on some mechanisms of the classes. */
export interface Risk {
  readonly question: RiskQuestion;
  /** The largest true-positive rate minus false-positive rate: the total variation, delta at epsilon 0. */
  readonly advantage: Bracket;
  readonly guesses: readonly Guess[];
  readonly tests: readonly TestRates[];
  readonly reconstructions: readonly Reconstruction[];
  /** Bits of a uniform bit, which of two neighbouring data sets it is, that the results tell. */
  readonly leakedBits: Bracket;
  readonly divergences: readonly { readonly divergence: Divergence; readonly value: Bracket }[];
  /** The smallest delta at epsilon 0, with the theorem behind it and the warnings. */
  readonly answer: Answer;
  /** Whether the profile is that of a dominating pair that is attained: then both ends meet. */
  readonly isExact: boolean;
}

export type RiskOutcome =
  { readonly kind: 'risk'; readonly risk: Risk } | { readonly kind: 'refusal'; readonly refusal: Refusal };

/** The relative width of a rate where none is asked. */
export const RISK_TOLERANCE = 1e-8;

/** The risks that profiles prove. */
export function riskIn(profiles: Profiles, question: RiskQuestion, tolerance: number): Risk {
  const { priors, falsePositiveRates, baselines, divergences } = question;
  const { atZero: answer } = profiles;
  return {
    question,
    advantage: answer.delta,
    guesses: priors.map((prior) => ({ prior, success: guessSuccess(profiles, prior) })),
    tests: falsePositiveRates.map((rate) => {
      const found = truePositiveRate(profiles, rate, tolerance);
      const predictive = priors.map((prior) => ({ prior, value: positivePredictiveValue(found, rate, prior) }));
      return { falsePositiveRate: rate, truePositiveRate: found, predictive };
    }),
    reconstructions: baselines.map((baseline) => ({
      baseline,
      success: truePositiveRate(profiles, baseline, tolerance),
    })),
    leakedBits: leakedBits(profiles),
    divergences: divergences.map((each) => ({ divergence: each, value: divergence(profiles, each) })),
    answer,
    isExact: profiles.claimed === profiles.attained,
  };
}

/**
 * The risks of mechanisms together, exact for the worst pair where their dominating pairs are attained: who is in the
 * data, what an attribute or a record is, how many bits are told. Refused where no theorem covers the mechanisms.
 */
export function risk(problem: Problem, question: RiskQuestion, options: ComposeOptions = {}): RiskOutcome {
  const { tolerance = RISK_TOLERANCE } = options;
  const found = profilesOf(problem, { session: createSession(), ...options, tolerance });
  if (found.kind === 'refusal') return found;
  return { kind: 'risk', risk: riskIn(found.profiles, question, tolerance) };
}
