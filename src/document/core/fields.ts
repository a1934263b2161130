import * as z from 'zod/mini';
import { LARGEST_EPSILON, LEAST_DELTA } from '../../bounds/closed-form/gaussian-noise.ts';
import { Decimal } from '../../numeric/decimal.ts';
import {
  LARGEST_DISCRETE_SIGMA,
  LARGEST_WHOLE_SENSITIVITY,
  SMALLEST_DISCRETE_SIGMA,
} from '../../privacy/mechanisms/record.ts';
import { readDecimal, WRITE_DIGITS, type NumberTrouble } from './decimal-text.ts';
import { readRounded } from './rational-text.ts';
import { describe } from './quote.ts';
import { NumberText } from './number-text.ts';
import type { Problem } from './input-error.ts';

/** A piece of JSON Schema. */
export type SchemaFragment = Readonly<Record<string, unknown>>;

/** The parts of the published JSON Schema that zod alone cannot give: numbers as text, keys that exclude each other. */
export const published = z.registry<SchemaFragment>();

/** Raises `problem` in a zod check or transform; `path` leads from the value at hand. */
export function issueOf(problem: Problem, input: unknown, path: (string | number)[] = []) {
  return { code: 'custom' as const, input, path, params: { problem }, continue: true };
}

/** A number that a document may hold. */
export interface NumberField {
  readonly name: string;
  /** `a number of at least 0`, as error messages say it. */
  readonly allowed: string;
  readonly example: string;
  readonly inRange: (value: Decimal) => boolean;
  readonly description: string;
  /** The range in JSON Schema, for numbers that are written as numbers. */
  readonly range: SchemaFragment;
  /** Numbers that are written as text. */
  readonly pattern: string;
  readonly whole?: boolean;
  /** The side of less privacy, to which a quotient that is no short decimal is rounded; absent: no quotient is taken. */
  readonly rounds?: 'down' | 'up';
  /** A word that may stand in its place. */
  readonly word?: string;
}

const ONE = new Decimal(1);
const LARGEST_COUNT = new Decimal(Number.MAX_SAFE_INTEGER);
const UNSIGNED = '([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?';
/** A quotient of whole numbers. */
export const QUOTIENT_PATTERN = '^[0-9]+/0*[1-9][0-9]*$';
const ANY_SIGN = `^[+-]?${UNSIGNED}$`;
/** A minus sign may only stand before zero. */
export const NO_SIGN = `^(\\+?${UNSIGNED}|-(0+\\.?0*|\\.0+)([eE][+-]?[0-9]+)?)$`;

/** Words for numbers without limit, which go by one of them in each place. */
const ENDLESS = ['any', 'unbounded', 'unlimited', 'infinite', 'infinity', 'inf', 'all', 'none', '*'];

/** A value to write: `Write a whole number such as 1000, or "unbounded".` */
function written({ allowed, example, whole, word }: NumberField, text: string | null): string {
  if (word === undefined) return whole === true ? `Write ${allowed}, such as ${example}.` : WRITE_DIGITS;
  const meant = text !== null && ENDLESS.includes(text.trim().toLowerCase()) ? `Did you mean "${word}"? ` : '';
  return `${meant}Write a ${whole === true ? 'whole number' : 'number'} such as ${example}, or "${word}".`;
}

/** Whether what is wrong with a text says nothing of its field. */
const isUnspecific = ({ code, hint }: NumberTrouble, { whole, word }: NumberField): boolean =>
  hint === WRITE_DIGITS ||
  (code === 'not-finite' && word !== undefined) ||
  (whole === true && hint.includes('quotient'));

/** The problem of a number field with a value, or the number it is. */
export function readNumber(field: NumberField, value: unknown): Decimal | Problem {
  const { name, allowed, example } = field;
  if (value === undefined) {
    return {
      code: 'missing-key',
      message: `${name} is missing; it must be ${allowed}`,
      hint: `Add ${name}, such as ${example}.`,
    };
  }
  if (typeof value !== 'string' && !(value instanceof NumberText)) {
    return {
      code: 'wrong-type',
      message: `${name} must be ${allowed}, got ${describe(value)}`,
      hint:
        field.whole === true || field.word !== undefined
          ? written(field, null)
          : `Write a number or a decimal in double quotes, such as ${example}.`,
    };
  }
  const text = typeof value === 'string' ? value : value.text;
  const number = field.rounds === undefined ? readDecimal(text) : readRounded(text, field.rounds);
  if ('code' in number) {
    return {
      code: number.code,
      message: `${name} must be ${number.allowed ?? allowed}, got ${describe(value)}`,
      hint: isUnspecific(number, field) ? written(field, typeof value === 'string' ? value : null) : number.hint,
    };
  }
  if (field.inRange(number)) return number;
  const whole = field.whole !== true || number.isInteger();
  return {
    code: whole ? 'out-of-range' : 'not-whole',
    message: `${name} must be ${allowed}, got ${describe(value)}`,
    hint: field.word === undefined ? `Write ${allowed}, such as ${example}.` : written(field, null),
  };
}

/** A number, or the same as text. */
export function numberField(field: NumberField) {
  // The pipe makes the key required: a transform alone counts as optional.
  const schema = z.pipe(
    z.unknown(),
    z.transform((value, context): Decimal => {
      const number = readNumber(field, value);
      if (Decimal.isDecimal(number)) return number;
      context.issues.push(issueOf(number, value));
      return z.NEVER;
    }),
  );
  return schema.register(published, { description: described(field), anyOf: formsOf(field) });
}

/** The forms of a number in JSON Schema. */
export const formsOf = ({ range, pattern, whole, rounds }: NumberField): SchemaFragment[] => [
  { type: whole === true ? 'integer' : 'number', ...range },
  { type: 'string', pattern },
  ...(rounds === undefined ? [] : [{ type: 'string', pattern: QUOTIENT_PATTERN }]),
];

/** What a number is, and how a quotient is taken. */
const described = ({ description, rounds }: NumberField): string =>
  rounds === undefined
    ? description
    : `${description} A quotient of whole numbers such as "1/11" is rounded ${rounds} at 60 digits.`;

type Side = NumberField['rounds'];

const atLeastZero = (name: string, description: string, example: string, rounds: Side = 'up') =>
  numberField({
    name,
    rounds,
    allowed: 'a number of at least 0',
    example,
    inRange: (value) => !value.isNegative() || value.isZero(),
    description: `${description}: a JSON number or a decimal string, at least 0.`,
    range: { minimum: 0 },
    pattern: NO_SIGN,
  });

const aboveZero = (name: string, description: string, example: string, rounds: Side = 'down') =>
  numberField({
    name,
    rounds,
    allowed: 'a number above 0',
    example,
    inRange: (value) => value.isPositive() && !value.isZero(),
    description: `${description}: a JSON number or a decimal string, above 0.`,
    range: { exclusiveMinimum: 0 },
    pattern: NO_SIGN,
  });

const probability = (name: string, description: string, example = '1e-6', rounds: Side | null = 'up') =>
  numberField({
    name,
    ...(rounds && { rounds }),
    allowed: 'a number from 0 to 1',
    example,
    inRange: (value) => value.isZero() || (!value.isNegative() && value.lessThanOrEqualTo(ONE)),
    description: `${description}: a JSON number or a decimal string, from 0 to 1.`,
    range: { minimum: 0, maximum: 1 },
    pattern: NO_SIGN,
  });

export const epsilon = atLeastZero('epsilon', 'The privacy parameter epsilon', '0.1');
export const delta = probability('delta', 'The privacy parameter delta');
export const scale = aboveZero('scale', 'The scale of Laplace noise', '10');
export const sigma = aboveZero('sigma', 'The standard deviation of Gaussian noise', '4');
export const noiseMultiplier = aboveZero('noise-multiplier', 'sigma in units of the sensitivity', '1.1');
export const sensitivity = atLeastZero('sensitivity', 'How far one person can move the statistic', '1');
export const coefficient = atLeastZero('coefficient', 'The c of the weight exp(c u(x, y))', '0.1');
export const noiseScale = aboveZero('scale', 'The scale of the noise on each utility', '10');
export const utilityRange = atLeastZero(
  'range',
  'How far one person can move the difference between the utilities of two outcomes',
  '1',
);
export const utilitySensitivity = atLeastZero(
  'sensitivity',
  'How far one person can move the utility of an outcome',
  '1',
);
export const rho = atLeastZero('rho', 'The parameter of zero-concentrated differential privacy', '0.01');
export const mu = atLeastZero('mu', 'The parameter of Gaussian differential privacy', '0.5');

export const ALPHA: NumberField = {
  name: 'alpha',
  rounds: 'down',
  allowed: 'a number above 1',
  example: '2',
  inRange: (value) => value.greaterThan(ONE),
  description: 'A Renyi order: a JSON number or a decimal string, above 1.',
  range: { exclusiveMinimum: 1 },
  pattern: NO_SIGN,
};
export const alpha = numberField(ALPHA);

export const distance = aboveZero('distance', 'How far apart neighbouring data may be', '1', 'up');

export const advantage = probability(
  'max-advantage',
  'At most this advantage of telling neighbouring data apart',
  '0.2',
  'down',
);
export const truePositiveRate = probability('most', 'At most this true-positive rate', '0.05', 'down');
export const falsePositiveRate = numberField({
  name: 'at',
  rounds: 'up',
  allowed: 'a number above 0 and below 1',
  example: '0.01',
  inRange: (value) => value.greaterThan(0) && value.lessThan(ONE),
  description: 'The false-positive rate of a test: a JSON number or a decimal string, above 0 and below 1.',
  range: { exclusiveMinimum: 0, exclusiveMaximum: 1 },
  pattern: NO_SIGN,
});

export const targetDelta = probability('delta', 'Solve for epsilon at this delta', '1e-6', 'down');

export const targetEpsilon = numberField({
  name: 'epsilon',
  rounds: 'down',
  allowed: 'a number',
  example: '1',
  inRange: () => true,
  description: 'Solve for delta at this epsilon: a JSON number or a decimal string.',
  range: {},
  pattern: ANY_SIGN,
});

/** The epsilon and the delta for which the sigma of Gaussian noise is computed. */
export const noiseEpsilon = numberField({
  name: 'epsilon',
  rounds: 'up',
  allowed: `a number from 0 to ${LARGEST_EPSILON.toString()}`,
  example: '1',
  inRange: (value) => (!value.isNegative() || value.isZero()) && value.lessThanOrEqualTo(LARGEST_EPSILON),
  description: 'The epsilon for which sigma is computed: a JSON number or a decimal string, from 0 to 1e100.',
  range: { minimum: 0, maximum: 1e100 },
  pattern: NO_SIGN,
});

export const noiseDelta = numberField({
  name: 'delta',
  rounds: 'up',
  allowed: `a number from ${LEAST_DELTA.toString()} and below 1`,
  example: '1e-6',
  inRange: (value) => value.greaterThanOrEqualTo(LEAST_DELTA) && value.lessThan(ONE),
  description: 'The delta for which sigma is computed: a JSON number or a decimal string, from 1e-150 and below 1.',
  range: { minimum: 1e-150, exclusiveMaximum: 1 },
  pattern: NO_SIGN,
});

export const wholeSensitivity = numberField({
  name: 'sensitivity',
  allowed: `a whole number from 0 to ${LARGEST_WHOLE_SENSITIVITY}`,
  example: '1',
  whole: true,
  inRange: (value) => value.isInteger() && !value.lessThan(0) && value.lessThanOrEqualTo(LARGEST_WHOLE_SENSITIVITY),
  description: `How far one person can move the whole-numbered statistic: a whole number (or the same as a string) from 0 to ${LARGEST_WHOLE_SENSITIVITY}.`,
  range: { minimum: 0, maximum: LARGEST_WHOLE_SENSITIVITY },
  pattern: NO_SIGN,
});

/** The sigma of discrete Gaussian noise. */
export const DISCRETE_SIGMA: NumberField = {
  name: 'sigma',
  rounds: 'down',
  allowed: `a number from ${SMALLEST_DISCRETE_SIGMA} to ${LARGEST_DISCRETE_SIGMA}`,
  example: '4',
  inRange: (value) =>
    value.greaterThanOrEqualTo(SMALLEST_DISCRETE_SIGMA) && value.lessThanOrEqualTo(LARGEST_DISCRETE_SIGMA),
  description: `The parameter sigma of discrete Gaussian noise: a JSON number or a decimal string, from ${SMALLEST_DISCRETE_SIGMA} to ${LARGEST_DISCRETE_SIGMA}.`,
  range: { minimum: SMALLEST_DISCRETE_SIGMA, maximum: LARGEST_DISCRETE_SIGMA },
  pattern: NO_SIGN,
};

export const discreteSigma = numberField(DISCRETE_SIGMA);

export const typeOneError = probability('alpha', 'The type I error of a test', '0.25', 'down');
export const typeTwoError = probability('beta', 'The smallest type II error at this type I error', '0.25', 'down');

/** No quotient, as all of them sum to exactly 1. */
export const probabilityOfOutcome = probability('each probability', 'The probability of one outcome', '0.5', null);

export const count = numberField({
  name: 'count',
  allowed: `a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`,
  example: '100',
  whole: true,
  inRange: (value) => value.isInteger() && value.greaterThanOrEqualTo(ONE) && value.lessThanOrEqualTo(LARGEST_COUNT),
  description: 'How many mechanisms of this kind: a whole number (or the same as a string) from 1 to 2^53 - 1.',
  range: { minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  pattern: NO_SIGN,
});
