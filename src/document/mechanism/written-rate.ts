import { Rational } from '../../numeric/rational.ts';
import { MOST_OWN_RATES, RATE } from '../../privacy/mechanisms/parameters.ts';
import { readRationalField } from '../core/fields.ts';
import type { Problem } from '../core/input-error.ts';

export type Read<T> = { readonly value: T } | { readonly problem: Problem };

/** A rate; those of the records of one person, the largest first; or a word that is refused. */
export type WrittenRate = Rational | readonly Rational[] | 'adaptive';

/** The rates of the records of one person, if they differ; else one of them. */
function readRates(list: readonly unknown[]): Read<WrittenRate> {
  const rates: Rational[] = [];
  for (const value of list) {
    const number = readRationalField(RATE, value);
    if (!(number instanceof Rational)) return { problem: number };
    rates.push(number);
  }
  rates.sort((a, b) => b.compare(a));
  const [first, last] = [rates[0], rates.at(-1)];
  if (first === undefined || rates.length === 1 || rates.length > MOST_OWN_RATES) {
    const message = `a list of rates has one for each record of a person, 2 to ${MOST_OWN_RATES}, got ${rates.length}`;
    const hint = 'Write the largest rate, and records: how many records one person has at most.';
    return { problem: { code: 'out-of-range', message, hint } };
  }
  if (last!.isZero() || first.equals(Rational.ONE)) {
    const message = `rates in a list must be above 0 and below 1, got ${(last!.isZero() ? last! : first).toString()}`;
    const hint = 'Leave out records that are never drawn; if one always is, write the rate 1, and records.';
    return { problem: { code: 'out-of-range', message, hint } };
  }
  return { value: rates };
}

export function readRate(value: unknown): Read<WrittenRate> {
  if (value === 'adaptive') return { value };
  if (Array.isArray(value)) return readRates(value);
  if (typeof value === 'string' && value.includes(';')) return readRates(value.split(';').map((text) => text.trim()));
  const number = readRationalField(RATE, value);
  return number instanceof Rational ? { value: number } : { problem: number };
}

const ONE_RATE = [{ type: 'number', minimum: 0, maximum: 1 }, { type: 'string' }];
export const RATE_SCHEMA = {
  description:
    'The probability that a record is in the sample, from 0 to 1: a number, a decimal string or a quotient such as "256/60000"; or a list, one for each record of a person.',
  anyOf: [...ONE_RATE, { type: 'array', items: { anyOf: ONE_RATE }, minItems: 2, maxItems: MOST_OWN_RATES }],
};
