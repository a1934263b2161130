import { Rational } from '../../../../src/numeric/rational.ts';
import { AT_MOST_ONE_DIFFERS, gate } from '../../../../src/composition/attack/m-delta.ts';
import type { VerifyQuestion } from '../question.ts';

const { ONE } = Rational;
const tenth = Rational.of(1, 10);

/** M_delta of Thm 5.2, delta 1/10: the failures of copies add up although only one of them receives different messages. */
export const mDeltaExample: VerifyQuestion = {
  mechanism: gate(tenth, ONE),
  verification: AT_MOST_ONE_DIFFERS,
  guarantee: { factor: ONE, delta: tenth },
  copies: 3,
  sparsity: 1,
  factors: [ONE, Rational.of(2), Rational.of(10)],
  rounds: null,
};
