import { Rational } from '../../../../src/numeric/rational.ts';
import { say } from '../../../../src/composition/attack/announcement.ts';
import { DIFFERENT_BITS } from '../../../../src/composition/attack/m-delta.ts';
import type {
  MechanismDescription,
  Transition,
} from '../../../../src/composition/attack/interaction/finite-mechanism.ts';
import type { Pair } from '../../../../src/composition/attack/interaction/pair-verification.ts';
import type { VerifyQuestion } from '../question.ts';

const { ONE } = Rational;

/** The state in which the message that says the number is answered with the bit. */
const holding = (bit: string, number: number): string => `${bit} behind ${number}`;

/** Announces a number of `many`, all equally likely; the message that then says that number reveals the bit. */
function announcing(many: number): MechanismDescription {
  const numbers = Array.from({ length: many }, (_, index) => index + 1);
  return {
    start: 'start',
    transitions: ['0', '1'].flatMap((bit) =>
      numbers.flatMap((number): Transition[] => [
        {
          from: 'start',
          messages: [bit],
          answer: String(number),
          to: holding(bit, number),
          probability: Rational.of(1, many),
        },
        { from: holding(bit, number), messages: [say(number)], answer: bit, to: 'end', probability: ONE },
        {
          from: holding(bit, number),
          messages: numbers.filter((other) => other !== number).map(say),
          answer: 'nothing',
          to: 'end',
          probability: ONE,
        },
      ]),
    ),
  };
}

/** The mechanism of footnote 1 with ten numbers: private only where all messages are fixed in advance. */
export const obliviousExample: VerifyQuestion = {
  mechanism: announcing(10),
  verification: {
    start: 'no data',
    allows: [
      { from: 'no data', pairs: DIFFERENT_BITS, to: 'data' },
      {
        from: 'data',
        pairs: Array.from({ length: 10 }, (_, index): Pair => [say(index + 1), say(index + 1)]),
        to: 'end',
      },
    ],
  },
  guarantee: { factor: ONE, delta: null },
  copies: 1,
  sparsity: 1,
  factors: [ONE],
  rounds: null,
};
