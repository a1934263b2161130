import { DOCUMENT_VOCABULARY } from '../structure/document-schema.ts';
import { isEventList, readEventList, type EventList } from './event-list.ts';
import type { Path } from '../core/input-error.ts';
import type { JsonValue } from '../syntax/json-read.ts';
import { NumberText } from '../core/number-text.ts';
import { readDocument, type DocumentOptions, type DocumentReading } from '../syntax/read-document.ts';
import { validateDocument } from '../structure/validate-document.ts';
import { Diagnostics } from '../core/validate.ts';

/** A document that is a valid specification, as it was written. */
export type WrittenDocument = Readonly<Record<string, JsonValue>>;

/** Leads from the path of a mistake in a specification to that in the event list it comes from. */
function originOf(path: Path, { origins, path: list }: EventList): Path {
  const [first, index, key, ...rest] = path;
  if (first === 'target') return ['config', 'target_delta'];
  const origin = first === 'mechanisms' && typeof index === 'number' ? origins[index] : undefined;
  if (origin === undefined) return first === 'mechanisms' ? list : [];
  if (key === undefined) return origin.path;
  return [...(origin.keys.get(String(key)) ?? [...origin.path, key]), ...rest];
}

/** Checks a specification, or the one that an event list stands for; null if anything is wrong with it. */
function validated(value: unknown, diagnostics: Diagnostics): WrittenDocument | null {
  if (!isEventList(value)) return validateDocument(value, diagnostics) === null ? null : (value as WrittenDocument);
  const list = readEventList(value as JsonValue);
  for (const mistake of list.mistakes) diagnostics.note(mistake);
  diagnostics.notOffered ??= list.notOffered;
  if (!diagnostics.none) return null;
  const document: WrittenDocument = {
    dpcompose: new NumberText('1'),
    ...list.beside,
    mechanisms: list.mechanisms.map((mechanism) => ({ ...mechanism })),
  };
  const inner = new Diagnostics(DOCUMENT_VOCABULARY);
  validateDocument(document, inner);
  for (const mistake of inner.mistakes) diagnostics.note({ ...mistake, path: originOf(mistake.path, list) });
  diagnostics.more += inner.more;
  if (inner.notOffered !== null) {
    diagnostics.notOffered ??= { ...inner.notOffered, path: originOf(inner.notOffered.path, list) };
  }
  return inner.mistakes.length === 0 && inner.notOffered === null ? document : null;
}

/**
 * Reads what can be converted: a specification, in any syntax, or an event list of another accountant (see
 * `readEventList`). The document that is returned is a valid specification whose numbers are the text that was written.
 */
export const readConvertible = (
  input: string | Uint8Array,
  options: DocumentOptions = {},
): DocumentReading<WrittenDocument> => readDocument(input, new Diagnostics(DOCUMENT_VOCABULARY), validated, options);
