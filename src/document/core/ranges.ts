import type { Decimal } from '../../numeric/decimal.ts';
import {
  LARGEST_DISCRETE_SIGMA,
  LARGEST_WHOLE_SENSITIVITY,
  SMALLEST_DISCRETE_SIGMA,
} from '../../privacy/mechanisms/record.ts';

/** The numbers that a parameter takes, wherever it is given: in a document, an option or an argument of the library. */
export interface Range {
  /** `a number of at least 0`, after "must be". */
  readonly allowed: string;
  readonly contains: (value: Decimal) => boolean;
  /** The same in JSON Schema, for numbers that are written as numbers. */
  readonly schema: Readonly<Record<string, number>>;
  readonly isWhole?: boolean;
}

export const ANY_NUMBER: Range = { allowed: 'a number', contains: () => true, schema: {} };

export const AT_LEAST_ZERO: Range = {
  allowed: 'a number of at least 0',
  contains: (value) => value.gte(0),
  schema: { minimum: 0 },
};

export const ABOVE_ZERO: Range = {
  allowed: 'a number above 0',
  contains: (value) => value.gt(0),
  schema: { exclusiveMinimum: 0 },
};

export const ABOVE_ONE: Range = {
  allowed: 'a number above 1',
  contains: (value) => value.gt(1),
  schema: { exclusiveMinimum: 1 },
};

/** Above 0 and below 1. */
export const PROPER_FRACTION: Range = {
  allowed: 'a number above 0 and below 1',
  contains: (value) => value.gt(0) && value.lt(1),
  schema: { exclusiveMinimum: 0, exclusiveMaximum: 1 },
};

/** Numbers, both ends included. */
export const numbersFrom = (least: Decimal | number | string, most: Decimal | number | string): Range => ({
  allowed: `a number from ${least.toString()} to ${most.toString()}`,
  contains: (value) => value.gte(least) && value.lte(most),
  schema: { minimum: Number(least), maximum: Number(most) },
});

/** Probabilities, both ends included. */
export const PROBABILITY = numbersFrom(0, 1);

/** Whole numbers, both ends included. */
export const wholeNumbers = (least: number, most: number = Number.MAX_SAFE_INTEGER): Range => ({
  allowed: `a whole number from ${least} to ${most}`,
  contains: (value) => value.isInteger() && value.gte(least) && value.lte(most),
  schema: { minimum: least, maximum: most },
  isWhole: true,
});

/** The sensitivity of a whole-numbered statistic. */
export const WHOLE_SENSITIVITY = wholeNumbers(0, LARGEST_WHOLE_SENSITIVITY);

/** The sigma of discrete Gaussian noise. */
export const DISCRETE_SIGMA = numbersFrom(SMALLEST_DISCRETE_SIGMA, LARGEST_DISCRETE_SIGMA);
