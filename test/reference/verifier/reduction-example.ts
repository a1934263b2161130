import { Rational } from '../../../src/numeric/rational.ts';
import type { MechanismDescription } from './finite-mechanism.ts';
import type { VerificationDescription } from './pair-verification.ts';

/** One answer with two laws, as in the reduction of section 10.2. */
export const reductionExample: {
  readonly mechanism: MechanismDescription;
  readonly verification: VerificationDescription;
} = {
  mechanism: {
    start: 'start',
    transitions: [
      { from: 'start', messages: ['0'], answer: 'a', to: 'end', probability: Rational.of(3, 5) },
      { from: 'start', messages: ['0'], answer: 'b', to: 'end', probability: Rational.of(2, 5) },
      { from: 'start', messages: ['1'], answer: 'a', to: 'end', probability: Rational.of(3, 10) },
      { from: 'start', messages: ['1'], answer: 'b', to: 'end', probability: Rational.of(7, 10) },
    ],
  },
  verification: { start: 'nothing sent', allows: [{ from: 'nothing sent', pairs: [['0', '1']], to: 'end' }] },
};
