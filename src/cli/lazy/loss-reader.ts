import { readDecimal } from '../../document/core/decimal-text.ts';
import type { Problem } from '../../document/core/input-error.ts';
import { NumberText } from '../../document/core/number-text.ts';
import { quote } from '../../document/core/quote.ts';
import { readJson, type JsonValue } from '../../document/syntax/json-read.ts';
import { grouped } from '../../output/kit/prose.ts';

/** Longer lines are not read: a million experts with sixty digits each fit. */
const LONGEST_LINE = 2 ** 26;

/** The bytes of one line without its newline: `bytes[from]` to before `bytes[to]`. */
interface Line {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  /** From 1 on. */
  readonly number: number;
}

/** Cuts bytes into lines, in the memory of the longest line; each is handed on with the piece that completes it. */
class Lines {
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
      const end = piece.indexOf(10, from);
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

const CELL = /\s*(?:"((?:[^"]|"")*)"\s*|([^,]*))(,|$)/y;
const BEGINS_AS_NUMBER = /^(?:[+\-.\d]|(?:nan|inf|infinity|\u221e)$)/i;

/** The cells of a record of comma-separated values, which may stand in double quotes, without the spaces around them. */
function cells(text: string): string[] {
  const texts: string[] = [];
  for (let at = 0; ; at = CELL.lastIndex) {
    CELL.lastIndex = at;
    const match = CELL.exec(text);
    if (match === null) return text.split(',').map((cell) => cell.trim());
    texts.push(match[1]?.replaceAll('""', '"') ?? match[2]!.trim());
    if (match[3] === '') return texts;
  }
}

/**
 * The names in a first line, or null where it has losses: any cell that begins as a number does, with a digit, a sign or a
 * point, makes it a line of losses, and so does one without any text.
 */
function headerNames(text: string): readonly string[] | null {
  const names = cells(text);
  return names.some((name) => BEGINS_AS_NUMBER.test(name)) || names.every((name) => name === '') ? null : names;
}

/** How losses are given, for those whose file cannot be read. */
export const LOSS_FORM = 'Give a text file with one line for each round, such as 0,1,0.5.';
const JSON_FORM = 'Write a line as 0,1,0.5, as [0, 1, 0.5], or as {"a": 0, "b": 1} with the names of the experts.';
const ONE_EACH = 'Give every round one loss for each expert.';

/** A value as it is written; what is no number is in a form that is no number either. */
const valueText = (value: JsonValue): string => (value instanceof NumberText ? value.text : JSON.stringify(value));

/** The losses of a JSON value, as they are written; `names` are null for an array. */
type JsonLosses = { readonly names: readonly string[] | null; readonly values: readonly string[] } | Problem;

function jsonLosses(text: string): JsonLosses {
  const { value, mistakes } = readJson(text, 1);
  const [mistake] = mistakes;
  if (mistake !== undefined) return { ...mistake.problem, hint: mistake.problem.hint || JSON_FORM };
  if (Array.isArray(value)) return { names: null, values: value.map(valueText) };
  if (typeof value !== 'object' || value === null || value instanceof NumberText) {
    return { code: 'wrong-type', message: 'a line of JSON must be an array or an object', hint: JSON_FORM };
  }
  return { names: Object.keys(value), values: Object.values(value).map(valueText) };
}

/** Numbers as most are written, whose value the language itself reads as the nearest double. */
const PLAIN = /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?$/i;
const LONGEST_PLAIN = 40;

/** The loss that is written, as the double nearest to it. */
function lossOf(text: string): number | Problem {
  const plain = text.length <= LONGEST_PLAIN && PLAIN.test(text) ? Number(text) : NaN;
  if (plain <= 1) return plain;
  const value = readDecimal(text);
  const message = `a loss must be a number from 0 to 1, got ${quote(text)}`;
  if ('hint' in value) return { ...value, message };
  const loss = value.toNumber();
  if (loss >= 0 && loss <= 1) return loss + 0;
  return { code: 'out-of-range', message, hint: 'Scale the losses to lie from 0 to 1.' };
}

/** The losses of one round. The same object, with the same array, stands for the next: copy what is to be kept. */
export interface LossRow {
  /** Where it stands, from line 1 on. */
  readonly line: number;
  /** In [0, 1], in the order of the experts. */
  readonly losses: Float64Array;
}

/** Space around a line. */
const AROUND = /^[ \t\r\v\f]+|[ \t\r\v\f]+$/g;

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
export class LossReader {
  readonly #lines = new Lines();
  #mistake: { readonly line: number; readonly problem: Problem | 'one-expert' } | null = null;
  #names: readonly string[] | null = null;
  #places: ReadonlyMap<string, number> = new Map();
  #row: { line: number; readonly losses: Float64Array } | null = null;

  /** `names`: those of experts that are known before anything is read; a first line of names may have them in another order. */
  constructor(names: readonly string[] | null = null) {
    if (names !== null) this.#nameAs(names);
  }

  /** The names of the experts; null where there are none, or nothing was read. */
  get names(): readonly string[] | null {
    return this.#names;
  }

  /** What is wrong, with its line; `one-expert`: it has losses of one expert only. */
  get mistake(): { readonly line: number; readonly problem: Problem | 'one-expert' } | null {
    return this.#mistake;
  }

  /** The rounds that this piece completes. Each is handed on before what follows it is looked at. */
  *rows(piece: Uint8Array): Generator<LossRow, void> {
    for (const line of this.#lines.of(piece)) {
      if (this.#mistake !== null) return;
      if (this.#reads(line)) yield this.#row!;
    }
    if (!this.#lines.isTooLong) return;
    const message = `this line is longer than ${grouped(LONGEST_LINE)} bytes`;
    this.#fail(this.#lines.next, { code: 'out-of-range', message, hint: 'Give one line for each round.' });
  }

  /** The round that ends without a newline, if there is one. */
  *end(): Generator<LossRow, void> {
    if (this.#mistake !== null || this.#lines.isTooLong) return;
    for (const line of this.#lines.rest()) if (this.#reads(line)) yield this.#row!;
  }

  /** Something is wrong, unless something was before. */
  #fail(line: number, problem: Problem | 'one-expert'): false {
    this.#mistake ??= { line, problem };
    return false;
  }

  /** Whether the line is a round; its losses are in the row then. */
  #reads(line: Line): boolean {
    const { bytes, from, to, number } = line;
    let text: string;
    try {
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: number > 1 });
      text = decoder.decode(bytes.subarray(from, to)).replace(AROUND, '');
    } catch {
      const message = 'this line holds bytes that UTF-8 does not have';
      return this.#fail(number, { code: 'not-text', message, hint: LOSS_FORM });
    }
    if (text === '') return false;
    if (!this.#readsText(line, text) || this.#mistake !== null) return false;
    this.#row!.line = number;
    return true;
  }

  #begins({ number }: Line, losses: Float64Array): void {
    this.#row = { line: number, losses };
    if (losses.length <= 1) this.#fail(number, 'one-expert');
  }

  #readsText(line: Line, text: string): boolean {
    if (text.startsWith('[') || text.startsWith('{')) return this.#readsJson(line, text);
    const names = this.#row === null ? headerNames(text) : null;
    if (names === null) return this.#takes(line, text.split(','));
    this.#nameExperts(line, names);
    return false;
  }

  #readsJson(line: Line, text: string): boolean {
    const parsing = jsonLosses(text);
    if (!('values' in parsing)) return this.#fail(line.number, parsing);
    const { names, values } = parsing;
    if (names === null) return this.#takes(line, values);
    if (this.#names === null && this.#row === null) this.#nameExperts(line, names);
    const [places, ordered] = [this.#places, new Array<string>(this.#places.size)];
    const strange = names.find((name) => !places.has(name));
    if (strange !== undefined) {
      const message = `there is no expert ${quote(strange)}`;
      return this.#fail(line.number, { code: 'unknown-name', message, hint: ONE_EACH });
    }
    names.forEach((name, index) => (ordered[places.get(name)!] = values[index]!));
    const missing = this.#names?.find((_, place) => ordered[place] === undefined);
    if (missing === undefined) return this.#takes(line, ordered);
    const message = `expert ${quote(missing)} has no loss here`;
    return this.#fail(line.number, { code: 'missing-key', message, hint: ONE_EACH });
  }

  #nameExperts(line: Line, names: readonly string[]): void {
    const places = new Map(names.map((name, place) => [name, place]));
    const twice = names.find((name, place) => places.get(name) !== place);
    if (names.includes('')) {
      this.#fail(line.number, {
        code: 'unknown-name',
        message: 'an expert has no name',
        hint: 'Name all experts, or none.',
      });
    } else if (twice !== undefined) {
      const message = `two experts are called ${quote(twice)}`;
      this.#fail(line.number, { code: 'duplicate-name', message, hint: 'Give every expert a name of its own.' });
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
    const losses = this.#row?.losses ?? new Float64Array(texts.length);
    if (this.#row === null) this.#begins(line, losses);
    if (texts.length !== losses.length) {
      const message = `this line has ${grouped(texts.length)} losses, the first has ${grouped(losses.length)}`;
      return this.#fail(line.number, { code: 'unequal-lengths', message, hint: ONE_EACH });
    }
    for (const [expert, text] of texts.entries()) {
      const loss = lossOf(text.trim());
      if (typeof loss !== 'number') return this.#fail(line.number, loss);
      losses[expert] = loss;
    }
    return this.#mistake === null;
  }
}
