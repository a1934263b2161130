/** Dots that are drawn as characters, several dots to one. */
export interface DotCanvas {
  /** In dots. */
  readonly width: number;
  readonly height: number;
  /** Sets the dot in column x, row y (from the top); `letter` is what an ASCII canvas shows there. */
  readonly set: (x: number, y: number, letter: string) => void;
  /** Puts a character in the place of the dots around (x, y), unless another one stands there. */
  readonly write: (x: number, y: number, character: string) => void;
  readonly rows: () => readonly string[];
}

/** How a canvas is made of so many columns and rows of characters. */
export interface Dots {
  /** Dots in one character. */
  readonly across: number;
  readonly down: number;
  /** The character of the dots that are set, as bits, or what was put there. */
  readonly character: (bits: number, letter: string) => string;
}

/** The bit of each dot of a braille character, row by row. */
const BRAILLE_BITS = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80];

/** Two by four dots in each character (Unicode U+2800 to U+28FF). */
export const BRAILLE: Dots = {
  across: 2,
  down: 4,
  character: (bits) => (bits === 0 ? ' ' : String.fromCodePoint(0x2800 + bits)),
};

/** One dot in each character, shown as the letter of its line. */
export const LETTERS: Dots = { across: 1, down: 1, character: (bits, letter) => (bits === 0 ? ' ' : letter) };

/** An empty canvas. */
export function dotCanvas(columns: number, rows: number, { across, down, character }: Dots): DotCanvas {
  const bits = new Uint8Array(columns * rows);
  const letters = new Map<number, string>();
  const written = new Map<number, string>();
  const cellOf = (x: number, y: number): number => Math.floor(y / down) * columns + Math.floor(x / across);
  return {
    width: columns * across,
    height: rows * down,
    set(x, y, letter) {
      const cell = cellOf(x, y);
      bits[cell]! |= BRAILLE_BITS[(y % down) * across + (x % across)]!;
      if (!letters.has(cell)) letters.set(cell, letter);
    },
    write(x, y, letter) {
      const cell = cellOf(x, y);
      if (!written.has(cell)) written.set(cell, letter);
    },
    rows: () =>
      Array.from({ length: rows }, (_, row) =>
        Array.from({ length: columns }, (_, column) => {
          const cell = row * columns + column;
          return written.get(cell) ?? character(bits[cell]!, letters.get(cell) ?? '');
        }).join(''),
      ),
  };
}
