import * as z from 'zod/mini';
import { LARGEST_EPSILON, LEAST_DELTA } from '../../bounds/closed-form/gaussian-noise.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { readDecimal, readRounded, WRITE_DIGITS, type NumberTrouble } from './decimal-text.ts';
import type { Problem } from './input-error.ts';
import { NumberText } from './number-text.ts';
import { describe } from './quote.ts';
import {
  ABOVE_ONE,
  ABOVE_ZERO,
  ANY_NUMBER,
  AT_LEAST_ZERO,
  DISCRETE_SIGMA,
  numbersFrom,
  PROBABILITY,
  PROPER_FRACTION,
  WHOLE_SENSITIVITY,
  wholeNumbers,
  type Range,
} from './ranges.ts';

/** A piece of JSON Schema. */
export type SchemaFragment = Readonly<Record<string, unknown>>;

/** The parts of the published JSON Schema that zod alone cannot give: numbers as text, keys that exclude each other. */
export const published = z.registry<SchemaFragment>();

/** Raises `problem` in a zod check or transform; `path` leads from the value at hand. */
export function issueOf(problem: Problem, input: unknown, path: (string | number)[] = []) {
  return { code: 'custom' as const, input, path, params: { problem }, continue: true };
}

/** A number that a document may hold. */
export interface NumberField extends Range {
  readonly name: string;
  readonly example: string;
  /** What it is, before the range. */
  readonly about: string;
  /** The side of less privacy, to which a quotient that is no short decimal is rounded; absent: no quotient is taken. */
  readonly rounds?: 'down' | 'up';
  /** A word that may stand in its place. */
  readonly word?: string;
}

const UNSIGNED = '([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?';
/** A quotient of whole numbers. */
export const QUOTIENT_PATTERN = '^[0-9]+/0*[1-9][0-9]*$';
const ANY_SIGN = `^[+-]?${UNSIGNED}$`;
/** A minus sign may only stand before zero. */
export const NO_SIGN = `^(\\+?${UNSIGNED}|-(0+\\.?0*|\\.0+)([eE][+-]?[0-9]+)?)$`;

/** Words for numbers without limit, which go by one of them in each place. */
const ENDLESS = ['any', 'unbounded', 'unlimited', 'infinite', 'infinity', 'inf', 'all', 'none', '*'];

/** A value to write: `Write a whole number such as 1000, or "unbounded".` */
function written({ allowed, example, isWhole, word }: NumberField, text: string | null): string {
  if (word === undefined) return isWhole === true ? `Write ${allowed}, such as ${example}.` : WRITE_DIGITS;
  const meant = text !== null && ENDLESS.includes(text.trim().toLowerCase()) ? `Did you mean "${word}"? ` : '';
  return `${meant}Write a ${isWhole === true ? 'whole number' : 'number'} such as ${example}, or "${word}".`;
}

/** Whether what is wrong with a text says nothing of its field. */
const isUnspecific = ({ code, hint }: NumberTrouble, { isWhole, word }: NumberField): boolean =>
  hint === WRITE_DIGITS ||
  (code === 'not-finite' && word !== undefined) ||
  (isWhole === true && hint.includes('quotient'));

/** The problem of a number field with a value, or the number it is. */
function readNumber(field: NumberField, value: unknown): Decimal | Problem {
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
        field.isWhole === true || field.word !== undefined
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
  if (field.contains(number)) return number;
  const whole = field.isWhole !== true || number.isInteger();
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

/** The forms of a number in JSON Schema; text has a sign only where numbers below 0 are taken. */
const formsOf = ({ schema, isWhole, rounds }: NumberField): SchemaFragment[] => [
  { type: isWhole === true ? 'integer' : 'number', ...schema },
  { type: 'string', pattern: Object.keys(schema).length === 0 ? ANY_SIGN : NO_SIGN },
  ...(rounds === undefined ? [] : [{ type: 'string', pattern: QUOTIENT_PATTERN }]),
];

/** `The scale of Laplace noise: a JSON number or a decimal string, above 0`. */
function rangeInWords({ about, allowed, isWhole }: NumberField): string {
  const range = allowed
    .replace(/^a (?:whole )?number ?(?:of )?/, '')
    .replace(String(Number.MAX_SAFE_INTEGER), '2^53 - 1')
    .replace('e+', 'e');
  if (isWhole === true) return `${about}: a whole number (or the same as a string) ${range}`;
  return `${about}: a JSON number or a decimal string${range === '' ? '' : `, ${range}`}`;
}

/** What a number is, and how a quotient is taken. */
const described = (field: NumberField): string =>
  field.rounds === undefined
    ? `${rangeInWords(field)}.`
    : `${rangeInWords(field)}. A quotient of whole numbers such as "1/11" is rounded ${field.rounds} at 60 digits.`;

type Side = NumberField['rounds'];

const fieldOf = (range: Range, name: string, about: string, example: string, rounds?: Side | null) =>
  numberField({ ...range, name, about, example, ...(rounds && { rounds }) });

const atLeastZero = (name: string, about: string, example: string) =>
  fieldOf(AT_LEAST_ZERO, name, about, example, 'up');

const aboveZero = (name: string, about: string, example: string, rounds: Side = 'down') =>
  fieldOf(ABOVE_ZERO, name, about, example, rounds);

const probability = (name: string, about: string, example = '1e-6', rounds: Side | null = 'up') =>
  fieldOf(PROBABILITY, name, about, example, rounds);

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

export const ALPHA: NumberField = { ...ABOVE_ONE, name: 'alpha', rounds: 'down', example: '2', about: 'A Renyi order' };
export const alpha = numberField(ALPHA);

export const distance = aboveZero('distance', 'How far apart neighbouring data may be', '1', 'up');

export const advantage = probability(
  'max-advantage',
  'At most this advantage of telling neighbouring data apart',
  '0.2',
  'down',
);
export const truePositiveRate = probability('most', 'At most this true-positive rate', '0.05', 'down');
export const falsePositiveRate = fieldOf(PROPER_FRACTION, 'at', 'The false-positive rate of a test', '0.01', 'up');

export const targetDelta = probability('delta', 'Solve for epsilon at this delta', '1e-6', 'down');
export const targetEpsilon = fieldOf(ANY_NUMBER, 'epsilon', 'Solve for delta at this epsilon', '1', 'down');

/** The epsilon and the delta for which the sigma of Gaussian noise is computed. */
export const noiseEpsilon = fieldOf(
  numbersFrom(0, LARGEST_EPSILON),
  'epsilon',
  'The epsilon for which sigma is computed',
  '1',
  'up',
);

export const noiseDelta = numberField({
  name: 'delta',
  rounds: 'up',
  allowed: `a number from ${LEAST_DELTA.toString()} and below 1`,
  example: '1e-6',
  contains: (value) => value.gte(LEAST_DELTA) && value.lt(1),
  about: 'The delta for which sigma is computed',
  schema: { minimum: 1e-150, exclusiveMaximum: 1 },
});

export const wholeSensitivity = fieldOf(
  WHOLE_SENSITIVITY,
  'sensitivity',
  'How far one person can move the whole-numbered statistic',
  '1',
);

export const discreteSigma = fieldOf(
  DISCRETE_SIGMA,
  'sigma',
  'The parameter sigma of discrete Gaussian noise',
  '4',
  'down',
);

export const typeOneError = probability('alpha', 'The type I error of a test', '0.25', 'down');
export const typeTwoError = probability('beta', 'The smallest type II error at this type I error', '0.25', 'down');

/** No quotient, as all of them sum to exactly 1. */
export const probabilityOfOutcome = probability('each probability', 'The probability of one outcome', '0.5', null);

export const count = fieldOf(wholeNumbers(1), 'count', 'How many mechanisms of this kind', '100');

/** A number, or a word in its place, which stands for a value. */
export function orValue<V>(field: NumberField, word: string, meant: V) {
  const described: NumberField = { ...field, allowed: `${field.allowed}, or "${word}"`, word };
  return z
    .pipe(
      z.unknown(),
      z.transform((value, context): Decimal | V => {
        if (value === word) return meant;
        const number = readNumber(described, value);
        if (Decimal.isDecimal(number)) return number;
        context.issues.push(issueOf(number, value));
        return z.NEVER;
      }),
    )
    .register(published, {
      anyOf: [...formsOf(field), { const: word }],
      description: `${rangeInWords(field)}; or "${word}".`,
    });
}

/** A number, or a word in its place. */
export const orWord = <W extends string>(field: NumberField, word: W) => orValue(field, word, word);
