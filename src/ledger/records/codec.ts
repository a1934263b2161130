import * as z from 'zod/mini';
import type { ExactValue } from '../../document/core/exact-value.ts';

/** A kind of value in a ledger file: how it is read, and how it is written, with exact numbers. */
export interface Codec<T> {
  readonly schema: z.ZodMiniType<T>;
  /** The written value; undefined where it is left out. */
  readonly exact: (value: T) => ExactValue | undefined;
}

/** Values that are written as they are read. */
export const plain = <T extends ExactValue | undefined>(schema: z.ZodMiniType<T>): Codec<T> => ({
  schema,
  exact: (value) => value,
});

export const constant = <T extends string | number>(value: T): Codec<T> => plain(z.literal(value));

/** A member that is left out where there is nothing to say, which is read as null. */
export const optional = <T>({ schema, exact }: Codec<T>): Codec<T | null> => ({
  schema: z.pipe(
    z.optional(schema),
    z.transform((value): T | null => value ?? null),
  ),
  exact: (value) => (value === null ? undefined : exact(value)),
});

/** A list, of at least `least`. */
export const list = <T>({ schema, exact }: Codec<T>, least = 0): Codec<readonly T[]> => ({
  schema: z.array(schema).check(...(least === 0 ? [] : [z.minLength(least)])),
  exact: (values) => values.flatMap((value) => exact(value) ?? []),
});

/** A codec for each member of an object. */
export type Members<T> = { readonly [K in keyof T]: Codec<T[K]> };

/** An object with these members and no others, which are written in this order. */
export function object<T extends object>(members: Members<T>): Codec<T> {
  const all = Object.entries(members) as [keyof T & string, Codec<T[keyof T]>][];
  const schemas = Object.fromEntries(all.map(([key, { schema }]) => [key, schema]));
  return {
    schema: z.strictObject(schemas) as unknown as z.ZodMiniType<T>,
    exact: (value) =>
      Object.fromEntries(
        all.flatMap(([key, { exact }]) => {
          const written = exact(value[key]);
          return written === undefined ? [] : [[key, written]];
        }),
      ),
  };
}

/** The members of a union in whose `key` the name N may stand. */
type Named<T, K extends string, N> = T extends Readonly<Record<K, infer Names>> ? (N extends Names ? T : never) : never;

/** One of several objects, by the name in its `key`. */
export function union<K extends string, T extends Readonly<Record<K, string>>>(
  key: K,
  options: { readonly [N in T[K]]: Codec<Named<T, K, N>> },
): Codec<T> {
  const codecs = options as unknown as Readonly<Record<string, Codec<T>>>;
  const schemas = [...new Set(Object.values(codecs))].map(({ schema }) => schema);
  return {
    schema: z.discriminatedUnion(
      key,
      schemas as unknown as [z.core.$ZodTypeDiscriminable],
    ) as unknown as z.ZodMiniType<T>,
    exact: (value) => codecs[value[key]]!.exact(value),
  };
}

/** A value that the program has in another form than the file. */
export const mapped = <A, B>(
  { schema, exact }: Codec<A>,
  { read, write }: { readonly read: (value: A) => B; readonly write: (value: B) => NoInfer<A> },
): Codec<B> => ({ schema: z.pipe(schema, z.transform(read)), exact: (value) => exact(write(value)) });
