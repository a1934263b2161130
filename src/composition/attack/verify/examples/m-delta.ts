import { Rational } from '../../../../numeric/rational.ts';
import { AT_MOST_ONE_DIFFERS, gate } from '../../m-delta.ts';
import type { VerifyExample } from './example.ts';

const { ONE } = Rational;
const tenth = Rational.of(1, 10);

/** M_delta of Thm 5.2, delta 1/10. */
export const mDeltaExample: VerifyExample = {
  shows: 'the failures of copies add up although only one of them receives different messages (Thm 5.2)',
  question: {
    name: 'm-delta',
    mechanism: gate(tenth, ONE),
    verification: AT_MOST_ONE_DIFFERS,
    guarantee: { factor: ONE, delta: tenth },
    copies: 3,
    sparsity: 1,
    factors: [ONE, Rational.of(2), Rational.of(10)],
    rounds: null,
  },
};
