import { Rational } from '../../../../src/numeric/rational.ts';
import { CLOSED, DIFFERENT_BITS, EQUAL_BITS, OPEN } from '../../../../src/composition/attack/m-delta.ts';
import type { VerifyQuestion } from '../question.ts';

const { ONE } = Rational;
const nineTenths = Rational.of(9, 10);
const tenth = Rational.of(1, 10);

/** A gate whose first message is its data, so that they cannot be chosen after it has opened: others cost nothing (Thm 5.14). */
export const interactiveExample: VerifyQuestion = {
  mechanism: {
    start: 'start',
    transitions: [
      { from: 'start', messages: ['0', '1'], answer: CLOSED, to: CLOSED, probability: nineTenths },
      { from: 'start', messages: ['0'], answer: OPEN, to: 'holds 0', probability: tenth },
      { from: 'start', messages: ['1'], answer: OPEN, to: 'holds 1', probability: tenth },
      { from: CLOSED, messages: ['read'], answer: 'nothing', to: 'end', probability: ONE },
      { from: 'holds 0', messages: ['read'], answer: '0', to: 'end', probability: ONE },
      { from: 'holds 1', messages: ['read'], answer: '1', to: 'end', probability: ONE },
    ],
  },
  verification: {
    start: 'no data',
    allows: [
      { from: 'no data', pairs: [...EQUAL_BITS, ...DIFFERENT_BITS], to: 'data' },
      { from: 'data', pairs: [['read', 'read']], to: 'end' },
    ],
  },
  guarantee: { factor: ONE, delta: tenth },
  copies: 2,
  sparsity: 1,
  factors: [ONE],
  rounds: null,
};
