import * as z from 'zod/mini';
import { Decimal } from '../../numeric/decimal.ts';
import { formsOf, issueOf, published, readNumber, type NumberField } from './fields.ts';

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
      description: `${field.description.replace(/\.$/, '')}; or "${word}".`,
    });
}

/** A number, or a word in its place. */
export const orWord = <W extends string>(field: NumberField, word: W) => orValue(field, word, word);
