import type { Mistake, Path, Problem } from '../core/input-error.ts';
import type { NumberText } from '../core/number-text.ts';
import { duplicateKey, setOwn } from '../core/own-property.ts';
import { walkJson, type JsonHandler } from './json-walk.ts';
import type { Places } from './places.ts';

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
  keyAt: number;
}

class ValueBuilder implements JsonHandler {
  root: JsonValue | undefined;
  broken = false;
  more = 0;
  readonly mistakes: Mistake[] = [];
  readonly #limit: number;
  readonly #places: Places | undefined;
  readonly #frames: Frame[] = [];

  constructor(limit: number, places: Places | undefined) {
    this.#limit = limit;
    this.#places = places;
  }

  beginObject(offset: number): void {
    this.#begin({}, offset);
  }

  beginArray(offset: number): void {
    this.#begin([], offset);
  }

  end(): void {
    this.#frames.pop();
  }

  key(name: string, offset: number): void {
    const frame = this.#frames[this.#frames.length - 1];
    if (frame === undefined) return;
    frame.key = name;
    frame.keyAt = offset;
    if (!Object.hasOwn(frame.container, name)) return;
    if (this.mistakes.length >= this.#limit) this.more++;
    else this.mistakes.push({ path: this.#path(), anchor: 'key', problem: duplicateKey(name), offset });
  }

  value(value: JsonValue, offset: number): void {
    const frame = this.#frames[this.#frames.length - 1];
    if (frame === undefined) {
      this.root = value;
      this.#places?.setRoot(value, offset);
    } else if (Array.isArray(frame.container)) {
      this.#places?.set(frame.container, frame.container.length, value, offset);
      frame.container.push(value);
    } else if (!Object.hasOwn(frame.container, frame.key)) {
      this.#places?.set(frame.container, frame.key, value, offset, frame.keyAt);
      setOwn(frame.container, frame.key, value);
    }
  }

  mistake(problem: Problem, offset: number): void {
    this.broken = true;
    this.mistakes.push({ path: this.#path(), anchor: 'value', problem, offset });
  }

  #begin(container: JsonValue[] | Record<string, JsonValue>, offset: number): void {
    this.value(container, offset);
    this.#frames.push({ container, key: '', keyAt: offset });
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

/**
 * Reads a JSON text (RFC 8259: no comments, no trailing commas), reporting at most `limit` duplicate keys in full.
 *
 * @param places - takes the places of all that is read
 */
export function readJson(text: string, limit = 20, places?: Places): JsonReading {
  const builder = new ValueBuilder(limit, places);
  walkJson(text, builder);
  return { value: builder.broken ? undefined : builder.root, mistakes: builder.mistakes, more: builder.more };
}
