/** A mistake, and a hint on how to fix it. */
export interface Message {
  /** A clause without a final stop. */
  readonly message: string;
  /** A sentence. */
  readonly hint: string;
}

/** The members of a union in whose `key` the name N may stand. */
export type Named<T, K extends string, N> =
  T extends Readonly<Record<K, infer Names>> ? (N extends Names ? T : never) : never;

/** A sentence, or several: complete, or with holes for what they are about. */
export type Sentence<T, S> = S | ((about: T) => S);

/** A table of sentences: one for each name that stands in the `key` of a union. */
export type Sentences<K extends string, T extends Readonly<Record<K, string>>, S> = {
  readonly [N in T[K]]: Sentence<Named<T, K, N>, S>;
};

/** A sentence with its holes filled. */
export const filledIn = <T, S extends string | object>(sentence: Sentence<T, S>, about: T): S =>
  typeof sentence === 'function' ? (sentence as (about: T) => S)(about) : sentence;

/** The sentence of a table for one of a union. */
export const sentenceIn = <K extends string, T extends Readonly<Record<K, string>>, S extends string | object>(
  sentences: Sentences<K, T, S>,
  key: K,
  about: T,
): S => filledIn(sentences[about[key]] as Sentence<T, S>, about);
