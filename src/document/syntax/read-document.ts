import { type Mistake, decodeText } from '../core/input-error.ts';
import { isLedger, ledgerGiven } from '../core/ledger-text.ts';
import { formatPath } from '../core/quote.ts';
import type { InputError } from '../core/specification.ts';
import { MAX_ERRORS, type Diagnostics } from '../core/validate.ts';
import { ChangedDocument } from './changed-document.ts';
import { JSON_SYNTAX, type DocumentSyntax, type TextReading } from './document-syntax.ts';
import { lineAndColumn } from './places.ts';

/** The result of reading a document: null where anything is wrong with it. */
export interface DocumentReading<T> {
  readonly document: T | null;
  /** In the order of the text. */
  readonly errors: readonly InputError[];
  /** How many further errors there are. */
  readonly more: number;
  readonly notOffered: { readonly path: string; readonly type: string } | null;
}

/** In what a document is written, and what is changed of it before it is checked. */
export interface DocumentOptions {
  /** JSON where it is left out. */
  readonly syntax?: DocumentSyntax;
  /** Changes `PLACE=VALUE`, such as `mechanisms[0].count=50`. */
  readonly set?: readonly string[] | undefined;
}

/** The mistakes of a text as errors with their places, in the order of the text. */
function placeErrors(text: string, reading: TextReading, mistakes: readonly Mistake[]): InputError[] {
  return mistakes
    .map((mistake) => ({ ...mistake, offset: mistake.offset ?? reading.offsetOf(mistake) }))
    .sort((a, b) => a.offset - b.offset)
    .map(({ path, problem, offset }) => ({ ...problem, path: formatPath(path), ...lineAndColumn(text, offset) }));
}

/** The mistakes of a document that was changed: those of what stands in it at their places, then those of the changes. */
function placeChanged(
  text: string,
  reading: TextReading,
  mistakes: readonly Mistake[],
  changed: ChangedDocument,
): InputError[] {
  const origins = mistakes.map((mistake) => ({ mistake, ...changed.originOf(mistake.path) }));
  // What is wrong with the text itself knows its place there.
  const inText = origins.filter(({ mistake, isSet }) => mistake.offset !== undefined || !isSet);
  const mistakesInText = inText.map(({ mistake, path }) => ({ ...mistake, path }));
  const set = origins
    .filter((origin) => !inText.includes(origin))
    .map(({ mistake, path }) => ({ ...mistake.problem, path: `--set ${formatPath(path)}` }));
  return [...placeErrors(text, reading, mistakesInText), ...set];
}

/**
 * Reads a document (UTF-8), changes it and checks it; `check` notes in `diagnostics` what is wrong. All mistakes are reported
 * together.
 */
export function readDocument<T>(
  input: string | Uint8Array,
  diagnostics: Diagnostics,
  check: (value: unknown, diagnostics: Diagnostics) => T | null,
  { syntax = JSON_SYNTAX, set = [] }: DocumentOptions = {},
): DocumentReading<T> {
  const text = decodeText(input);
  if (typeof text !== 'string') {
    return { document: null, errors: [{ ...text, path: 'document' }], more: 0, notOffered: null };
  }
  if (isLedger(text)) {
    return {
      document: null,
      errors: [{ ...ledgerGiven(), path: 'document', line: 1, column: 1 }],
      more: 0,
      notOffered: null,
    };
  }
  const reading = syntax(text, MAX_ERRORS);
  if (reading.value === undefined) {
    return {
      document: null,
      errors: placeErrors(text, reading, reading.mistakes),
      more: reading.more,
      notOffered: null,
    };
  }
  const changed = new ChangedDocument(reading.value);
  const wrong = changed.apply(set).map(({ flag, problem }): InputError => ({ ...problem, path: flag }));
  if (wrong.length > 0) {
    const errors = [...placeErrors(text, reading, reading.mistakes), ...wrong];
    return { document: null, errors, more: reading.more, notOffered: null };
  }
  const document = check(reading.value, diagnostics);
  if (reading.mistakes.length === 0 && diagnostics.none) return { document, errors: [], more: 0, notOffered: null };
  const errors = placeChanged(text, reading, [...reading.mistakes, ...diagnostics.mistakes], changed);
  const { notOffered } = diagnostics;
  return {
    document: null,
    errors: errors.slice(0, MAX_ERRORS),
    more: reading.more + diagnostics.more + Math.max(0, errors.length - MAX_ERRORS),
    notOffered:
      notOffered === null ? null : { path: formatPath(changed.originOf(notOffered.path).path), type: notOffered.type },
  };
}
