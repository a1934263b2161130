import { Rational } from '../../../../src/numeric/rational.ts';
import { CLOSED, DIFFERENT_BITS, EQUAL_BITS, OPEN } from '../../../../src/composition/attack/m-delta.ts';
import type {
  MechanismDescription,
  Transition,
} from '../../../../src/composition/attack/interaction/finite-mechanism.ts';
import type { VerificationDescription } from '../../../../src/composition/attack/interaction/pair-verification.ts';
import type { VerifyQuestion } from '../question.ts';

const { ONE } = Rational;
const tenth = Rational.of(1, 10);

/** A gate that is closed answers its second message by randomized response: no mechanism with its guarantee says more. */
function universal(factor: Rational, delta: Rational): MechanismDescription {
  const truth = factor.over(ONE.plus(factor));
  const answers = (state: string, chance: Rational): Transition[] =>
    (['0', '1'] as const).flatMap((bit, index) =>
      [
        { from: state, messages: [bit], answer: bit, to: 'end', probability: chance },
        { from: state, messages: [bit], answer: index === 0 ? '1' : '0', to: 'end', probability: ONE.minus(chance) },
      ].filter(({ probability }) => !probability.isZero()),
    );
  return {
    start: 'start',
    transitions: [
      { from: 'start', messages: ['0', '1'], answer: CLOSED, to: CLOSED, probability: ONE.minus(delta) },
      { from: 'start', messages: ['0', '1'], answer: OPEN, to: OPEN, probability: delta },
      ...answers(CLOSED, truth),
      ...answers(OPEN, ONE),
    ],
  };
}

/** The first pair says nothing, the second one may differ. */
const SECOND_MAY_DIFFER: VerificationDescription = {
  start: 'nothing sent',
  allows: [
    { from: 'nothing sent', pairs: EQUAL_BITS, to: 'one sent' },
    { from: 'one sent', pairs: [...EQUAL_BITS, ...DIFFERENT_BITS], to: 'end' },
  ],
};

/** Randomized response of e^epsilon 3 and delta 1/10 that answers in two steps: the product form of Thm 5.4 is exact for it. */
export const universalExample: VerifyQuestion = {
  mechanism: universal(Rational.of(3), tenth),
  verification: SECOND_MAY_DIFFER,
  guarantee: { factor: Rational.of(3), delta: tenth },
  copies: 3,
  sparsity: 1,
  factors: [ONE, Rational.of(2), Rational.of(3)],
  rounds: null,
};
