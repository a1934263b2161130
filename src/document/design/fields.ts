import { ABOVE_ZERO, AT_LEAST_ZERO, numberOf, wholeNumbers } from '../../privacy/mechanisms/parameters.ts';
import { numberField, orWord, published, valueRead } from '../core/fields.ts';
import { describe } from '../core/quote.ts';

const atLeastZero = (name: string, about: string) => numberOf(AT_LEAST_ZERO, name, about, '1');
const wholeNumber = (name: string, about: string) => numberOf(wholeNumbers(1), name, about, '1');

/** The most that neighbours may differ by, in the largest coordinate. */
export const change = orWord(
  atLeastZero('change', 'The largest difference between neighbors in it, in any coordinate'),
  'any',
);

/** In how many values neighbours may differ. */
export const differing = orWord(
  wholeNumber('differing', 'The largest number of its values in which neighbors may differ'),
  'unbounded',
);

/** In how many messages to one instance neighbours may differ. */
export const coveredMessages = numberField(
  wholeNumber('differing', 'The number of messages to one instance in which neighbors may differ by its guarantee'),
);

/** How often a condition may hold. */
export const atMostTimes = numberField(wholeNumber('atMost', 'The largest number of times that the condition holds'));

/** By how much a function multiplies a change of its arguments. */
export const functionSensitivity = numberField(
  atLeastZero(
    'sensitivity',
    'The largest change in any coordinate, if every coordinate of the variables it is computed from changes by at most 1',
  ),
);

/** The scale of noise that an instance draws. */
export const noiseScaleOf = (name: 'laplace' | 'gaussian') => {
  const what = name === 'laplace' ? 'scale of Laplace noise' : 'standard deviation of Gaussian noise';
  return numberField(numberOf(ABOVE_ZERO, name, `The ${what}`, '6'));
};

const LONGEST = 200;

/** A name: text that is not empty. */
export const nameField = (what: string, example: string) =>
  valueRead<string>((value) => {
    if (typeof value === 'string' && value !== '' && value.length <= LONGEST) return { value };
    const hint = `Write a name such as "${example}".`;
    const message = `this must be ${what}, in 1 to ${LONGEST} characters, got ${describe(value)}`;
    return value === undefined
      ? { problem: { code: 'missing-key', message: `${what} is missing`, hint } }
      : { problem: { code: 'wrong-type', message, hint } };
  }).register(published, {
    type: 'string',
    minLength: 1,
    maxLength: LONGEST,
    description: `${what[0]?.toUpperCase()}${what.slice(1)}.`,
  });
