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
