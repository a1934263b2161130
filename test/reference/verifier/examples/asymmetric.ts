import { Rational } from '../../../../src/numeric/rational.ts';
import type { VerifyQuestion } from '../question.ts';

const { ONE } = Rational;
const half = Rational.of(1, 2);

/**
 * The first answer says on which message the second one may be "!": a counterexample to Lemma 5.6 as printed, where pairs
 * cannot be swapped (derived).
 */
export const asymmetricExample: VerifyQuestion = {
  mechanism: {
    start: 'start',
    transitions: [
      { from: 'start', messages: ['0'], answer: 'first', to: 'first', probability: half },
      { from: 'start', messages: ['0'], answer: 'second', to: 'second', probability: half },
      { from: 'first', messages: ['0'], answer: '!', to: 'end', probability: half },
      { from: 'first', messages: ['0'], answer: '-', to: 'end', probability: half },
      { from: 'first', messages: ['1'], answer: '-', to: 'end', probability: ONE },
      { from: 'second', messages: ['0'], answer: '-', to: 'end', probability: ONE },
      { from: 'second', messages: ['1'], answer: '!', to: 'end', probability: half },
      { from: 'second', messages: ['1'], answer: '-', to: 'end', probability: half },
    ],
  },
  verification: {
    start: 'nothing sent',
    allows: [
      { from: 'nothing sent', pairs: [['0', '0']], to: 'one sent' },
      {
        from: 'one sent',
        pairs: [
          ['0', '0'],
          ['1', '1'],
          ['0', '1'],
        ],
        to: 'end',
      },
    ],
  },
  guarantee: { factor: Rational.of(2), delta: Rational.of(1, 4) },
  copies: 3,
  sparsity: 2,
  factors: [ONE],
  rounds: null,
};
