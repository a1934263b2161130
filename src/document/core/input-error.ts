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

/** The words that may stand in an input, for messages about those that may not. */
export interface Vocabulary {
  /** The keys allowed in the object at `path`. */
  readonly keysOf: (path: Path, object: unknown) => readonly string[];
  /** The hint for a key that is not allowed in the object at `path`; null where there is none. */
  readonly misplaced?: (key: string, path: Path, object: unknown) => string | null;
  /** The types that an element may name. */
  readonly types: readonly string[];
}

/** The value of a key of an input, whatever that is. */
export const member = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;

/** The types of elements that hold others. */
export const STRUCTURE_TYPES: readonly string[] = ['group', 'parallel', 'partition', 'local'];
