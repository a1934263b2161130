import * as z from 'zod/mini';
import { Rational } from '../../numeric/rational.ts';
import { readRational } from './decimal-text.ts';
import { issueOf, NO_SIGN, published, QUOTIENT_PATTERN, type SchemaFragment } from './fields.ts';
import type { Problem } from './input-error.ts';
import { NumberText } from './number-text.ts';
import { describe } from './quote.ts';

/** An exact number that a document may hold: a number, or text such as "1/10". */
export interface RationalField {
  readonly name: string;
  /** `a number above 0`, as error messages say it. */
  readonly allowed: string;
  readonly example: string;
  readonly inRange: (value: Rational) => boolean;
  readonly description: string;
  /** The range in JSON Schema, for numbers that are written as numbers. */
  readonly range: SchemaFragment;
}

/** A quotient with a sign, of which no field takes any. */
const NEGATIVE = /^-\d+\/\d*[1-9]\d*$/;

/** The number that a value of a document is; a problem where it is none, or out of range. */
export function readRationalField(
  { name, allowed, example, inRange }: Pick<RationalField, 'name' | 'allowed' | 'example' | 'inRange'>,
  value: unknown,
): Rational | Problem {
  const hint = `Write ${allowed}, such as ${example}.`;
  if (value === undefined) {
    return {
      code: 'missing-key',
      message: `${name} is missing; it must be ${allowed}`,
      hint: `Add ${name}, such as ${example}.`,
    };
  }
  if (typeof value !== 'string' && !(value instanceof NumberText)) {
    return { code: 'wrong-type', message: `${name} must be ${allowed}, got ${describe(value)}`, hint };
  }
  const text = typeof value === 'string' ? value : value.text;
  if (NEGATIVE.test(text)) {
    return { code: 'out-of-range', message: `${name} must be ${allowed}, got ${describe(value)}`, hint };
  }
  const number = readRational(text);
  if ('code' in number) {
    const message = `${name} must be ${number.allowed ?? allowed}, got ${describe(value)}`;
    return { code: number.code, message, hint: number.hint };
  }
  if (inRange(number)) return number;
  return { code: 'out-of-range', message: `${name} must be ${allowed}, got ${describe(value)}`, hint };
}

/** A number, a decimal as text, or a quotient of whole numbers as text. */
export function rationalField(field: RationalField) {
  return z
    .pipe(
      z.unknown(),
      z.transform((value, context): Rational => {
        const number = readRationalField(field, value);
        if (number instanceof Rational) return number;
        context.issues.push(issueOf(number, value));
        return z.NEVER;
      }),
    )
    .register(published, {
      description: `${field.description}: a JSON number, a decimal string, or a quotient of whole numbers such as "1/10".`,
      anyOf: [
        { type: 'number', ...field.range },
        { type: 'string', pattern: NO_SIGN },
        { type: 'string', pattern: QUOTIENT_PATTERN },
      ],
    });
}
