/** Every code an input error can carry, with what it means. Codes are stable; new ones may be added. */
export const INPUT_ERROR_CODES = {
  'not-text': 'The input is not UTF-8 text.',
  'empty-document': 'The document has no content.',
  'invalid-json': 'The document is not JSON at this place.',
  'invalid-yaml': 'The document is not YAML at this place, or uses a part of YAML that is not read.',
  'invalid-python':
    'The text is no Python that is read at this place: an event of dp_accounting, or a list of numbers.',
  'invalid-csv': 'The table is not CSV at this place.',
  'truncated-json': 'The document ends too early.',
  'too-deep': 'Lists and objects are nested beyond any meaning.',
  'duplicate-key': 'A key stands twice in one object or one flag.',
  'unknown-key': 'A key that does not exist here.',
  'missing-key': 'A key that must be there is not.',
  'conflicting-keys': 'Keys that exclude each other stand together.',
  'two-targets': 'Both a delta and an epsilon are given as the target.',
  'no-target': 'Neither the document nor the command line has a target.',
  'unknown-type': 'A mechanism type that does not exist.',
  'unknown-value': 'A word that is not one of those allowed here.',
  'wrong-type': 'A value of the wrong kind, such as true for a number.',
  'not-a-number': 'Text that is not a decimal number.',
  'not-finite': 'NaN or an infinity.',
  'too-many-digits': 'A number of more than 1000 significant digits.',
  'out-of-range': 'A number outside the allowed range.',
  'not-whole': 'A number that must be whole is not.',
  'unsupported-version': 'A version of the format that this program does not read.',
  'empty-list': 'A list that must not be empty is.',
  'wrong-sum': 'Probabilities that do not sum to exactly 1.',
  'unequal-lengths': 'Lists that belong together and differ in length.',
  'duplicate-order': 'An RDP order stands twice in one mechanism.',
  'no-trade-off': 'Points that lie on no trade-off function.',
  'unknown-name': 'A name that stands for nothing in this document.',
  'duplicate-name': 'A name that stands for two things.',
  'not-described': 'A mechanism of which the design says nothing.',
  'malformed-flag': 'A -m flag that is not TYPE:key=value,key=value.',
} as const;

/** The stable code of an input error. */
export type InputErrorCode = keyof typeof INPUT_ERROR_CODES;

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
