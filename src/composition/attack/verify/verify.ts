import { larger, type Rational } from '../../../numeric/rational.ts';
import { FiniteMechanism } from '../interaction/finite-mechanism.ts';
import { PairVerification } from '../interaction/pair-verification.ts';
import { swapClosure } from '../interaction/swap-closure.ts';
import { ControlFunction, MOST_ANSWERS, TOO_LARGE, type Game } from './control-function.ts';
import { hockeyStick } from './hockey-stick.ts';
import { obliviousOptimum } from './oblivious.ts';
import { parallelBounds, type ParallelBound } from './parallel-bounds.ts';
import type { VerifyQuestion } from './question.ts';

/** The smallest delta in each direction: `forward` with the view under the secret bit 0 first. */
export interface Directions {
  readonly forward: Rational;
  readonly backward: Rational;
}

/** One value of e^epsilon. */
export interface VerifiedDelta extends Directions {
  readonly factor: Rational;
  /** The larger of the two directions: the smallest delta. */
  readonly delta: Rational;
  /** The same against adversaries who fix all messages in advance; null where there is too much to compute. */
  readonly oblivious: Rational | null;
}

/** The smallest delta of several copies together at one value of e^epsilon. */
export interface VerifiedCopies extends Directions {
  readonly factor: Rational;
  readonly delta: Rational;
  readonly bounds: readonly ParallelBound[];
}

export interface VerifyAnswer {
  readonly question: VerifyQuestion;
  readonly properties: {
    readonly closedUnderSwapping: boolean;
    readonly firstPairConsistent: boolean;
    /** The length of the longest valid sequence of one copy; null where there is none that is longest. */
    readonly longest: number | null;
  };
  /** One copy alone. */
  readonly alone: readonly VerifiedDelta[];
  /** The delta of one copy at the e^epsilon that is claimed of it, whether the claim holds, and the same with swapped pairs. */
  readonly guarantee: {
    readonly factor: Rational;
    readonly claimed: Rational | null;
    readonly exact: Rational;
    readonly swapped: Rational;
    readonly holds: boolean;
  };
  /** All copies together; null where there is one. */
  readonly together: readonly VerifiedCopies[] | null;
}

export type VerifyOutcome =
  { readonly kind: 'answer'; readonly answer: VerifyAnswer } | { readonly kind: 'too-large'; readonly most: number };

class TooLarge extends Error {}

function orTooLarge<V>(value: V | typeof TOO_LARGE): V {
  if (value === TOO_LARGE) throw new TooLarge();
  return value;
}

function directions(game: Game, factor: Rational, most: number): Directions {
  const [forward, backward] = ([0, 1] as const).map((bit) =>
    orTooLarge(new ControlFunction(game, hockeyStick(factor), bit, most).start()),
  );
  return { forward: forward!, backward: backward! };
}

const both = ({ forward, backward }: Directions): Rational => larger(forward, backward);

function obliviousDelta(game: Game, factor: Rational, most: number): Rational | null {
  const [forward, backward] = ([0, 1] as const).map((bit) => obliviousOptimum(game, hockeyStick(factor), bit, most));
  return forward === TOO_LARGE || backward === TOO_LARGE ? null : larger(forward!, backward!);
}

/** An adversary who does better than a theorem allows proves a mistake, here or there: no claim is made then. */
function notBelow(optimum: Rational, bounds: readonly ParallelBound[]): readonly ParallelBound[] {
  const broken = bounds.find(({ applies, delta }) => applies && delta.compare(optimum) < 0);
  if (broken === undefined) return bounds;
  throw new Error(`${broken.id} claims ${broken.delta.toString()}, but an adversary reaches ${optimum.toString()}`);
}

function answerTo(question: VerifyQuestion, most: number): VerifyAnswer {
  const { copies, sparsity, factors, rounds } = question;
  const mechanism = new FiniteMechanism(question.mechanism);
  const verification = new PairVerification(question.verification);
  const one: Game = { mechanism, verification, copies: 1, sparsity: 1, rounds };
  const all: Game = { ...one, copies, sparsity };

  const { factor, delta: claimed } = question.guarantee;
  const exact = both(directions(one, factor, most));
  const swapped = verification.isClosedUnderSwapping()
    ? exact
    : both(directions({ ...one, verification: swapClosure(verification) }, factor, most));
  const holds = claimed === null || exact.compare(claimed) <= 0;
  const guaranteed = { verification, factor, delta: holds && claimed !== null ? claimed : exact, copies, sparsity };

  return {
    question,
    properties: {
      closedUnderSwapping: verification.isClosedUnderSwapping(),
      firstPairConsistent: verification.isFirstPairConsistent(),
      longest: verification.longest(),
    },
    alone: factors.map((each) => {
      const found = directions(one, each, most);
      return { factor: each, ...found, delta: both(found), oblivious: obliviousDelta(one, each, most) };
    }),
    guarantee: { factor, claimed, exact, swapped, holds },
    together:
      copies === 1
        ? null
        : factors.map((each) => {
            const found = directions(all, each, most);
            const delta = both(found);
            return { factor: each, ...found, delta, bounds: notBelow(delta, parallelBounds(guaranteed, each)) };
          }),
  };
}

/**
 * The smallest delta of a finite mechanism, and of copies of it together, at exact values of e^epsilon, over every
 * adaptive adversary that keeps to the verification function: exact rational numbers.
 *
 * The question must be one that a document can ask: laws that sum to 1, for all that may be sent, and rounds where the
 * verification function alone does not limit them. At most `most` answers are looked at, each at its place in a conversation.
 */
export function verify(question: VerifyQuestion, most = MOST_ANSWERS): VerifyOutcome {
  try {
    return { kind: 'answer', answer: answerTo(question, most) };
  } catch (error) {
    if (error instanceof TooLarge) return { kind: 'too-large', most };
    throw error;
  }
}
