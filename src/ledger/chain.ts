import { type Fault, type Flaw, type Place, failed, type Failed, type NotALedger, Interrupted } from './fault.ts';
import { numberOf, type Sealed, isOpen, unseal, type RawLine } from './line.ts';

/** Whether a chain that does not remember could have another name for this fault than one that does. */
export const isMisplaced = ({ code }: Fault): boolean =>
  code === 'foreign-record' || code === 'missing-records' || code === 'broken-chain';

/**
 * Looks for what keeps records whose hashes are right from their places in the chain. One that does not remember the hashes of
 * all records says of one that is misplaced no more than that it is: which of the misplacements it is takes those.
 */
export class Chain {
  #header: string | null = null;
  #last: Sealed | null = null;
  /** The number the next record should have. */
  #next = 0;
  /** Nothing is known of the line before. */
  #gap = false;
  /** The hashes of all records so far, and their lines. */
  readonly #lines: Map<string, number> | null;

  constructor(remembers = true) {
    this.#lines = remembers ? new Map() : null;
  }

  /** The record that the next one has to follow; null where that is not known. */
  get last(): Sealed | null {
    return this.#gap ? null : this.#last;
  }

  place(line: number): Place {
    return { line, record: this.#next };
  }

  /** Passes over a line that is no record. */
  skip(): void {
    this.#gap = true;
    this.#next++;
  }

  begin(header: Sealed): void {
    this.#header = header.hash;
    this.#accept(header, 1);
  }

  /** Begins in the midst of a ledger, after this record. */
  resume(header: Sealed, last: Sealed, line: number): void {
    this.#header = header.hash;
    this.#accept(last, line);
  }

  /** Begins in the midst of a ledger, at the record of this number. */
  enter(header: Sealed, next: number): void {
    this.#header = header.hash;
    this.#next = next;
    this.#gap = true;
  }

  /** Takes the next record, and says what is wrong with its place, if anything is. */
  take(record: Sealed, line: number): Flaw | null {
    // Without a header, the first record says which ledger this is.
    this.#header ??= typeof record.fields.ledger === 'string' ? record.fields.ledger : null;
    const flaw = this.#flaw(record, { line, record: numberOf(record) });
    if (flaw?.code !== 'foreign-record' && flaw?.code !== 'duplicate-record') this.#accept(record, line);
    return flaw;
  }

  #flaw({ fields, hash }: Sealed, place: Place): Flaw | null {
    const follows = this.#gap || fields.prev === this.#last?.hash;
    const ours = fields.ledger === this.#header;
    if (follows && ours && place.record === this.#next) return null;
    const first = this.#lineOf(hash);
    if (first !== undefined) return { code: 'duplicate-record', ...place, first };
    if (!ours) return { code: 'foreign-record', ...place };
    const after = this.#lineOf(fields.prev);
    if (after !== undefined && !follows) return { code: 'fork', ...place, after };
    if (place.record > this.#next) return { code: 'missing-records', ...place, count: place.record - this.#next };
    return { code: 'broken-chain', ...place };
  }

  #lineOf(hash: unknown): number | undefined {
    return typeof hash === 'string' ? this.#lines?.get(hash) : undefined;
  }

  #accept(record: Sealed, line: number): void {
    this.#lines?.set(record.hash, line);
    this.#last = record;
    this.#next = numberOf(record) + 1;
    this.#gap = false;
  }
}

export const LEDGER_SCHEMA = 'dpcompose.ledger/2';

const SCHEMA_START = '{"schema":"dpcompose.ledger/';

/** How a specification begins, on one line or over several. */
const DOCUMENT_START = /^(?:\{\s*(?:"dpcompose"|$)|dpcompose:)/;

/** The bytes after the last newline. */
export type TrailingBytes =
  | { readonly kind: 'none' }
  /** The beginning of a record whose writing was cut short, or is under way; or of one whose end was removed. */
  | { readonly kind: 'torn'; readonly bytes: number }
  /** All of a record but its newline, in so many bytes: it counts. */
  | { readonly kind: 'whole'; readonly bytes: number };

/** The two ends of a ledger: all that is read to decide what may be added. */
export interface HeaderAndHead {
  readonly kind: 'ends';
  readonly header: Sealed;
  /** The last record that counts; the header, where there is no other. */
  readonly last: Sealed;
  readonly rest: TrailingBytes;
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
export function restAfter(last: Sealed, bytes: Buffer): { readonly rest: TrailingBytes; readonly last: Sealed } | null {
  if (bytes.length === 0) return { rest: { kind: 'none' }, last };
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  const content = bytes.subarray(0, end);
  const next = numberOf(last) + 1;
  const record = unseal(content);
  if (record.kind === 'record' && record.fields.seq === next && record.fields.prev === last.hash) {
    return { rest: { kind: 'whole', bytes: end }, last: record };
  }
  const text = content.toString('utf8');
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

/** A finding in a ledger, from its beginning to its end. */
export type ParsedLine =
  | { readonly kind: 'record'; readonly place: Place; readonly record: Sealed }
  | { readonly kind: 'flaw'; readonly flaw: Flaw }
  /** It is no ledger at all, or cannot be read to its end; nothing else is found then. */
  | { readonly kind: 'other'; readonly fault: Fault }
  /** The bytes after the last newline; found last. */
  | { readonly kind: 'rest'; readonly rest: TrailingBytes };

type WrongHash = Extract<Flaw, { what: 'wrong-hash' }>;

/** The flaw of a record whose hash is not that of its content, as the next record resolves it. */
function resolved(flaw: WrongHash, next: Sealed): Flaw {
  const { prev } = next.fields;
  if (prev === flaw.stated) return { ...flaw, changed: 'content' };
  return prev === flaw.actual ? { ...flaw, changed: 'hash' } : flaw;
}

function first(line: RawLine, chain: Chain): ParsedLine {
  const header = headerOf(line.bytes, line.ended);
  if (header.kind === 'record') {
    chain.begin(header);
    return { kind: 'record', place: { line: 1, record: 0 }, record: header };
  }
  chain.skip();
  const { fault } = header;
  return 'line' in fault ? { kind: 'flaw', flaw: fault } : { kind: 'other', fault };
}

function last(line: RawLine, chain: Chain): ParsedLine[] {
  const place = chain.place(line.number);
  if (chain.last === null) return [{ kind: 'rest', rest: { kind: 'torn', bytes: line.bytes.length } }];
  const ending = line.tooLong ? null : restAfter(chain.last, line.bytes);
  if (ending === null) return [{ kind: 'flaw', flaw: { code: 'damaged-end', ...place } }];
  const rest: ParsedLine = { kind: 'rest', rest: ending.rest };
  return ending.rest.kind === 'whole' ? [{ kind: 'record', place, record: ending.last }, rest] : [rest];
}

function between(line: RawLine, chain: Chain, strict: boolean): ParsedLine {
  const place = chain.place(line.number);
  const unsealed = line.tooLong ? null : unseal(line.bytes, strict);
  if (unsealed?.kind === 'record') {
    const flaw = chain.take(unsealed, line.number);
    if (flaw !== null) return { kind: 'flaw', flaw };
    return { kind: 'record', place, record: unsealed };
  }
  chain.skip();
  if (unsealed === null) return { kind: 'flaw', flaw: { code: 'line-too-long', ...place } };
  return { kind: 'flaw', flaw: { code: 'damaged-record', ...place, ...unsealed } };
}

function foundIn(line: RawLine, chain: Chain, strict: boolean): ParsedLine[] {
  if (line.number === 1) return [first(line, chain)];
  return line.ended ? [between(line, chain, strict)] : last(line, chain);
}

const isWrongHash = (parsedLine: ParsedLine): parsedLine is { readonly kind: 'flaw'; readonly flaw: WrongHash } =>
  parsedLine.kind === 'flaw' && parsedLine.flaw.code === 'damaged-record' && parsedLine.flaw.what === 'wrong-hash';

/** How lines are gone through. */
export interface WalkOptions {
  /** Also whether every record is written in the one way in which this program writes it; not by default. */
  readonly strict?: boolean;
  /** Whether all hashes are kept, by which misplaced records are told apart (see {@link Chain}); they are by default. */
  readonly remembers?: boolean;
  /** Begins in the midst of a ledger, after this record, which is at that line. */
  readonly after?: { readonly header: Sealed; readonly last: Sealed; readonly line: number };
}

/** Goes through the lines of a ledger from the first to the last, over all that is wrong with it. */
export class Walker {
  readonly #chain: Chain;
  readonly #strict: boolean;
  #pending: WrongHash | null = null;
  #end: ParsedLine = { kind: 'rest', rest: { kind: 'none' } };
  #empty = true;
  #other = false;

  constructor({ strict = false, remembers = true, after }: WalkOptions = {}) {
    this.#strict = strict;
    this.#chain = new Chain(remembers);
    if (after === undefined) return;
    this.#chain.resume(after.header, after.last, after.line);
    this.#empty = false;
  }

  /** The findings in the next line, and in those before that it resolves. */
  take(line: RawLine): ParsedLine[] {
    if (this.#other) return [];
    this.#empty = false;
    const all: ParsedLine[] = [];
    for (const parsedLine of foundIn(line, this.#chain, this.#strict)) {
      if (this.#pending !== null) {
        all.push({
          kind: 'flaw',
          flaw: parsedLine.kind === 'record' ? resolved(this.#pending, parsedLine.record) : this.#pending,
        });
        this.#pending = null;
      }
      if (parsedLine.kind === 'rest') this.#end = parsedLine;
      else if (isWrongHash(parsedLine)) this.#pending = parsedLine.flaw;
      else all.push(parsedLine);
      this.#other ||= parsedLine.kind === 'other';
    }
    return all;
  }

  /** The findings after the last line. */
  end(): ParsedLine[] {
    if (this.#other) return [];
    const all: ParsedLine[] = this.#pending === null ? [] : [{ kind: 'flaw', flaw: this.#pending }];
    if (this.#empty) all.push({ kind: 'flaw', flaw: { code: 'empty-ledger', line: 1, record: 0 } });
    return [...all, this.#end];
  }
}

/** All that is found in a ledger, in batches as its lines come. */
export async function* walk(
  batches: AsyncIterable<readonly RawLine[]>,
  options: WalkOptions = {},
): AsyncGenerator<readonly ParsedLine[]> {
  const walker = new Walker(options);
  try {
    for await (const lines of batches) yield lines.flatMap((line) => walker.take(line));
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    yield [{ kind: 'other', fault: error.failed.fault }];
    return;
  }
  yield walker.end();
}

/** What is found where nothing is wrong, a record in its place or the rest; the fault of all else. */
export function soundIn(parsedLine: ParsedLine): Extract<ParsedLine, { readonly kind: 'record' | 'rest' }> | Failed {
  if (parsedLine.kind === 'flaw') return failed(parsedLine.flaw);
  return parsedLine.kind === 'other' ? failed(parsedLine.fault) : parsedLine;
}

/** The last record of lines that have gone by; undefined before the first. */
export interface LastLine {
  record?: Sealed;
}

/**
 * Lines as they come, each of which was looked at: its hash is that of its content, it follows the one before, and the last one
 * was not written in this place, where there would be two ledgers then that both may be spent from. `last` is filled on the way.
 * Throws `Interrupted` at the first flaw; what was made of the lines so far must go.
 *
 * @param placeId - the place in which they are to be kept, see `Store.placeId`
 */
export async function* restorable(
  batches: AsyncIterable<readonly Buffer[]>,
  placeId: string,
  last: LastLine = {},
): AsyncGenerator<readonly Buffer[]> {
  const walker = new Walker({ strict: true });
  let number = 0;
  let offset = 0;
  const look = (parsedLine: ParsedLine): void => {
    const sound = soundIn(parsedLine);
    if (sound.kind === 'failed') throw new Interrupted(sound);
    if (sound.kind === 'record') last.record = sound.record;
  };
  for await (const batch of batches) {
    for (const bytes of batch) {
      number++;
      const line: RawLine = { number, offset, bytes, ended: true, tooLong: false };
      offset += bytes.length + 1;
      walker.take(line).forEach(look);
    }
    yield batch;
  }
  walker.end().forEach(look);
  if (last.record?.fields.home === placeId) throw new Interrupted(failed({ code: 'same-place' }));
}
