import { jsonDocument, type Json } from './json-value.ts';

/** A JSON Schema document. */
export type JsonSchema = Readonly<Record<string, Json>>;

/** One description of what is printed as JSON: its schema, its type, and how a value of the program becomes it. */
export interface Codec<Value, Read> {
  readonly schema: JsonSchema;
  readonly encode: (value: Value) => Json;
  /** Whether this of several forms is that of a value; absent where the value alone does not decide that. */
  readonly fits?: (value: unknown) => boolean;
  /** A type only: what a program reads that parses the text. */
  readonly read?: Read;
}

/** A codec of any values. */
export type AnyCodec = Codec<never, unknown>;

/** The type of the values that a codec encodes. */
export type ValueOf<C> = C extends { readonly encode: (value: infer Value) => Json } ? Value : never;

/** The type of an encoded value, as a program parses it. */
export type ReadOf<C> = C extends Codec<never, infer Read> ? Read : never;

/** A member that may be missing. */
export interface Optional<Value, Read> extends Codec<Value | null | undefined, Read> {
  readonly optional: true;
}

type Fields = Readonly<Record<string, AnyCodec>>;
type Merged<T> = { readonly [K in keyof T]: T[K] };
type Absent<F extends Fields> = { [K in keyof F]: undefined extends ValueOf<F[K]> ? K : never }[keyof F];
type OptionalKey<F extends Fields> = { [K in keyof F]: F[K] extends { optional: true } ? K : never }[keyof F];

/** The values of the members of an object. */
export type Members<F extends Fields> = { readonly [K in Exclude<keyof F, Absent<F>>]: ValueOf<F[K]> } & {
  readonly [K in Absent<F>]?: ValueOf<F[K]>;
};

/** The members of an object as a program reads them. */
export type ReadMembers<F extends Fields> = Merged<
  { [K in Exclude<keyof F, OptionalKey<F>>]: ReadOf<F[K]> } & { [K in OptionalKey<F>]?: ReadOf<F[K]> }
>;

/** The same codec with another schema. */
const withSchema = <C extends AnyCodec>(codec: C, schema: JsonSchema): C => ({ ...codec, schema });

/** A value that is printed as it is. */
export const plain = <Value extends Json>(schema: JsonSchema): Codec<Value, Value> => ({
  schema,
  encode: (value) => value,
});

/** The value that is made of another. */
export const from = <C extends AnyCodec, Value>(
  codec: C,
  mapping: (value: Value) => ValueOf<C>,
): Codec<Value, ReadOf<C>> => ({ schema: codec.schema, encode: (value) => codec.encode(mapping(value) as never) });

/** A codec with its description. */
export const described = <C extends AnyCodec>(description: string, codec: C): C =>
  withSchema(codec, { description, ...codec.schema });

/** A member that is missing where its value is, or is null. */
export const optional = <C extends AnyCodec>(codec: C): Optional<ValueOf<C>, ReadOf<C>> => ({
  schema: codec.schema,
  encode: (value) => codec.encode(value as never),
  optional: true,
});

/** A member that is always the same, and that no value needs to have. */
export const always = <const Value extends string>(value: Value): Codec<unknown, Value> => ({
  schema: { const: value },
  encode: () => value,
  fits: () => true,
});

/** A member by which forms are told apart. */
export const is = <const Value extends string | boolean>(value: Value): Codec<Value, Value> => ({
  schema: { const: value },
  encode: () => value,
  fits: (candidate) => candidate === value,
});

/** One of these values. */
export const choice = <const Value extends string | null>(...values: readonly Value[]): Codec<Value, Value> => ({
  ...plain<Value>({ enum: values }),
  fits: (candidate) => values.includes(candidate as Value),
});

/** An object with these members, in this order, and no others; more may be added within a version. */
export function object<F extends Fields>(fields: F): Codec<Members<F>, ReadMembers<F>> {
  const members = Object.entries(fields);
  const required = members.filter(([, codec]) => !('optional' in codec));
  const valueIn = (value: unknown, key: string): unknown =>
    (value as Readonly<Record<string, unknown>> | undefined)?.[key];
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(members.map(([key, { schema }]) => [key, schema])),
      required: required.map(([key]) => key),
    },
    encode: (value) =>
      Object.fromEntries(
        members.flatMap(([key, codec]) => {
          const member = valueIn(value, key);
          return 'optional' in codec && (member ?? null) === null ? [] : [[key, codec.encode(member as never)]];
        }),
      ),
    fits: (value) =>
      required.every(([key, codec]) => codec.fits?.(valueIn(value, key)) ?? valueIn(value, key) !== undefined),
  };
}

/** An array of such items, within these limits. */
export const list = <C extends AnyCodec>(
  items: C,
  limits: JsonSchema = {},
): Codec<readonly ValueOf<C>[], readonly ReadOf<C>[]> => ({
  schema: { type: 'array', ...limits, items: items.schema },
  encode: (values) => values.map((value) => items.encode(value as never)),
  fits: Array.isArray,
});

/** A value, or null where there is none. */
export const orNull = <C extends AnyCodec>(codec: C): Codec<ValueOf<C> | null, ReadOf<C> | null> => ({
  schema: { anyOf: [codec.schema, { type: 'null' }] },
  encode: (value) => (value === null ? null : codec.encode(value as never)),
});

/** A value, or one of these words in its place. */
export const orWord = <C extends AnyCodec, const Word extends string>(
  codec: C,
  ...words: readonly Word[]
): Codec<ValueOf<C> | Word, ReadOf<C> | Word> => ({
  schema: { anyOf: [codec.schema, words.length === 1 ? { const: words[0]! } : { enum: words }] },
  encode: (value) => (words.includes(value as Word) ? (value as Word) : codec.encode(value as never)),
});

function ofForms<C extends readonly AnyCodec[]>(
  keyword: 'oneOf' | 'anyOf',
  forms: C,
): Codec<ValueOf<C[number]>, ReadOf<C[number]>> {
  return {
    schema: { [keyword]: forms.map(({ schema }) => schema) },
    encode: (value) => {
      const form = forms.find(({ fits }) => fits?.(value));
      if (form === undefined) throw new RangeError('a result has none of its forms');
      return form.encode(value as never);
    },
  };
}

/** The first of these forms that fits, which no other does. */
export const oneOf = <C extends readonly AnyCodec[]>(...forms: C): Codec<ValueOf<C[number]>, ReadOf<C[number]>> =>
  ofForms('oneOf', forms);

/** The first of these forms that fits. */
export const anyOf = <C extends readonly AnyCodec[]>(...forms: C): Codec<ValueOf<C[number]>, ReadOf<C[number]>> =>
  ofForms('anyOf', forms);

type AllValues<C> = C extends readonly [infer First, ...infer Rest] ? ValueOf<First> & AllValues<Rest> : unknown;
type AllRead<C> = C extends readonly [infer First, ...infer Rest] ? ReadOf<First> & AllRead<Rest> : unknown;

/** An object with the members of all of these. */
export const together = <C extends readonly AnyCodec[]>(...parts: C): Codec<AllValues<C>, AllRead<C>> => ({
  schema: Object.assign({}, ...parts.map(({ schema }) => schema)) as JsonSchema,
  encode: (value) => Object.assign({}, ...parts.map((part) => part.encode(value as never))) as Json,
});

type Identity<Name extends string> = Readonly<{
  schema: Codec<unknown, `dpcompose.${Name}/1`>;
  version: Codec<string, string>;
}>;

/** The members with which every document begins; `name` is that of its schema. */
export const identity = <const Name extends string>(name: Name): Identity<Name> => ({
  schema: always(`dpcompose.${name}/1`),
  version: plain({ type: 'string' }),
});

/** A document whose schema is published under a name. */
export const published = <C extends AnyCodec>(
  name: string,
  description: string,
  codec: C,
  definitions: JsonSchema | null = null,
): C =>
  withSchema(codec, {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:dpcompose:${name}:1`,
    title: `dpcompose.${name}/1`,
    description,
    ...(definitions === null ? {} : { $defs: definitions }),
    ...codec.schema,
  });

/** A published document with these members besides those with which all begin. */
export const document = <const Name extends string, F extends Fields>(
  name: Name,
  description: string,
  fields: F,
  definitions: JsonSchema | null = null,
): Codec<Members<Identity<Name> & F>, ReadMembers<Identity<Name> & F>> =>
  published(name, description, object<Identity<Name> & F>({ ...identity(name), ...fields }), definitions);

/** The text of a document. */
export const documentText = <Value>(codec: Codec<Value, unknown>, value: NoInfer<Value>): string =>
  jsonDocument(codec.encode(value));
