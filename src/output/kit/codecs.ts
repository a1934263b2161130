import type { Decimal } from '../../numeric/decimal.ts';
import type { Query } from '../../privacy/curve.ts';
import type { ExactForm } from '../../document/structure/normal-form.ts';
import { described, from, is, object, oneOf, plain, type Codec } from './codec.ts';
import { bracketOf } from './number.ts';
import { jsonBound, jsonDecimal, jsonMembers, jsonNumber, type Side } from './json-value.ts';

/** A double as a program reads it. */
export type ReadNumber = number | 'Infinity' | '-Infinity';

export const TEXT = plain<string>({ type: 'string' });
export const TEXT_OR_NULL = plain<string | null>({ type: ['string', 'null'] });
export const FLAG = plain<boolean>({ type: 'boolean' });
export const NULL = plain<null>({ type: 'null' });

/** A whole number from a least one. */
export const whole = (minimum: number): Codec<number, number> => plain({ type: 'integer', minimum });

export const COUNT = whole(0);

const NUMBER_FORMS = [{ type: 'number' }, { enum: ['Infinity', '-Infinity'] }];

/** A double; infinities are spelled out. */
export const NUMBER: Codec<number, ReadNumber> = {
  schema: { anyOf: NUMBER_FORMS },
  encode: jsonNumber,
  fits: (value) => typeof value === 'number',
};

/** The double nearest to a decimal. */
export const NEAREST = from(NUMBER, (value: Decimal) => value.toNumber());

/** A decimal that was given, or is to be given, with all its digits. */
export const GIVEN: Codec<Decimal, number> = { schema: { type: 'number' }, encode: jsonDecimal };

/** A double that is finite. */
export const FINITE: Codec<number, number> = { schema: { type: 'number' }, encode: jsonNumber };

/** The double nearest to a decimal that was given. */
export const NEAREST_GIVEN = from(FINITE, (value: Decimal) => value.toNumber());

/** An end of an enclosure: a double, rounded outward also as it is written. */
const boundOn = (side: Side): Codec<number, ReadNumber> => ({ ...NUMBER, encode: (value) => jsonBound(value, side) });
export const LOWER = boundOn('down');
export const UPPER = boundOn('up');

/** The same, or null where none is known. */
const LOWER_OR_NULL: Codec<number | null, ReadNumber | null> = {
  schema: { anyOf: [...NUMBER_FORMS, { type: 'null' }] },
  encode: (value) => (value === null ? null : LOWER.encode(value)),
};

/** `upper` is the safe claim, `lower` certain for any claim, null if none is known. */
export const BRACKET = object({ lower: LOWER_OR_NULL, upper: UPPER });

/** Both ends are certain. */
export const ENCLOSURE = object({ lower: LOWER, upper: UPPER });

/** Doubles on both sides of an interval of decimals. */
export const INTERVAL = from(ENCLOSURE, bracketOf);

/** A privacy budget, with all digits. */
export const BUDGET = object({ epsilon: GIVEN, delta: GIVEN });

/** A message with a stable code. */
export const NOTICE = object({ code: TEXT, message: TEXT });

/** An object of which the schema says nothing more, its numbers with all their digits. */
export const FORM: Codec<ExactForm, Readonly<Record<string, unknown>>> = {
  schema: { type: 'object' },
  encode: jsonMembers,
};

/** A specification. */
export const INPUT = described('The specification in normal form.', FORM);

/** A query in JSON, with a double for the given value. */
export const ASKED = oneOf(
  object({ solveFor: is('epsilon'), delta: FINITE }),
  object({ solveFor: is('delta'), epsilon: FINITE }),
);

/** A query: which of epsilon and delta is solved for, and the given value of the other. */
export const askedAt = <Value>(
  solveFor: Query['solveFor'],
  parameter: Value,
): { readonly solveFor: 'epsilon'; readonly delta: Value } | { readonly solveFor: 'delta'; readonly epsilon: Value } =>
  solveFor === 'epsilon' ? { solveFor, delta: parameter } : { solveFor, epsilon: parameter };

/** A query, its given value rounded to the nearest double. */
export const QUERY = from(ASKED, (query: Query) =>
  askedAt(query.solveFor, (query.solveFor === 'epsilon' ? query.delta : query.epsilon).toNumber()),
);
