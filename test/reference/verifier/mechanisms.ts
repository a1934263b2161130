import { FiniteMechanism, type MechanismDescription } from './finite-mechanism.ts';
import { PairVerification, type Pair, type VerificationDescription } from './pair-verification.ts';
import { Rational } from '../../../src/numeric/rational.ts';

/** `1/10` as the number it is. */
export function fraction(text: string): Rational {
  const [n = '', d = '1'] = text.split('/');
  return Rational.of(BigInt(n), BigInt(d));
}

/** A mechanism that tells its input with probability 3/4, whenever it is asked. */
export const threeQuarters = new FiniteMechanism({
  start: 's',
  transitions: ['0', '1'].flatMap((bit, index) => [
    { from: 's', messages: [bit], answer: bit, to: 's', probability: fraction('3/4') },
    { from: 's', messages: [bit], answer: ['1', '0'][index]!, to: 's', probability: fraction('1/4') },
  ]),
});

const EVERY: readonly Pair[] = [
  ['0', '0'],
  ['0', '1'],
  ['1', '0'],
  ['1', '1'],
];

/** Pairs of bits without end. */
export const endless = new PairVerification({ start: 'a', allows: [{ from: 'a', pairs: EVERY, to: 'a' }] });

/** One pair of bits. */
export const once = new PairVerification({ start: 'a', allows: [{ from: 'a', pairs: EVERY, to: 'b' }] });

const BITS = ['0', '1'] as const;
/** The same bit under both secret bits. */
const EQUAL_BITS: readonly Pair[] = [
  ['0', '0'],
  ['1', '1'],
];
/** Different bits. */
const DIFFERENT_BITS: readonly Pair[] = [
  ['0', '1'],
  ['1', '0'],
];

/**
 * At most two pairs of bits, of which at most one differs.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), proof of Thm 5.2, step 1 (the function g).
 */
const AT_MOST_ONE_DIFFERS: VerificationDescription = {
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
    start: 'T',
    transitions: [
      { from: 'T', messages: BITS, answer: 'T', to: 'T', probability: Rational.ONE.minus(opens) },
      { from: 'T', messages: BITS, answer: 'BOT', to: 'BOT', probability: opens },
      ...BITS.flatMap((bit, index) => [
        { from: 'BOT', messages: [bit], answer: bit, to: 'BOT', probability: truth },
        ...(lie.isZero()
          ? []
          : [{ from: 'BOT', messages: [bit], answer: BITS[1 - index]!, to: 'BOT', probability: lie }]),
      ]),
    ],
  };
}

/** The verification function of the gates. */
export const gateVerification = new PairVerification(AT_MOST_ONE_DIFFERS);

/** M_delta: with probability delta its first answer opens the way to a second one that is its input. */
export const mDelta = (delta: Rational): FiniteMechanism => new FiniteMechanism(gate(delta, Rational.ONE));
