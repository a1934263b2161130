import * as z from 'zod/mini';
import { LARGEST_EPSILON, LEAST_DELTA } from '../../bounds/closed-form/gaussian-noise.ts';
import { Decimal } from '../../numeric/decimal.ts';
import type { Rational } from '../../numeric/rational.ts';
import * as of from '../../privacy/mechanisms/parameters.ts';
import type { NumberField, RationalField } from '../../privacy/mechanisms/parameters.ts';
import { readRational, readRounded, WRITE_DIGITS, type NumberTrouble } from './decimal-text.ts';
import type { Problem } from './input-error.ts';
import { NumberText } from './number-text.ts';
import { describe } from './quote.ts';

/** A piece of JSON Schema. */
export type SchemaFragment = Readonly<Record<string, unknown>>;

/** The parts of the published JSON Schema that zod alone cannot give: numbers as text, keys that exclude each other. */
export const published = z.registry<SchemaFragment>();

/** Names of definitions in published schemas. */
export const named = z.registry<{ readonly id: string }>();

/** The numbers that schemas read: what they are, for forms in which people write them. */
export const numbers = z.registry<Pick<NumberField, 'name' | 'about' | 'allowed' | 'example'>>();

/** Raises `problem` in a zod check or transform; `path` leads from the value at hand. */
export function issueOf(problem: Problem, input: unknown, path: (string | number)[] = []) {
  return { code: 'custom' as const, input, path, params: { problem }, continue: true };
}

/** A value that `read` takes of whatever stands there, or what is wrong with it. */
export const valueRead = <T>(read: (value: unknown) => { readonly value: T } | { readonly problem: Problem }) =>
  // The pipe makes the key required: a transform alone counts as optional.
  z.pipe(
    z.unknown(),
    z.transform((value, context): T => {
      const reading = read(value);
      if ('value' in reading) return reading.value;
      context.issues.push(issueOf(reading.problem, value));
      return z.NEVER;
    }),
  );

const UNSIGNED = '([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?';
/** A quotient of whole numbers. */
const QUOTIENT_PATTERN = '^[0-9]+/0*[1-9][0-9]*$';
const ANY_SIGN = `^[+-]?${UNSIGNED}$`;
/** A minus sign may only stand before zero. */
const NO_SIGN = `^(\\+?${UNSIGNED}|-(0+\\.?0*|\\.0+)([eE][+-]?[0-9]+)?)$`;

/** Words for numbers without limit, which go by one of them in each place. */
const ENDLESS = ['any', 'unbounded', 'unlimited', 'infinite', 'infinity', 'inf', 'all', 'none', '*'];

/** A value to write: `Write a whole number such as 1000, or "unbounded".` */
function valueHint({ allowed, example, isWhole, word }: NumberField, text: string | null): string {
  if (word === undefined) return isWhole === true ? `Write ${allowed}, such as ${example}.` : WRITE_DIGITS;
  const meant = text !== null && ENDLESS.includes(text.trim().toLowerCase()) ? `Did you mean "${word}"? ` : '';
  return `${meant}Write a ${isWhole === true ? 'whole number' : 'number'} such as ${example}, or "${word}".`;
}

/** Whether what is wrong with a text says nothing of its field. */
const isUnspecific = ({ code, hint }: NumberTrouble, { isWhole, word }: NumberField): boolean =>
  hint === WRITE_DIGITS ||
  (code === 'not-finite' && word !== undefined) ||
  (isWhole === true && hint.includes('quotient'));

/** How a text is read as a number, and what to write in place of one that is none, of another value, and of another number. */
interface Reading<N> {
  readonly read: (text: string) => N | NumberTrouble;
  readonly contains: (number: N) => boolean;
  readonly insteadOf: {
    readonly text: (trouble: NumberTrouble, quoted: string | null) => string;
    readonly value: string;
    readonly number: string;
  };
}

/** The number that a value is, or what is wrong with it. */
function numberIn<N extends Decimal | Rational>(
  { name, allowed, example, isWhole = false }: Pick<NumberField, 'name' | 'allowed' | 'example' | 'isWhole'>,
  value: unknown,
  { read, contains, insteadOf }: Reading<N>,
): N | Problem {
  if (value === undefined) {
    const hint = `Add ${name}, such as ${example}.`;
    return { code: 'missing-key', message: `${name} is missing; it must be ${allowed}`, hint };
  }
  const but = (rule: string): string => `${name} must be ${rule}, got ${describe(value)}`;
  const [text, quoted] = value instanceof NumberText ? [value.text, null] : [value, value];
  if (typeof text !== 'string') return { code: 'wrong-type', message: but(allowed), hint: insteadOf.value };
  const number = read(text);
  if ('hint' in number) {
    const hint = insteadOf.text(number, quoted === null ? null : text);
    return { code: number.code, message: but(number.allowed ?? allowed), hint };
  }
  if (contains(number)) return number;
  const code = isWhole && Decimal.isDecimal(number) && !number.isInteger() ? 'not-whole' : 'out-of-range';
  return { code, message: but(allowed), hint: insteadOf.number };
}

/** The number that a value of a document is in a field of decimals, or what is wrong with it. */
function readNumber(field: NumberField, value: unknown): Decimal | Problem {
  const { allowed, example, isWhole = false, word, rounds, contains } = field;
  const inRange = `Write ${allowed}, such as ${example}.`;
  return numberIn<Decimal>(field, value, {
    read: (text) => readRounded(text, rounds),
    contains,
    insteadOf: {
      text: (trouble, quoted) => (isUnspecific(trouble, field) ? valueHint(field, quoted) : trouble.hint),
      value:
        isWhole || word !== undefined
          ? valueHint(field, null)
          : `Write a number or a decimal in double quotes, such as ${example}.`,
      number: word === undefined ? inRange : valueHint(field, null),
    },
  });
}

/** A quotient with a sign, of which no field takes any. */
const NEGATIVE = /^-\d+\/\d*[1-9]\d*$/;

/** The exact number that a value of a document is, or what is wrong with it. */
export function readRationalField(
  field: Pick<RationalField, 'name' | 'allowed' | 'example' | 'contains'>,
  value: unknown,
): Rational | Problem {
  const inRange = `Write ${field.allowed}, such as ${field.example}.`;
  return numberIn<Rational>(field, value, {
    read: (text) => (NEGATIVE.test(text) ? { code: 'out-of-range', hint: inRange } : readRational(text)),
    contains: field.contains,
    insteadOf: { text: ({ hint }) => hint, value: inRange, number: inRange },
  });
}

/** The number that a value of a document is in a field of decimals, or what is wrong with it. */
export const readNumberField = (field: NumberField, value: unknown) => numberOrProblem(readNumber(field, value));

const numberOrProblem = <N extends Decimal | Rational>(number: N | Problem) =>
  'hint' in number ? { problem: number } : { value: number };

const schemaOf = (field: NumberField) =>
  valueRead((value) => numberOrProblem(readNumber(field, value)))
    .register(numbers, field)
    .register(published, { description: described(field), anyOf: formsOf(field) });

const schemas = new WeakMap<NumberField, ReturnType<typeof schemaOf>>();

/** A number, or the same as text: one schema for each field, to which published schemas refer. */
export function numberField(field: NumberField) {
  const schema = schemas.get(field) ?? schemaOf(field);
  schemas.set(field, schema);
  return schema;
}

/** A number, a decimal as text, or a quotient of whole numbers as text. */
export const rationalField = (field: RationalField) =>
  valueRead((value) => numberOrProblem(readRationalField(field, value)))
    .register(numbers, field)
    .register(published, {
      description: `${field.about}: a JSON number, a decimal string, or a quotient of whole numbers such as "1/10".`,
      anyOf: [
        { type: 'number', ...field.schema },
        { type: 'string', pattern: NO_SIGN },
        { type: 'string', pattern: QUOTIENT_PATTERN },
      ],
    });

/** A number, or a word in its place, which stands for a value. */
export function orValue<V>(field: NumberField, word: string, meant: V) {
  const either: NumberField = { ...field, allowed: `${field.allowed}, or "${word}"`, word };
  return valueRead<Decimal | V>((value) =>
    value === word ? { value: meant } : numberOrProblem(readNumber(either, value)),
  )
    .register(numbers, either)
    .register(published, {
      anyOf: [...formsOf(field), { const: word }],
      description: `${rangeInWords(field)}; or "${word}".`,
    });
}

/** A number, or a word in its place. */
export const orWord = <W extends string>(field: NumberField, word: W) => orValue(field, word, word);

/** The forms of a number in JSON Schema; text has a sign only where numbers below 0 are taken. */
function formsOf({ schema, isWhole, rounds }: NumberField): SchemaFragment[] {
  return [
    { type: isWhole === true ? 'integer' : 'number', ...schema },
    { type: 'string', pattern: (schema.exclusiveMinimum ?? schema.minimum ?? -1) < 0 ? ANY_SIGN : NO_SIGN },
    ...(rounds === undefined ? [] : [{ type: 'string', pattern: QUOTIENT_PATTERN }]),
  ];
}

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
function described(field: NumberField): string {
  const rounded = `A quotient of whole numbers such as "1/11" is rounded ${field.rounds} at 60 digits.`;
  return field.rounds === undefined ? `${rangeInWords(field)}.` : `${rangeInWords(field)}. ${rounded}`;
}

export const epsilon = numberField(of.EPSILON);
export const delta = numberField(of.DELTA);
export const rho = numberField(of.RHO);
export const mu = numberField(of.MU);
export const alpha = numberField(of.ORDER);
export const scale = numberField(of.SCALE);
export const sigma = numberField(of.SIGMA);
export const noiseMultiplier = numberField(of.NOISE_MULTIPLIER);
export const sensitivity = numberField(of.SENSITIVITY);
export const wholeSensitivity = numberField(of.WHOLE_SENSITIVITY);
export const count = numberField(of.COUNT);

const fieldOf = (...number: Parameters<typeof of.numberOf>) => numberField(of.numberOf(...number));

export const distance = fieldOf(
  of.ABOVE_ZERO,
  'distance',
  'The distance between the data sets, in neighboring steps',
  '1',
  'up',
);

export const advantage = fieldOf(
  of.PROBABILITY,
  'max-advantage',
  'The largest advantage in distinguishing neighboring data sets',
  '0.2',
  'down',
);
export const truePositiveRate = fieldOf(of.PROBABILITY, 'most', 'At most this true-positive rate', '0.05', 'down');
export const falsePositiveRate = fieldOf(of.PROPER_FRACTION, 'at', 'The false-positive rate of a test', '0.01', 'up');

export const targetDelta = fieldOf(of.PROBABILITY, 'delta', 'Solve for epsilon at this delta', '1e-6', 'down');
export const targetEpsilon = fieldOf(of.ANY_NUMBER, 'epsilon', 'Solve for delta at this epsilon', '1', 'down');

/** The epsilon and the delta for which the sigma of Gaussian noise is computed. */
export const noiseEpsilon = fieldOf(
  of.numbersFrom(0, LARGEST_EPSILON),
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
