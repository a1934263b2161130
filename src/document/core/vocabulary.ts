import type { Path } from './input-error.ts';

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
