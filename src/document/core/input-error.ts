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

/** The place of a key that stands in another. */
export interface Belonging {
  /** A clause, such as `in an item of mechanisms`. */
  readonly belongs: string;
}

/** The words that may stand in an input, for messages about those that may not. */
export interface Vocabulary {
  /** The keys allowed in the object at `path`. */
  readonly keysOf: (path: Path, object: unknown) => readonly string[];
  /** The hint for a key that is not allowed in the object at `path`, or where it belongs; null where there is none. */
  readonly misplaced?: (key: string, path: Path, object: unknown) => string | Belonging | null;
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

/** The text of a document without its byte order mark, or why it has none. */
export function decodeText(input: string | Uint8Array): string | Problem {
  if (typeof input === 'string') return input.startsWith('\ufeff') ? input.slice(1) : input;
  if ((input[0] === 0xff && input[1] === 0xfe) || (input[0] === 0xfe && input[1] === 0xff)) {
    return { code: 'not-text', message: 'the document is in UTF-16, not in UTF-8', hint: 'Save it in UTF-8.' };
  }
  try {
    // Without ignoreBOM, a byte order mark is dropped.
    return new TextDecoder('utf-8', { fatal: true }).decode(input);
  } catch {
    const message = 'the document is not text in UTF-8: it holds bytes that UTF-8 does not have';
    return { code: 'not-text', message, hint: 'Give a JSON file, saved in UTF-8.' };
  }
}
