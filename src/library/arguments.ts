import { MAX_DIGITS, MAX_EXPONENT } from '../document/core/decimal-text.ts';
import type { Problem } from '../document/core/input-error.ts';
import { describe as describeText, either, shorten } from '../document/core/quote.ts';
import { didYouMean } from '../document/core/suggest.ts';
import { Decimal } from '../numeric/decimal.ts';
import type { Range } from '../privacy/mechanisms/parameters.ts';

/** Throws what is wrong with a value of an argument. */
export interface Reader {
  (value: unknown, at: At): void;
  /** How one is written: `new Decimal('0.1')`. */
  readonly example: string;
}

export const reader = (example: string, check: (value: unknown, at: At) => void): Reader =>
  Object.assign(check, { example });

/** A value as a message names it. */
function described(value: unknown): string {
  if (Decimal.isDecimal(value)) return shorten(value.toString());
  if (typeof value === 'number') return `the number ${value}`;
  if (typeof value === 'bigint') return `${value}n`;
  return typeof value === 'function' ? 'a function' : describeText(value);
}

/** A place in the arguments of a call: `compose: problem.entries[0].count`. */
class At {
  readonly call: string;
  readonly path: string;

  constructor(call: string, path: string) {
    this.call = call;
    this.path = path;
  }

  key(name: string): At {
    return new At(this.call, `${this.path}.${name}`);
  }

  item(index: number): At {
    return new At(this.call, `${this.path}[${index}]`);
  }

  /** A value of another type than is wanted. */
  wrongType(rule: string, value: unknown, remedy: string): TypeError {
    return new TypeError(`${this.#says(rule, value)}. ${remedy}`);
  }

  /** A key that means nothing. */
  unknown(rule: string, remedy: string): TypeError {
    return new TypeError(`${this.call}: ${this.path} means nothing: ${rule}. ${remedy}`);
  }

  /** A value of the right type that may not be. */
  outOfRange(rule: string, value: unknown, remedy: string): RangeError {
    return new RangeError(`${this.#says(rule, value)}. ${remedy}`);
  }

  /** What is wrong with a value, as it is said of one in a document. */
  inDocument({ message, hint }: Problem): RangeError {
    return new RangeError(`${this.call}: ${this.path}: ${message}. ${hint}`);
  }

  #says(rule: string, value: unknown): string {
    return `${this.call}: ${this.path} must be ${rule}, got ${described(value)}`;
  }
}

/**
 * A value with every decimal in the precision of this library, as those of another context would be rounded to its digits: itself
 * where nothing in it is otherwise. What `copies` holds was copied before, so that one object stays one.
 */
function inOwnPrecision(value: unknown, copies: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (Decimal.isDecimal(value)) return value.constructor === Decimal ? value : new Decimal(value);
  if (copies.has(value)) return copies.get(value);
  copies.set(value, value);
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? Array.from(value as unknown[])
    : { ...value };
  for (const [key, member] of Object.entries(copy)) Reflect.set(copy, key, inOwnPrecision(member, copies));
  const isSame = Object.entries(value).every(([key, member]) => Reflect.get(copy, key) === member);
  copies.set(value, isSame ? value : copy);
  return isSame ? value : copy;
}

/** The arguments of one call. */
export class Arguments {
  readonly #call: string;
  readonly #known = new Map<object, unknown>();

  constructor(call: string) {
    this.#call = call;
  }

  /**
   * An argument with every decimal in the precision of this library.
   *
   * @throws TypeError for a value of another type, a key that is missing and one that is not known; RangeError for a value
   * out of range
   */
  read<Value>(name: string, value: Value, check: Reader): Value {
    const own = inOwnPrecision(value, this.#known) as Value;
    check(own, new At(this.#call, name));
    return own;
  }
}

/** A value that may be left out. */
interface Optional {
  readonly optional: Reader;
}

/** A value that may be left out. */
export const optional = (inner: Reader): Optional => ({ optional: inner });

/** What a reader takes, for which more must hold: `more` throws where it does not. */
export const refined = (inner: Reader, more: (value: never, at: At) => void): Reader =>
  reader(inner.example, (value, at) => {
    inner(value, at);
    more(value as never, at);
  });

/** The readers of the keys of an object. */
export type Fields<Value> = { readonly [Key in keyof Value]-?: Reader | Optional };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Decimal.isDecimal(value);

/** Whether a value is an object with a key. */
export const has = (value: unknown, key: string): boolean => isObject(value) && key in value;

/** `{ epsilon: new Decimal('0.1') }`: the keys that must be there. */
const exampleOf = (entries: readonly (readonly [string, Reader | Optional])[]): string =>
  `{ ${entries.flatMap(([key, field]) => (typeof field === 'function' ? [`${key}: ${field.example}`] : [])).join(', ')} }`;

/**
 * An object with these keys.
 *
 * @param also - keys that may stand there and are not read
 */
export function record<Value>(
  what: string,
  fields: Fields<Value>,
  example?: string,
  also: readonly string[] = [],
): Reader {
  const entries = Object.entries<Reader | Optional>(fields);
  const keys = entries.map(([key]) => key);
  const exampleText = example ?? exampleOf(entries);
  return reader(exampleText, (value, at) => {
    if (!isObject(value)) throw at.wrongType(what, value, `Write ${exampleText}.`);
    const stray = Object.keys(value).find((key) => !keys.includes(key) && !also.includes(key));
    if (stray !== undefined) {
      const absent = keys.filter((key) => value[key] === undefined);
      throw at.key(stray).unknown(`${what} has ${either(keys)}`, `${didYouMean(stray, absent)}Write ${exampleText}.`);
    }
    for (const [key, field] of entries) {
      if (typeof field === 'function') field(value[key], at.key(key));
      else if (value[key] !== undefined) field.optional(value[key], at.key(key));
    }
  });
}

/** A list of at least so many values. */
export const listOf = (item: Reader, what: string, minimum: 0 | 1 = 1): Reader =>
  reader('[...]', (value, at) => {
    const rule = `a list of ${what}`;
    if (!Array.isArray(value)) throw at.wrongType(rule, value, 'Write it in brackets: [...].');
    const items: readonly unknown[] = value;
    if (items.length < minimum) throw at.outOfRange(`${rule}, at least one`, value, 'Put one into the list.');
    // Holes are looked at too, as undefined.
    for (const [index, element] of items.entries()) item(element, at.item(index));
  });

/** One of several words. */
export const oneOf = (words: readonly string[]): Reader =>
  reader(`'${words[0] ?? ''}'`, (value, at) => {
    if (typeof value === 'string' && words.includes(value)) return;
    const meant = typeof value === 'string' ? didYouMean(value, words) : '';
    const rule = either(words.map((word) => `"${word}"`));
    const remedy = `${meant}Write one of them, such as "${words[0] ?? ''}".`;
    throw typeof value === 'string' ? at.outOfRange(rule, value, remedy) : at.wrongType(rule, value, remedy);
  });

/** An object that is read by the word which it has under a key. */
export function byWord(key: string, readers: Readonly<Record<string, Reader>>, what: string): Reader {
  const words = Object.keys(readers);
  const { example } = readers[words[0]!]!;
  return reader(example, (value, at) => {
    if (!isObject(value)) throw at.wrongType(what, value, `Write ${example}.`);
    oneOf(words)(value[key], at.key(key));
    readers[value[key] as string]!(value, at);
  });
}

/** The other keys of the objects of a union that may have a word under a key. */
type Beside<Value, Key extends keyof Value, Word> = Value extends unknown
  ? Word extends Value[Key]
    ? Omit<Value, Key>
    : never
  : never;

/** An object of one of several kinds, which the word under a key tells: what one of each kind is, and its other keys. */
export const kinds = <Value, Key extends keyof Value & string>(
  key: Key,
  what: string,
  fieldsOfKind: {
    readonly [Word in Value[Key] & string]: readonly [what: string, fields: Fields<Beside<Value, Key, Word>>];
  },
  example?: string,
): Reader =>
  byWord(
    key,
    Object.fromEntries(
      Object.entries<readonly [string, object]>(fieldsOfKind).map(([word, [own, fields]]) => [
        word,
        record<object>(own, { [key]: oneOf([word]), ...fields }, example),
      ]),
    ),
    what,
  );

const LARGEST = new Decimal(`1e${MAX_EXPONENT}`);
const SMALLEST = new Decimal(`1e-${MAX_EXPONENT}`);

/** Whether sums and products of such numbers are exact. */
const isUsable = (value: Decimal): boolean =>
  value.isZero() || (value.abs().gte(SMALLEST) && value.abs().lte(LARGEST) && value.precision() <= MAX_DIGITS);

const NUMERAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** `a Decimal of at least 0`. */
const decimalRule = (allowed: string): string =>
  allowed
    .replace(/^a number/, 'a Decimal')
    .replace(/^a whole/, 'a Decimal that is a whole')
    .replace(String(Number.MAX_SAFE_INTEGER), '2^53 - 1');

/** A decimal in a range. */
export function decimal(
  { allowed, contains, example = '1' }: Pick<Range, 'allowed' | 'contains'> & { readonly example?: string },
  { isInfinityToo = false } = {},
): Reader {
  const rule = decimalRule(allowed);
  return reader(`new Decimal('${example}')`, (value, at) => {
    if (!Decimal.isDecimal(value)) {
      const isNumber = (typeof value === 'number' || typeof value === 'string') && NUMERAL.test(String(value));
      const text = isNumber ? String(value) : example;
      throw at.wrongType(rule, value, `Write new Decimal('${text}'), with the Decimal of dpcompose.`);
    }
    const isFinite = value.isFinite();
    if ((!isFinite && !isInfinityToo) || value.isNaN() || !contains(value)) {
      throw at.outOfRange(rule, value, `Write one in that range, such as new Decimal('${example}').`);
    }
    if (isFinite && !isUsable(value)) {
      const magnitude = `0 or of magnitude 1e-${MAX_EXPONENT} to 1e${MAX_EXPONENT}, with at most ${MAX_DIGITS} digits`;
      throw at.outOfRange(magnitude, value, 'Round it to the side that is safe for you.');
    }
  });
}

/** A number of JavaScript. */
export const number = (rule: string, example: string, contains: (value: number) => boolean): Reader =>
  reader(example, (value, at) => {
    const remedy = `Write ${rule}, such as ${example}.`;
    if (typeof value !== 'number') throw at.wrongType(rule, value, remedy);
    if (!contains(value)) throw at.outOfRange(rule, value, remedy);
  });

/** A whole number of JavaScript from one to another. */
export const whole = (minimum: number, maximum = Number.MAX_SAFE_INTEGER): Reader =>
  number(
    `a whole number from ${minimum} to ${maximum === Number.MAX_SAFE_INTEGER ? '2^53 - 1' : maximum}`,
    String(Math.max(1, minimum)),
    (value) => Number.isSafeInteger(value) && value >= minimum && value <= maximum,
  );

/** A value of one JavaScript type, or one that this library made itself. */
export const typed = (rule: string, remedy: string, isRight: (value: unknown) => boolean, example = '...'): Reader =>
  reader(example, (value, at) => {
    if (!isRight(value)) throw at.wrongType(rule, value, remedy);
  });

export const text = typed('a text', 'Write it in quotes.', (value) => typeof value === 'string', "'...'");

export const flag = typed('true or false', 'Write one of the two.', (value) => typeof value === 'boolean', 'false');

export const callback = typed('a function', 'Write () => ... .', (value) => typeof value === 'function', '() => ...');

/** That, or null. */
export const orNull = (inner: Reader): Reader =>
  reader('null', (value, at) => {
    if (value !== null) inner(value, at);
  });

/** That, or a word. */
export const orWord = (word: string, inner: Reader): Reader =>
  reader(`'${word}'`, (value, at) => {
    if (value !== word) inner(value, at);
  });

/** That where an object has a key, else the other. */
export const whereKey = (keys: readonly string[], inner: Reader, other: Reader): Reader =>
  reader(other.example, (value, at) => {
    (keys.some((key) => has(value, key)) ? inner : other)(value, at);
  });
