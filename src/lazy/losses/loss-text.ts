/** Why a text cannot be used. */
export interface RefusedText {
  readonly code: string;
}

/** The losses of a JSON value, as they are written. */
export interface JsonLosses {
  /** Those of an object; null for an array. */
  readonly names: readonly string[] | null;
  readonly values: readonly string[];
}

/** Reads text that is not plain: any number that this program takes, and JSON. */
export interface LossText<T extends RefusedText> {
  readonly number: (text: string) => number | T;
  /** The numbers of an array or an object. */
  readonly json: (text: string) => JsonLosses | T;
}

/** What is wrong with a line of losses. */
export type LossMistake<T> = { readonly line: number } & (
  | { readonly kind: 'loss'; readonly text: string; readonly trouble: T | null }
  | { readonly kind: 'uneven'; readonly found: number; readonly experts: number }
  | { readonly kind: 'json'; readonly trouble: T }
  | { readonly kind: 'unknown-name' | 'missing-name' | 'repeated-name' | 'empty-name'; readonly name: string }
  | { readonly kind: 'long-line'; readonly longest: number }
  | { readonly kind: 'one-expert' | 'not-text' }
);
