import { fc } from '../properties.ts';
import type { MechanismDescription, Transition } from './finite-mechanism.ts';
import type { Pair, VerificationDescription } from './pair-verification.ts';
import { Rational } from '../../../src/numeric/rational.ts';

/** Mechanisms with three states, two messages and two answers, and two pairs of messages to them. */

const STATES = ['a', 'b', 'c'];
const ANSWERS = ['x', 'y'];

/** The law of one state and message: weights of all answers and states. */
const law = fc
  .array(fc.integer({ min: 0, max: 3 }), { minLength: 6, maxLength: 6 })
  .filter((weights) => weights.some((weight) => weight > 0));

export const mechanisms = fc.array(law, { minLength: 6, maxLength: 6 }).map((laws): MechanismDescription => ({
  start: 'a',
  transitions: laws.flatMap((weights, index): Transition[] => {
    const sum = weights.reduce((a, b) => a + b, 0);
    return weights.flatMap((weight, outcome) =>
      weight === 0
        ? []
        : [
            {
              from: STATES[index >> 1]!,
              messages: [String(index & 1)],
              answer: ANSWERS[outcome % 2]!,
              to: STATES[outcome >> 1]!,
              probability: Rational.of(weight, sum),
            },
          ],
    );
  }),
}));

const anyPairs = fc.subarray<Pair>(
  [
    ['0', '0'],
    ['1', '1'],
    ['0', '1'],
    ['1', '0'],
  ],
  { minLength: 1 },
);

export const verifications = fc.tuple(anyPairs, anyPairs).map(([first, second]): VerificationDescription => ({
  start: 'start',
  allows: [
    { from: 'start', pairs: first, to: 'then' },
    { from: 'then', pairs: second, to: 'end' },
  ],
}));
