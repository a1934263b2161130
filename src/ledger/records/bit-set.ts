/** A set of small whole numbers, in a bit for each up to the largest. */
export class BitSet {
  #bytes = new Uint8Array(64);

  add(number: number): void {
    const at = number >> 3;
    if (at >= this.#bytes.length) {
      const larger = new Uint8Array(2 * (at + 1));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[at] = this.#bytes[at]! | (1 << (number & 7));
  }

  has(number: number): boolean {
    return ((this.#bytes[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;
  }
}
