import type { Rational } from '../../../src/numeric/rational.ts';
import type { MechanismDescription } from '../../../src/composition/attack/interaction/finite-mechanism.ts';
import type { VerificationDescription } from '../../../src/composition/attack/interaction/pair-verification.ts';

/** A question about copies of a finite mechanism against every adaptive adversary. */
export interface VerifyQuestion {
  readonly mechanism: MechanismDescription;
  readonly verification: VerificationDescription;
  /** The guarantee that one copy is to have: e^epsilon, of at least 1, and delta; null for the smallest delta there is. */
  readonly guarantee: { readonly factor: Rational; readonly delta: Rational | null };
  /** How many copies there are, at least 1. */
  readonly copies: number;
  /** How many of them may receive pairs of different messages, at most `copies`. */
  readonly sparsity: number;
  /** Values of e^epsilon at which delta is asked for, each at least 0. */
  readonly factors: readonly Rational[];
  /** The most messages the adversary may send in all; null where the verification function alone limits them. */
  readonly rounds: number | null;
}
