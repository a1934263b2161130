import type { Flaw, Place } from './fault.ts';
import { numberOf, type Sealed } from './line.ts';

/** Looks for what keeps records whose hashes are right from their places in the chain. */
export class Chain {
  #header: string | null = null;
  #last: Sealed | null = null;
  /** The number the next record should have. */
  #next = 0;
  /** Nothing is known of the line before. */
  #gap = false;
  /** The hashes of all records so far, and their lines; made into an index when one is looked for. */
  #seen: (readonly [hash: string, line: number])[] = [];
  readonly #index = new Map<string, number>();

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
    for (const [seen, line] of this.#seen) this.#index.set(seen, line);
    this.#seen = [];
    return typeof hash === 'string' ? this.#index.get(hash) : undefined;
  }

  #accept(record: Sealed, line: number): void {
    this.#seen.push([record.hash, line]);
    this.#last = record;
    this.#next = numberOf(record) + 1;
    this.#gap = false;
  }
}
