import { Rational } from '../../numeric/rational.ts';
import { FiniteMechanism, type MechanismDescription } from './interaction/finite-mechanism.ts';
import { PairVerification, type Pair, type VerificationDescription } from './interaction/pair-verification.ts';

/** The states of the gate, and its answers where it says nothing of its input. */
export const CLOSED = 'T';
export const OPEN = 'BOT';

const BITS = ['0', '1'] as const;
/** The same bit under both secret bits. */
export const EQUAL_BITS: readonly Pair[] = [
  ['0', '0'],
  ['1', '1'],
];
/** Different bits. */
export const DIFFERENT_BITS: readonly Pair[] = [
  ['0', '1'],
  ['1', '0'],
];

/**
 * At most two pairs of bits, of which at most one differs.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), proof of Thm 5.2, step 1 (the function g).
 */
export const AT_MOST_ONE_DIFFERS: VerificationDescription = {
  start: 'nothing sent',
  allows: [
    { from: 'nothing sent', pairs: EQUAL_BITS, to: 'no difference' },
    { from: 'nothing sent', pairs: DIFFERENT_BITS, to: 'a difference' },
    { from: 'no difference', pairs: [...EQUAL_BITS, ...DIFFERENT_BITS], to: 'end' },
    { from: 'a difference', pairs: EQUAL_BITS, to: 'end' },
  ],
};

/**
 * A gate: closed, it opens on any bit with probability `opens` and says whether it did; open, it answers a bit with that
 * bit with probability `truth`, and with the other one otherwise.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), proof of Thm 5.2, step 2, with `truth` 1; proof of Thm 13.5 with another.
 */
export function gate(opens: Rational, truth: Rational): MechanismDescription {
  const lie = Rational.ONE.minus(truth);
  return {
    start: CLOSED,
    transitions: [
      { from: CLOSED, messages: BITS, answer: CLOSED, to: CLOSED, probability: Rational.ONE.minus(opens) },
      { from: CLOSED, messages: BITS, answer: OPEN, to: OPEN, probability: opens },
      ...BITS.flatMap((bit, index) => [
        { from: OPEN, messages: [bit], answer: bit, to: OPEN, probability: truth },
        ...(lie.isZero()
          ? []
          : [{ from: OPEN, messages: [bit], answer: BITS[1 - index]!, to: OPEN, probability: lie }]),
      ]),
    ],
  };
}

/** The verification function of the gates. */
export const gateVerification = new PairVerification(AT_MOST_ONE_DIFFERS);

/** M_delta: with probability delta its first answer opens the way to a second one that is its input. */
export const mDelta = (delta: Rational): FiniteMechanism => new FiniteMechanism(gate(delta, Rational.ONE));
