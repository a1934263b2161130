import { decimalFromDouble, exactUpper, ONE, toLower, type Decimal } from '../../numeric/decimal.ts';
import { exactly, type LowerBound } from '../../numeric/enclosure.ts';
import { exponential, multiply, negate } from '../../numeric/enclosure-arithmetic.ts';
import { createSession } from '../../bounds/core/session.ts';
import { compose, type ComposeOptions, type Problem } from '../compose/compose.ts';
import type { Answer, Refusal } from '../core/outcome.ts';
import { truePositiveRate } from '../risk/inference.ts';
import { profilesOf, smallestDelta, type Profiles } from '../risk/profile.ts';
import { riskTolerance } from '../risk/risk.ts';
import { epsilonByGuesses, type Guesses } from './one-run.ts';
import { isImpossible, muByGuesses, type RateLine } from './one-run-gdp.ts';
import { auditThresholds, type AuditedThreshold, type Cut, type Scores } from './thresholds.ts';

/** How certainly an audit concludes, and at which delta. */
export interface AuditLevel {
  /** How probable it is at least that what is shown holds: from 0.5 to 1 - 1e-9. */
  readonly confidence: Decimal;
  /** The delta at which an epsilon is shown. */
  readonly delta: Decimal;
}

/** What was observed, and by which method it is concluded from. */
export type Observed =
  | { readonly method: 'thresholds'; readonly scores: Scores; readonly cut: Cut }
  | ({ readonly method: 'one-run' | 'one-run-f-dp' } & Guesses);

/** What an audit concludes from, and how certainly. */
export type AuditQuestion = AuditLevel & Observed;

/** A claim beside what an audit shows. */
export interface AuditedClaim {
  /** The smallest epsilon that is claimed at the delta of the audit. */
  readonly answer: Answer;
  /** Whether the claim is wrong, but for the chance that the confidence leaves. */
  readonly isContradicted: boolean;
}

/** Lower ends of privacy losses that hold together with the probability `confidence`. */
export interface Audit {
  readonly question: AuditQuestion;
  /** No smaller epsilon holds at the delta; null where the method shows none. */
  readonly epsilon: LowerBound | null;
  /** No smaller mu of Gaussian differential privacy holds; null where the method shows none. */
  readonly mu: LowerBound | null;
  /** Empty where guesses were counted. */
  readonly thresholds: readonly AuditedThreshold[];
  readonly claim: AuditedClaim | null;
}

export type AuditOutcome =
  { readonly kind: 'audit'; readonly audit: Audit } | { readonly kind: 'refusal'; readonly refusal: Refusal };

const largest = (values: readonly LowerBound[]): LowerBound => values.reduce((a, b) => (b > a ? b : a));

function shown(question: AuditQuestion): Omit<Audit, 'claim' | 'question'> {
  const { confidence, delta } = question;
  switch (question.method) {
    case 'thresholds': {
      const thresholds = auditThresholds(question.scores, question.cut, confidence, delta);
      return {
        epsilon: largest(thresholds.map(({ epsilon }) => epsilon)),
        mu: largest(thresholds.map(({ mu }) => mu)),
        thresholds,
      };
    }
    case 'one-run':
      return { epsilon: epsilonByGuesses(question, delta, confidence), mu: null, thresholds: [] };
    case 'one-run-f-dp':
      return { epsilon: null, mu: muByGuesses(question, confidence), thresholds: [] };
  }
}

/** Lines of a claim are taken at these multiples of its epsilon. */
const MULTIPLES = Array.from({ length: 25 }, (_, index) => (12 - index) / 8);
/** The epsilon of which they are multiples is within these. */
const [SMALLEST_SCALE, LARGEST_SCALE] = [0.1, 50];

/** What a claim says of the tests of neighbours in either order: TPR <= e^eps FPR + delta(eps), at several epsilons. */
const linesOf = (profiles: Profiles, epsilon: number): RateLine[] =>
  MULTIPLES.map((multiple) => {
    const at = exactly(multiple * Math.min(LARGEST_SCALE, Math.max(SMALLEST_SCALE, epsilon)));
    const slope = exponential(negate(at));
    const delta = smallestDelta(profiles, decimalFromDouble(at.lower)).upper;
    return { slope: slope.lower, offset: negate(multiply(slope, exactly(delta))).lower };
  });

/** Whether rates or guesses are beyond what the profiles of a claim allow. */
function isBeyond(
  profiles: Profiles,
  epsilon: number,
  question: AuditQuestion,
  thresholds: readonly AuditedThreshold[],
): boolean {
  if (question.method !== 'thresholds') {
    return isImpossible(linesOf(profiles, epsilon), question, toLower(ONE.minus(question.confidence)));
  }
  return thresholds.some(({ falsePositiveRate, truePositiveRate: rate }) => {
    const level = decimalFromDouble(falsePositiveRate);
    return rate > truePositiveRate(profiles, level, riskTolerance(profiles)).upper;
  });
}

/**
 * What an audit of an implementation shows, and whether that contradicts a claim: certified lower ends of epsilon at delta and of mu that
 * hold, whatever the implementation is, with probability `confidence` over the runs. They are rounded down; all tails are finite sums.
 *
 * A claim is contradicted where what is shown is above it, or where rates (thresholds) or guesses (one-run-f-dp) are beyond its trade-off
 * function. That all of it is one conclusion needs no correction: it follows from the same events. An audit that contradicts nothing proves nothing.
 *
 * Refused where no theorem covers the claim.
 */
export function audit(question: AuditQuestion, problem: Problem | null, options: ComposeOptions = {}): AuditOutcome {
  const result = shown(question);
  if (problem === null) return { kind: 'audit', audit: { question, ...result, claim: null } };
  const work = { session: createSession(), ...options };
  const outcome = compose(problem, { solveFor: 'epsilon', delta: question.delta }, work);
  if (outcome.kind === 'refusal') return outcome;
  const { answer } = outcome;
  const { upper } = answer.epsilon;
  const isAbove = result.epsilon !== null && decimalFromDouble(result.epsilon).gt(exactUpper(answer.epsilon));
  const profiles = isAbove || upper === Infinity || question.method === 'one-run' ? null : profilesOf(problem, work);
  const isContradicted =
    isAbove || (profiles?.kind === 'profiles' && isBeyond(profiles.profiles, upper, question, result.thresholds));
  return { kind: 'audit', audit: { question, ...result, claim: { answer, isContradicted } } };
}
