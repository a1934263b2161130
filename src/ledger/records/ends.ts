import { failed, type Failed, type Flaw, type NotALedger } from './fault.ts';
import { isOpen, numberOf, unseal, type Sealed } from './line.ts';

/** The name and version of the format. */
export const LEDGER_SCHEMA = 'dpcompose.ledger/2';

const SCHEMA_START = '{"schema":"dpcompose.ledger/';

/** How a specification begins, on one line or over several. */
const DOCUMENT_START = /^(?:\{\s*(?:"dpcompose"|$)|dpcompose:)/;

/** The bytes after the last newline. */
export type Rest =
  | { readonly kind: 'none' }
  /** The beginning of a record whose writing was cut short, or is under way; or of one whose end was removed. */
  | { readonly kind: 'torn'; readonly bytes: number }
  /** All of a record but its newline, in so many bytes: it counts. */
  | { readonly kind: 'whole'; readonly bytes: number };

/** The two ends of a ledger: all that is read to decide what may be added. */
export interface Ends {
  readonly kind: 'ends';
  readonly header: Sealed;
  /** The last record that counts; the header, where there is no other. */
  readonly last: Sealed;
  readonly rest: Rest;
}

/** Whether `text` and `start` agree as far as both go. */
const agrees = (text: string, start: string): boolean =>
  text.length < start.length ? start.startsWith(text) : text.startsWith(start);

/**
 * The rest that the bytes after the newline of `last` are; null where nothing that begins a record stands there.
 *
 * A record is written in two steps, each made durable: its text, then its newline. All of its text counts, perhaps with
 * zeros after it for bytes that the system had not yet put in their place. The beginning of a text is what a writer leaves
 * that lost its power, and also what is left of an acknowledged record whose end somebody cut off.
 */
export function restAfter(last: Sealed, bytes: Buffer): { readonly rest: Rest; readonly last: Sealed } | null {
  if (bytes.length === 0) return { rest: { kind: 'none' }, last };
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  const written = bytes.subarray(0, end);
  const next = numberOf(last) + 1;
  const record = unseal(written);
  if (record.kind === 'record' && record.fields.seq === next && record.fields.prev === last.hash) {
    return { rest: { kind: 'whole', bytes: end }, last: record };
  }
  const text = written.toString('utf8');
  const torn = agrees(text, `{"seq":${next},`) && isOpen(text);
  return torn ? { rest: { kind: 'torn', bytes: bytes.length }, last } : null;
}

/** The header that a first line is, or why it is none; `ended`: by a newline. */
export function headerOf(line: Buffer, ended: boolean): Sealed | Failed<Flaw | NotALedger> {
  const place = { line: 1, record: 0 };
  if (line.length === 0 && !ended) return failed({ code: 'empty-ledger', ...place });
  const header = unseal(line);
  const text = line.toString('utf8').replace(/^\ufeff/, '');
  // Of the lone brace only a newline tells that no header was torn there.
  const isDocument = DOCUMENT_START.test(text) && (ended || text !== '{');
  const marked = !isDocument && agrees(text, SCHEMA_START);
  const schema = /^\{"schema":"([^"]{0,60})"/.exec(text)?.[1];
  const sealed = header.kind === 'record' || header.what === 'wrong-hash';
  if (!marked && !sealed) return failed({ code: 'not-a-ledger', isDocument });
  if (schema !== LEDGER_SCHEMA && (header.kind === 'record' || (marked && !sealed && schema !== undefined))) {
    return failed(marked ? { code: 'unsupported-version', found: schema ?? '' } : { code: 'not-a-ledger' });
  }
  if (!ended) return failed({ code: 'unfinished-header', ...place });
  return header.kind === 'record' ? header : failed({ code: 'damaged-record', ...place, ...header });
}
