/** A mistake, and a hint on how to fix it. */
export interface Message {
  /** A clause without a final stop. */
  readonly message: string;
  /** A sentence. */
  readonly hint: string;
}

/** The meaning of a code and its remedy; both are sentences. */
export interface Explanation {
  readonly meaning: string;
  readonly remedy: string;
}

/** The explanation of every code of one kind. */
export type Explanations<Code extends string> = Readonly<Record<Code, Explanation>>;

/**
 * The texts of a code, the one place where they are written: its message and its hint, complete or with holes for what
 * they are about. The meaning and the remedy that `explain` tells are the same, unless others are given, as they must be
 * where there are holes.
 */
export type Text<T> = (
  | { readonly message: string; readonly meaning?: string }
  | { readonly message: (about: T) => string; readonly meaning: string }
) &
  (
    | { readonly hint: string; readonly remedy?: string }
    | { readonly hint: (about: T) => string; readonly remedy: string }
  );

/** The members of a union in whose `key` the name N may stand. */
export type Named<T, K extends string, N> =
  T extends Readonly<Record<K, infer Names>> ? (N extends Names ? T : never) : never;

/** The texts of every name that stands in the `key` of a union: one that is left out does not compile. */
export type Texts<K extends string, T extends Readonly<Record<K, string>>> = {
  readonly [N in T[K]]: Text<Named<T, K, N>>;
};

/** The message and the hint of a code, with their holes filled. */
export const filledIn = <T>({ message, hint }: Text<T>, about: T): Message => ({
  message: typeof message === 'string' ? message : message(about),
  hint: typeof hint === 'string' ? hint : hint(about),
});

/** A clause as a sentence. */
const sentence = (clause: string): string =>
  `${clause.charAt(0).toUpperCase()}${clause.slice(1)}${clause.endsWith('.') ? '' : '.'}`;

/** What a code means and what to do about it, whatever it is about; `before`: what its message completes. */
const explanationOf = ({ message, meaning, hint, remedy }: Text<never>, before = ''): Explanation => ({
  meaning: meaning ?? sentence(`${before}${message as string}`),
  remedy: remedy ?? (hint as string),
});

/** The same of every code of a table. */
export const explanationsOf = <Code extends string>(
  texts: Readonly<Record<Code, Text<never>>>,
  before?: string,
): Explanations<Code> =>
  Object.fromEntries(
    Object.entries<Text<never>>(texts).map(([code, text]) => [code, explanationOf(text, before)]),
  ) as Explanations<Code>;
