const NEWLINE = 10;

/** Longer lines are not read: a million experts with sixty digits each fit. */
export const LONGEST_LINE = 2 ** 26;

/** The bytes of one line without its newline: `bytes[from]` to before `bytes[to]`. */
export interface Line {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  /** From 1 on. */
  readonly number: number;
}

/** Cuts bytes into lines, in the memory of the longest line; each is handed on with the piece that completes it. */
export class Lines {
  #number = 0;
  #rest = new Uint8Array(0);
  #length = 0;

  /** Whether more than {@link LONGEST_LINE} bytes came without a newline; then nothing more is read. */
  get isTooLong(): boolean {
    return this.#length > LONGEST_LINE;
  }

  /** The line that is not complete, counted from 1. */
  get next(): number {
    return this.#number + 1;
  }

  /** The lines that this piece completes; each is read before the next is asked for, and its bytes are not kept. */
  *of(piece: Uint8Array): Generator<Line, void> {
    let from = 0;
    if (this.isTooLong) return;
    for (;;) {
      const end = piece.indexOf(NEWLINE, from);
      if (end < 0) {
        this.#keep(piece, from, piece.length);
        return;
      }
      if (this.#length === 0) yield { bytes: piece, from, to: end, number: ++this.#number };
      else {
        this.#keep(piece, from, end);
        if (this.#length > LONGEST_LINE) return;
        yield* this.rest();
      }
      from = end + 1;
    }
  }

  /** What stands after the last newline, as a line. */
  *rest(): Generator<Line, void> {
    const to = this.#length;
    this.#length = 0;
    if (to > 0) yield { bytes: this.#rest, from: 0, to, number: ++this.#number };
  }

  #keep(piece: Uint8Array, from: number, to: number): void {
    const length = this.#length + to - from;
    if (length > LONGEST_LINE) {
      this.#length = length;
      return;
    }
    if (length > this.#rest.length) {
      const larger = new Uint8Array(2 * length);
      larger.set(this.#rest.subarray(0, this.#length));
      this.#rest = larger;
    }
    this.#rest.set(piece.subarray(from, to), this.#length);
    this.#length = length;
  }
}
