import type { Json } from '../kit/json-value.ts';

/** A JSON Schema document. */
export type JsonSchema = Readonly<Record<string, Json>>;

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** A published schema: its name in the `schema` field of what it describes is `dpcompose.NAME/VERSION`. */
export function published(name: string, description: string, body: JsonSchema): JsonSchema {
  return { $schema: DIALECT, $id: `urn:dpcompose:${name}:1`, title: `dpcompose.${name}/1`, description, ...body };
}

/** An object with these properties, all required unless named optional; more may be added within a version. */
export function record(properties: JsonSchema, optional: readonly string[] = []): JsonSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((key) => !optional.includes(key)),
  };
}

/** An array of such items. */
export const list = (items: Json): JsonSchema => ({ type: 'array', items });

export const TEXT: JsonSchema = { type: 'string' };

/** A double; infinities are spelled out. */
export const NUMBER: JsonSchema = { anyOf: [{ type: 'number' }, { enum: ['Infinity', '-Infinity'] }] };

/** A decimal that was given, or is to be given, with all its digits. */
export const GIVEN: JsonSchema = { type: 'number' };

/** The exact decimal behind a number beside it. */
export const DECIMAL_TEXT: JsonSchema = {
  type: 'string',
  pattern: '^(Infinity|\\d+(\\.\\d+)?(e[+-]?\\d+)?)$',
};

/** Amounts, those of more than 15 digits rounded to the side on which they stay true, and in `exact` their decimals. */
export const amounts = (...names: readonly string[]): JsonSchema => ({
  ...Object.fromEntries(names.map((name): [string, Json] => [name, NUMBER])),
  exact: record(Object.fromEntries(names.map((name) => [name, DECIMAL_TEXT]))),
});

/** `upper` is the safe claim, `lower` certain for any claim, null if none is known. */
export const BRACKET: JsonSchema = record({
  lower: { anyOf: [...(NUMBER.anyOf as Json[]), { type: 'null' }] },
  upper: NUMBER,
});

/** The same, or nothing where there is none. */
export const BRACKET_OR_NULL: JsonSchema = { anyOf: [BRACKET, { type: 'null' }] };

/** Both ends are certain. */
export const ENCLOSURE: JsonSchema = record({ lower: NUMBER, upper: NUMBER });

const DIGITS: JsonSchema = { type: 'string', pattern: '^(Infinity|\\d+(\\.\\d+)?(e[+-]\\d+)?)$' };

/** What was asked, in decimal arithmetic and rounded up, or why it is not available; only with --precision. */
export const DECIMAL: JsonSchema = {
  description: 'What was asked, to the digits of --precision and rounded up, or why that is not available.',
  oneOf: [record({ epsilon: DIGITS }), record({ delta: DIGITS }), record({ code: TEXT, reason: TEXT })],
};

/** Something to be told, with a stable code. */
export const NOTICE: JsonSchema = record({ code: TEXT, message: TEXT });
