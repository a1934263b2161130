import type { Mistake, Problem } from '../core/input-error.ts';
import { NumberText } from '../core/number-text.ts';
import { duplicateKey, setOwn } from '../core/own-property.ts';
import { quote } from '../core/quote.ts';
import { noReading, type DocumentSyntax } from '../syntax/document-syntax.ts';
import type { JsonValue } from '../syntax/json-read.ts';
import { tooDeep } from '../syntax/json-syntax.ts';
import { MAX_DEPTH } from '../syntax/json-walk.ts';
import { Places } from '../syntax/places.ts';
import { EVENT_FIELDS } from './conversion.ts';

const HINT = 'Give an event as Python prints it, such as GaussianDpEvent(noise_multiplier=1.1), or a list of triples.';

const invalid = (message: string, hint = HINT): Problem => ({ code: 'invalid-python', message, hint });

/** What makes it impossible to read on. */
class Trouble extends Error {
  readonly problem: Problem;
  readonly offset: number;

  constructor(problem: Problem, offset: number) {
    super(problem.message);
    this.problem = problem;
    this.offset = offset;
  }
}

const SPACE = /(?:\s|#[^\n]*|\\\n)*/y;
const IMPORTS = /(?:(?:import|from)[ \t][^\n]*(?:\n|$)(?:\s|#[^\n]*)*)*/y;
const ASSIGNMENT = /[A-Za-z_]\w*\s*=(?!=)/y;
const NAME = /[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/y;
const NUMBER = /[+-]?(?:\.\d|\d)[\w.]*(?:(?<=[eE])[+-]\d+)?/y;
const TEXT = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y;
const STROKE = /\/(?!\/)/y;

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** Functions whose value is that of their argument. */
const NUMBERS = /^(?:float|int|(?:np|numpy)\.(?:float|int|uint)\d*_?)$/;
const OBJECTS = /^(?:collections\.)?(?:OrderedDict|dict)$/;
const WORDS: Readonly<Record<string, JsonValue>> = { None: null, True: true, False: false };
const NOT_FINITE = /^(?:(?:math|np|numpy)\.)?(?:inf|nan)$/;

class PythonReader {
  readonly places = new Places();
  readonly mistakes: Mistake[] = [];
  more = 0;
  readonly #text: string;
  readonly #limit: number;
  #at = 0;

  constructor(text: string, limit: number) {
    this.#text = text;
    this.#limit = limit;
  }

  document(): JsonValue {
    this.#take(SPACE);
    this.#take(IMPORTS);
    this.#take(ASSIGNMENT);
    const value = this.#value(0);
    this.#take(SPACE);
    if (this.#at < this.#text.length) this.#fail(invalid(`nothing may follow the value, got ${this.#ahead()}`));
    return value;
  }

  /** Where a value begins that stands next. */
  #start(): number {
    this.#take(SPACE);
    return this.#at;
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const [token] = pattern.exec(this.#text) ?? [];
    if (token === undefined) return null;
    this.#at += token.length;
    return token;
  }

  #ahead(): string {
    return this.#at < this.#text.length ? quote(this.#text.slice(this.#at, this.#at + 20)) : 'its end';
  }

  #fail(problem: Problem, offset = this.#at): never {
    throw new Trouble(problem, offset);
  }

  #takes(character: string): boolean {
    this.#take(SPACE);
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #value(depth: number): JsonValue {
    this.#take(SPACE);
    if (depth > MAX_DEPTH) this.#fail(tooDeep(MAX_DEPTH));
    const opening = this.#text[this.#at] ?? '';
    if (opening === '(' || opening === '[') {
      this.#at += 1;
      return this.#list(CLOSING[opening]!, depth);
    }
    if (opening === '{') {
      this.#at += 1;
      return this.#object(depth);
    }
    const number = this.#take(NUMBER);
    if (number !== null) return this.#quotient(number);
    const text = this.#take(TEXT);
    if (text !== null) return text.slice(1, -1).replaceAll(/\\(['"\\])/g, '$1');
    const at = this.#at;
    const name = this.#take(/-?/y) === '-' ? `-${this.#take(NAME) ?? ''}` : this.#take(NAME);
    if (name === null || name === '-') this.#fail(invalid(`a value must stand here, got ${this.#ahead()}`), at);
    return this.#named(name, at, depth);
  }

  /** `256/60000` as text; a number by itself. */
  #quotient(above: string): JsonValue {
    this.#take(SPACE);
    if (this.#take(STROKE) === null) return new NumberText(above);
    this.#take(SPACE);
    const below = this.#take(NUMBER);
    if (below === null) this.#fail(invalid(`a number must stand below the stroke, got ${this.#ahead()}`));
    return `${above}/${below}`;
  }

  #named(name: string, at: number, depth: number): JsonValue {
    if (Object.hasOwn(WORDS, name)) return WORDS[name]!;
    if (NOT_FINITE.test(name.replace(/^-/, ''))) return new NumberText(name);
    if (!this.#takes('(')) this.#fail(invalid(`${quote(name)} is no value that is read here`), at);
    const last = name.split('.').at(-1)!;
    if (NUMBERS.test(name)) return this.#onlyOf(this.#list(')', depth), name, at);
    if (OBJECTS.test(name)) return this.#pairs(this.#list(')', depth), at);
    if (last.endsWith('DpEvent')) return this.#call(last, depth, at);
    this.#fail(invalid(`${quote(name)} is neither an event of dp_accounting nor a value`), at);
  }

  #onlyOf(items: readonly JsonValue[], name: string, at: number): JsonValue {
    const [only] = items;
    if (only === undefined || items.length > 1) this.#fail(invalid(`${quote(name)} takes one number`), at);
    return typeof only === 'string' ? new NumberText(only) : only;
  }

  /** The object that a list of pairs, or another object, makes. */
  #pairs([first = [], ...more]: readonly JsonValue[], at: number): JsonValue {
    if (more.length > 0 || first === null || typeof first !== 'object' || first instanceof NumberText) {
      this.#fail(invalid('a list of pairs must stand here'), at);
    }
    if (!Array.isArray(first)) return first;
    const object: Record<string, JsonValue> = {};
    first.forEach((pair) => {
      const [key, value, ...rest] = Array.isArray(pair) ? pair : [];
      if (typeof key !== 'string' || value === undefined || rest.length > 0) {
        this.#fail(invalid('a list of pairs must stand here'), at);
      }
      const valueAt = this.places.of(pair as object, 1) ?? at;
      this.#member(object, key, value, valueAt, valueAt);
    });
    return object;
  }

  #member(object: Record<string, JsonValue>, key: string, value: JsonValue, valueAt: number, keyAt: number): void {
    if (!Object.hasOwn(object, key)) {
      setOwn(object, key, value);
      this.places.set(object, key, value, valueAt, keyAt);
    } else if (this.mistakes.length >= this.#limit) this.more++;
    else this.mistakes.push({ path: [], anchor: 'key', problem: duplicateKey(key), offset: keyAt });
  }

  /** What stands between here and a closing bracket, with commas between. */
  #items(closing: string, readItem: () => void): void {
    while (!this.#takes(closing)) {
      readItem();
      if (this.#takes(closing)) return;
      if (!this.#takes(',')) {
        const expected = `a comma or ${quote(closing)} must stand here, got ${this.#ahead()}`;
        this.#fail(invalid(expected));
      }
    }
  }

  #list(closing: string, depth: number): JsonValue[] {
    const list: JsonValue[] = [];
    this.#items(closing, () => {
      const valueAt = this.#start();
      const value = this.#value(depth + 1);
      this.places.set(list, list.length, value, valueAt);
      list.push(value);
    });
    return list;
  }

  #object(depth: number): JsonValue {
    const object: Record<string, JsonValue> = {};
    this.#items('}', () => {
      const keyAt = this.#start();
      const key = this.#value(depth + 1);
      if (typeof key !== 'string') this.#fail(invalid('a key must be text'), keyAt);
      if (!this.#takes(':')) this.#fail(invalid(`a colon must follow the key, got ${this.#ahead()}`));
      const valueAt = this.#start();
      this.#member(object, key, this.#value(depth + 1), valueAt, keyAt);
    });
    return object;
  }

  /** `GaussianDpEvent(noise_multiplier=1.1)`, attributes by name or in the order of the constructor. */
  #call(name: string, depth: number, at: number): JsonValue {
    const object: Record<string, JsonValue> = { class_name: name };
    this.places.set(object, 'class_name', name, at);
    const fields = Object.hasOwn(EVENT_FIELDS, name) ? EVENT_FIELDS[name]! : [];
    let index = 0;
    this.#items(')', () => {
      const keyAt = this.#start();
      const keyword = this.#take(ASSIGNMENT)?.replace(/\s*=$/, '');
      const key = keyword ?? fields[index] ?? `argument ${index + 1}`;
      index += 1;
      const valueAt = this.#start();
      this.#member(object, key, this.#value(depth + 1), valueAt, keyAt);
    });
    return object;
  }
}

/**
 * Reads what Python prints of the events of dp_accounting (`PoissonSampledDpEvent(sampling_probability=0.01, event=...)`),
 * or calls that make them, and of lists, tuples and dictionaries of numbers and text, such as the history of an accountant.
 * Events become objects with a `class_name`; quotients such as `256/60000` text. Imports before them, a name to which they are
 * assigned, and comments are passed over; nothing is evaluated.
 */
export const PYTHON_SYNTAX: DocumentSyntax = (text, limit) => {
  const reader = new PythonReader(text, limit);
  try {
    const value = reader.document();
    const { mistakes, more, places } = reader;
    places.setRoot(value, Math.max(0, text.search(/\S/)));
    return { value, mistakes, more, offsetOf: places.offsetOf };
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    return noReading([{ path: [], anchor: 'value', problem: error.problem, offset: error.offset }]);
  }
};

/** So much of a text is looked at, in bytes. */
const HEAD = 4096;

/** An import, a call or what it is assigned to, or what no JSON begins with: tuples, text in single quotes. */
const PYTHON = /^(?:(?:from|import)[ \t]|[A-Za-z_][\w.]*\s*[(=]|\(|\[\s*(?:\(|[A-Za-z_][\w.]*\()|\{\s*')/;

/** Whether a text is Python, by what it begins with, comments passed over. */
export function isPython(input: Uint8Array): boolean {
  const head = new TextDecoder('utf-8').decode(input.subarray(0, HEAD));
  return PYTHON.test(head.replace(/^(?:\s|#[^\n]*(?:\n|$))*/, ''));
}
