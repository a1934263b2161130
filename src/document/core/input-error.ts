import type { InputErrorCode } from './error-codes.ts';

/** A mistake and how to fix it, wherever it stands. */
export interface Problem {
  readonly code: InputErrorCode;
  /** A clause without a final stop: what is allowed, what was got. */
  readonly message: string;
  /** A sentence. */
  readonly hint: string;
}

/** Keys and indices from the root of a document. */
export type Path = readonly (string | number)[];

/** A problem at its place in a value. */
export interface Mistake {
  readonly path: Path;
  /** Whether the key or its value is at fault. */
  readonly anchor: 'key' | 'value';
  readonly problem: Problem;
  /** Place in the text, where it is already known. */
  readonly offset?: number;
}
