import * as z from 'zod/mini';
import { issueOf, numberField, orWord, published, type NumberField } from '../core/fields.ts';
import { describe } from '../core/quote.ts';
import { ABOVE_ZERO, AT_LEAST_ZERO, wholeNumbers } from '../core/ranges.ts';

const atLeastZero = (name: string, example: string, about: string): NumberField => ({
  ...AT_LEAST_ZERO,
  name,
  example,
  about,
});

const wholeNumber = (name: string, about: string): NumberField => ({ ...wholeNumbers(1), name, example: '1', about });

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
    ...ABOVE_ZERO,
    name,
    example: '6',
    about: `The ${name === 'laplace' ? 'scale of Laplace noise' : 'standard deviation of Gaussian noise'}`,
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
