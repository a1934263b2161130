import { duplicateKey } from '../core/own-property.ts';
import type { Mistake, Path, Problem } from '../core/input-error.ts';
import type { NumberText } from '../core/number-text.ts';
import { setOwn } from '../core/own-property.ts';
import { walkJson, type JsonHandler } from './json-walk.ts';

/** A JSON value whose numbers are the text that was written. */
export type JsonValue = string | boolean | null | NumberText | JsonValue[] | { [key: string]: JsonValue };

/** The value of a JSON text. Duplicate keys leave a value (the first one counts); any other mistake leaves none. */
export interface JsonReading {
  readonly value: JsonValue | undefined;
  readonly mistakes: readonly Mistake[];
  /** How many further duplicate keys there are. */
  readonly more: number;
}

interface Frame {
  readonly container: JsonValue[] | Record<string, JsonValue>;
  key: string;
}

class ValueBuilder implements JsonHandler {
  root: JsonValue | undefined;
  broken = false;
  more = 0;
  readonly mistakes: Mistake[] = [];
  readonly #limit: number;
  readonly #frames: Frame[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  beginObject(): void {
    this.#begin({});
  }

  beginArray(): void {
    this.#begin([]);
  }

  end(): void {
    this.#frames.pop();
  }

  key(name: string, offset: number): void {
    const frame = this.#frames[this.#frames.length - 1];
    if (frame === undefined) return;
    frame.key = name;
    if (!Object.hasOwn(frame.container, name)) return;
    if (this.mistakes.length >= this.#limit) this.more++;
    else this.mistakes.push({ path: this.#path(), anchor: 'key', problem: duplicateKey(name), offset });
  }

  value(value: JsonValue): void {
    const frame = this.#frames[this.#frames.length - 1];
    if (frame === undefined) this.root = value;
    else if (Array.isArray(frame.container)) frame.container.push(value);
    else if (!Object.hasOwn(frame.container, frame.key)) setOwn(frame.container, frame.key, value);
  }

  mistake(problem: Problem, offset: number): void {
    this.broken = true;
    this.mistakes.push({ path: this.#path(), anchor: 'value', problem, offset });
  }

  #begin(container: JsonValue[] | Record<string, JsonValue>): void {
    this.value(container);
    this.#frames.push({ container, key: '' });
  }

  /** The path of what is read now; a list that something is open in holds it already. */
  #path(): Path {
    const innermost = this.#frames.length - 1;
    return this.#frames
      .map(({ container, key }, depth) =>
        Array.isArray(container) ? container.length - (depth < innermost ? 1 : 0) : key,
      )
      .filter((step) => step !== '');
  }
}

/** Reads a JSON text (RFC 8259: no comments, no trailing commas), reporting at most `limit` duplicate keys in full. */
export function readJson(text: string, limit = 20): JsonReading {
  const builder = new ValueBuilder(limit);
  walkJson(text, builder);
  return { value: builder.broken ? undefined : builder.root, mistakes: builder.mistakes, more: builder.more };
}
