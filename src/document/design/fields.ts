import * as z from 'zod/mini';
import { issueOf, NO_SIGN, numberField, published, type NumberField } from '../core/fields.ts';
import { orWord } from '../core/number-or-word.ts';
import { describe } from '../core/quote.ts';

const LARGEST = Number.MAX_SAFE_INTEGER;

const atLeastZero = (name: string, example: string, description: string): NumberField => ({
  name,
  allowed: 'a number of at least 0',
  example,
  inRange: (value) => !value.isNegative() || value.isZero(),
  description: `${description}: a JSON number or a decimal string, at least 0.`,
  range: { minimum: 0 },
  pattern: NO_SIGN,
});

const wholeNumber = (name: string, description: string): NumberField => ({
  name,
  allowed: `a whole number from 1 to ${LARGEST}`,
  example: '1',
  whole: true,
  inRange: (value) => value.isInteger() && value.gte(1) && value.lte(LARGEST),
  description: `${description}: a whole number (or the same as a string) from 1 to 2^53 - 1.`,
  range: { minimum: 1, maximum: LARGEST },
  pattern: NO_SIGN,
});

/** The most that neighbours may differ by, in the largest coordinate. */
export const change = orWord(
  atLeastZero('change', '1', 'By how much neighbours may differ in it, in its largest coordinate'),
  'any',
);

/** In how many values neighbours may differ. */
export const differing = orWord(
  wholeNumber('differing', 'In how many of its values neighbours may differ'),
  'unbounded',
);

/** In how many messages to one instance neighbours may differ. */
export const coveredMessages = numberField(
  wholeNumber('differing', 'In how many messages to one instance neighbours may differ, by its guarantee'),
);

/** How often a condition may hold. */
export const atMostTimes = numberField(wholeNumber('atMost', 'How often the condition may hold in all'));

/** By how much a function multiplies a change of its arguments. */
export const functionSensitivity = numberField(
  atLeastZero(
    'sensitivity',
    '1',
    'The most that it changes, in its largest coordinate, where all that it is computed from changes by at most 1 in every coordinate',
  ),
);

/** The scale of noise that an instance draws. */
export const noiseScaleOf = (name: 'laplace' | 'gaussian') =>
  numberField({
    name,
    allowed: 'a number above 0',
    example: '6',
    inRange: (value) => value.gt(0),
    description: `The ${name === 'laplace' ? 'scale of Laplace noise' : 'standard deviation of Gaussian noise'}: a JSON number or a decimal string, above 0.`,
    range: { exclusiveMinimum: 0 },
    pattern: NO_SIGN,
  });

const LONGEST = 200;

/** A name: text that is not empty. */
export const nameField = (what: string, example: string) =>
  z
    .pipe(
      z.unknown(),
      z.transform((value, context): string => {
        if (typeof value === 'string' && value !== '' && value.length <= LONGEST) return value;
        const allowed = `${what}, in 1 to ${LONGEST} characters`;
        const missing = value === undefined;
        context.issues.push(
          issueOf(
            {
              code: missing ? 'missing-key' : 'wrong-type',
              message: missing ? `${what} is missing` : `this must be ${allowed}, got ${describe(value)}`,
              hint: `Write a name such as "${example}".`,
            },
            value,
          ),
        );
        return z.NEVER;
      }),
    )
    .register(published, {
      type: 'string',
      minLength: 1,
      maxLength: LONGEST,
      description: `${what[0]?.toUpperCase()}${what.slice(1)}.`,
    });
