import { FiniteMechanism } from '../../../../src/composition/attack/interaction/finite-mechanism.ts';
import { PairVerification, type Pair } from '../../../../src/composition/attack/interaction/pair-verification.ts';
import { Rational } from '../../../../src/numeric/rational.ts';

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
