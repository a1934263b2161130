import type { Fault, Flaw, Place } from './fault.ts';
import { numberOf, type Sealed } from './line.ts';

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
