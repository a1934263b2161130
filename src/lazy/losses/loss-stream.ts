import { headerNames } from './header.ts';
import { Lines, LONGEST_LINE, type Line } from './lines.ts';
import type { LossMistake, LossText, RefusedText } from './loss-text.ts';
import { NOT_PLAIN, readPlainLosses } from './plain-losses.ts';

/** The losses of one round. The same object, with the same array, stands for the next: copy what is to be kept. */
export interface LossRow {
  /** Where it stands, from line 1 on. */
  readonly line: number;
  /** In [0, 1], in the order of the experts. */
  readonly losses: Float64Array;
}

const [TAB, CARRIAGE_RETURN, SPACE, COMMA, OPENING, CLOSING, BRACE] = [9, 13, 32, 44, 91, 93, 123];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

const isBlank = (byte: number | undefined): boolean =>
  byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN || byte === 11 || byte === 12;

function commas({ bytes, from, to }: Line): number {
  let count = 0;
  for (let at = from; at < to; at++) if (bytes[at] === COMMA) count++;
  return count;
}

/**
 * Reads losses from bytes that arrive piece by piece, in the memory of one line. A line is a round: numbers in [0, 1] with
 * commas between the experts, a JSON array of them, or a JSON object from the names of the experts to them; LF or CRLF
 * ends it, and blank lines do not count. A first line in which no cell begins as a number does has the names, and so
 * does a first line that is an object.
 *
 * Nothing is read beyond a mistake.
 *
 * Error: none; a loss is the double nearest to what is written.
 */
export class LossReader<T extends RefusedText> {
  readonly mistakes: LossMistake<T>[] = [];
  readonly #text: LossText<T>;
  readonly #lines = new Lines();
  #names: readonly string[] | null = null;
  #places: ReadonlyMap<string, number> = new Map();
  #row: { line: number; readonly losses: Float64Array } | null = null;

  /** `names`: those of experts that are known before anything is read; a first line of names may have them in another order. */
  constructor(text: LossText<T>, names: readonly string[] | null = null) {
    this.#text = text;
    if (names !== null) this.#nameAs(names);
  }

  /** The names of the experts; null where there are none, or nothing was read. */
  get names(): readonly string[] | null {
    return this.#names;
  }

  /** Whether nothing more is looked at. */
  get isFull(): boolean {
    return this.mistakes.length > 0 || this.#lines.isTooLong;
  }

  /** The rounds that this piece completes. Each is handed on before what follows it is looked at. */
  *rows(piece: Uint8Array): Generator<LossRow, void> {
    for (const line of this.#lines.of(piece)) {
      if (this.isFull) return;
      if (this.#reads(line)) yield this.#row!;
    }
    if (this.#lines.isTooLong) {
      this.mistakes.push({ kind: 'long-line', line: this.#lines.next, longest: LONGEST_LINE });
    }
  }

  /** The round that ends without a newline, if there is one. */
  *end(): Generator<LossRow, void> {
    if (this.isFull) return;
    for (const line of this.#lines.rest()) if (this.#reads(line)) yield this.#row!;
  }

  /** Whether the line is a round; its losses are in the row then. */
  #reads(whole: Line): boolean {
    const line = this.#trimmed(whole);
    if (line.from === line.to) return false;
    const isRead = this.#readsFast(line) || this.#readsSlowly(line);
    if (!isRead || this.mistakes.length > 0) return false;
    this.#row!.line = line.number;
    return true;
  }

  #trimmed(line: Line): Line {
    const { bytes, number } = line;
    let { from, to } = line;
    if (number === 1 && BYTE_ORDER_MARK.every((byte, at) => from + at < to && bytes[from + at] === byte)) from += 3;
    while (from < to && isBlank(bytes[from])) from++;
    while (from < to && isBlank(bytes[to - 1])) to--;
    return { bytes, from, to, number };
  }

  #readsFast(line: Line): boolean {
    const { bytes, from, to } = line;
    const isArray = bytes[from] === OPENING && bytes[to - 1] === CLOSING;
    const into = this.#row?.losses ?? new Float64Array(commas(line) + 1);
    const count = isArray
      ? readPlainLosses(bytes, from + 1, to - 1, into, false)
      : readPlainLosses(bytes, from, to, into, true);
    if (count === NOT_PLAIN || count !== into.length) return false;
    if (this.#row === null) return this.#begins(line, into);
    return true;
  }

  #begins({ number }: Line, losses: Float64Array): boolean {
    this.#row = { line: number, losses };
    if (losses.length > 1) return true;
    this.mistakes.push({ kind: 'one-expert', line: number });
    return false;
  }

  #readsSlowly(line: Line): boolean {
    const { bytes, from, to, number } = line;
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(from, to));
    } catch {
      this.mistakes.push({ kind: 'not-text', line: number });
      return false;
    }
    if (bytes[from] === OPENING || bytes[from] === BRACE) return this.#readsJson(line, text);
    const names = this.#row === null ? headerNames(text) : null;
    if (names === null) return this.#takes(line, text.split(','));
    this.#nameExperts(line, names);
    return false;
  }

  #readsJson(line: Line, text: string): boolean {
    const found = this.#text.json(text);
    if (!('values' in found)) {
      this.mistakes.push({ kind: 'json', line: line.number, trouble: found });
      return false;
    }
    const { names, values } = found;
    if (names === null) return this.#takes(line, values);
    if (this.#names === null && this.#row === null) this.#nameExperts(line, names);
    const [places, ordered] = [this.#places, new Array<string>(this.#places.size)];
    const strange = names.find((name) => !places.has(name));
    names.forEach((name, index) => {
      const place = places.get(name);
      if (place !== undefined) ordered[place] = values[index]!;
    });
    const missing = this.#names?.find((_, place) => ordered[place] === undefined);
    if (strange === undefined && missing === undefined) return this.#takes(line, ordered);
    if (this.mistakes.length === 0 || this.#names !== null) {
      this.mistakes.push(
        strange === undefined
          ? { kind: 'missing-name', line: line.number, name: missing! }
          : { kind: 'unknown-name', line: line.number, name: strange },
      );
    }
    return false;
  }

  #nameExperts(line: Line, names: readonly string[]): void {
    const places = new Map(names.map((name, place) => [name, place]));
    const twice = names.find((name, place) => places.get(name) !== place);
    const nameless = names.includes('');
    if (twice !== undefined || nameless) {
      this.mistakes.push({ kind: nameless ? 'empty-name' : 'repeated-name', line: line.number, name: twice ?? '' });
    }
    this.#nameAs(names);
    this.#begins(line, new Float64Array(names.length));
  }

  #nameAs(names: readonly string[]): void {
    this.#names = names;
    this.#places = new Map(names.map((name, place) => [name, place]));
  }

  /** Takes losses as text, of which one at least may be wrong. */
  #takes(line: Line, texts: readonly string[]): boolean {
    const first = this.#row === null;
    const losses = this.#row?.losses ?? new Float64Array(texts.length);
    if (first) this.#begins(line, losses);
    const before = this.mistakes.length;
    if (texts.length !== losses.length) {
      this.mistakes.push({ kind: 'uneven', line: line.number, found: texts.length, experts: losses.length });
    }
    for (const [expert, cell] of texts.entries()) {
      if (this.isFull) return false;
      const text = cell.trim();
      const value = this.#text.number(text);
      if (typeof value === 'number' && value >= 0 && value <= 1) {
        if (expert < losses.length) losses[expert] = value === 0 ? 0 : value;
      } else {
        const trouble = typeof value === 'number' ? null : value;
        this.mistakes.push({ kind: 'loss', line: line.number, text, trouble });
      }
    }
    return this.mistakes.length === before;
  }
}
