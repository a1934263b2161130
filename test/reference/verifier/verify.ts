import { hockeyStick } from '../../../src/composition/attack/verify/hockey-stick.ts';
import { ControlFunction, TOO_LARGE, type Game } from '../../../src/composition/attack/verify/control-function.ts';
import { FiniteMechanism } from '../../../src/composition/attack/interaction/finite-mechanism.ts';
import { PairVerification } from '../../../src/composition/attack/interaction/pair-verification.ts';
import { larger, type Rational } from '../../../src/numeric/rational.ts';
import { isFirstPairConsistent } from './first-pair.ts';
import { obliviousOptimum } from './oblivious.ts';
import { parallelBounds, type ParallelBound } from './parallel-bounds.ts';
import type { VerifyQuestion } from './question.ts';
import { isClosedUnderSwapping, swapClosure } from './swap-closure.ts';

/** One value of e^epsilon. */
export interface VerifiedDelta {
  readonly factor: Rational;
  /** The smallest delta, in both directions. */
  readonly delta: Rational;
  /** The same against adversaries who fix all messages in advance. */
  readonly oblivious: Rational;
}

/** The smallest delta of several copies together at one value of e^epsilon. */
export interface VerifiedCopies {
  readonly factor: Rational;
  readonly delta: Rational;
  readonly bounds: readonly ParallelBound[];
}

export interface VerifyAnswer {
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

/** The larger value of the two directions. */
function inBoth(valueOf: (bit: 0 | 1) => Rational | typeof TOO_LARGE): Rational {
  const [forward, backward] = [valueOf(0), valueOf(1)];
  if (forward === TOO_LARGE || backward === TOO_LARGE) throw new RangeError('there is too much to compute');
  return larger(forward, backward);
}

const deltaOf = (game: Game, factor: Rational): Rational =>
  inBoth((bit) => new ControlFunction(game, hockeyStick(factor), bit).start());

const obliviousDelta = (game: Game, factor: Rational): Rational =>
  inBoth((bit) => obliviousOptimum(game, hockeyStick(factor), bit));

/**
 * The smallest delta of a finite mechanism, and of copies of it together, at exact values of e^epsilon, over every
 * adaptive adversary that keeps to the verification function: exact rational numbers, with the theorems on copies in
 * parallel beside them.
 */
export function verify(question: VerifyQuestion): VerifyAnswer {
  const { copies, sparsity, factors, rounds } = question;
  const mechanism = new FiniteMechanism(question.mechanism);
  const verification = new PairVerification(question.verification);
  const one: Game = { mechanism, verification, copies: 1, sparsity: 1, rounds };
  const all: Game = { ...one, copies, sparsity };

  const { factor, delta: claimed } = question.guarantee;
  const exact = deltaOf(one, factor);
  const swapped = deltaOf({ ...one, verification: swapClosure(verification) }, factor);
  const holds = claimed === null || exact.compare(claimed) <= 0;
  const guaranteed = { verification, factor, delta: holds && claimed !== null ? claimed : exact, copies, sparsity };

  return {
    properties: {
      closedUnderSwapping: isClosedUnderSwapping(verification),
      firstPairConsistent: isFirstPairConsistent(verification),
      longest: verification.longest(),
    },
    alone: factors.map((each) => ({
      factor: each,
      delta: deltaOf(one, each),
      oblivious: obliviousDelta(one, each),
    })),
    guarantee: { factor, claimed, exact, swapped, holds },
    together:
      copies === 1
        ? null
        : factors.map((each) => ({
            factor: each,
            delta: deltaOf(all, each),
            bounds: parallelBounds(guaranteed, each),
          })),
  };
}
