import type { Fault, Flaw, Place } from './fault.ts';
import { numberOf, type Sealed } from './line.ts';

const BYTES = 32;
const EMPTY = 0;

/** Hashes and the lines where they stand: 48 bytes or so for each, where strings would take four times as much. */
export class HashIndex {
  #hashes = Buffer.alloc(1024 * BYTES);
  #lines = new Uint32Array(1024);
  #count = 0;
  /** In the place that the first bytes of a hash give, or in the next ones that are free: its number, from 1. */
  #slots = new Uint32Array(0);
  /** How many have their slots. */
  #placed = 0;

  add(hash: string, line: number): void {
    if (this.#count === this.#lines.length) this.#grow();
    this.#hashes.write(hash, this.#count * BYTES, BYTES, 'hex');
    this.#lines[this.#count] = line;
    this.#count++;
  }

  /** The line of a hash that was added; undefined where none was. */
  lineOf(hash: string): number | undefined {
    const bytes = Buffer.from(hash, 'hex');
    if (bytes.length !== BYTES || bytes.toString('hex') !== hash) return undefined;
    this.#place();
    const number = this.#slots[this.#slotOf(bytes)]!;
    return number === EMPTY ? undefined : this.#lines[number - 1];
  }

  #grow(): void {
    const hashes = Buffer.alloc(2 * this.#hashes.length);
    this.#hashes.copy(hashes);
    this.#hashes = hashes;
    const lines = new Uint32Array(2 * this.#lines.length);
    lines.set(this.#lines);
    this.#lines = lines;
  }

  #hashOf(number: number): Buffer {
    return this.#hashes.subarray((number - 1) * BYTES, number * BYTES);
  }

  /** The slot that a hash has, or would get. */
  #slotOf(hash: Buffer): number {
    const last = this.#slots.length - 1;
    let slot = hash.readUInt32LE() & last;
    for (;;) {
      const number = this.#slots[slot]!;
      if (number === EMPTY || this.#hashOf(number).equals(hash)) return slot;
      slot = (slot + 1) & last;
    }
  }

  /** Gives slots to those that have none. */
  #place(): void {
    if (2 * this.#count >= this.#slots.length) {
      this.#slots = new Uint32Array(4 * this.#lines.length);
      this.#placed = 0;
    }
    while (this.#placed < this.#count) {
      this.#placed++;
      this.#slots[this.#slotOf(this.#hashOf(this.#placed))] = this.#placed;
    }
  }
}

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
  readonly #index: HashIndex | null;

  constructor(remembers = true) {
    this.#index = remembers ? new HashIndex() : null;
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
    return typeof hash === 'string' ? this.#index?.lineOf(hash) : undefined;
  }

  #accept(record: Sealed, line: number): void {
    this.#index?.add(record.hash, line);
    this.#last = record;
    this.#next = numberOf(record) + 1;
    this.#gap = false;
  }
}
