import { MAX_DIGITS, MAX_EXPONENT } from '../document/core/decimal-text.ts';
import type { Range } from '../document/core/ranges.ts';
import { describe as describeText, either, shorten } from '../document/core/quote.ts';
import { didYouMean } from '../document/core/suggest.ts';
import { Decimal } from '../numeric/decimal.ts';

/** Takes a value of an argument, or throws what is wrong with it. */
export type Reader = (value: unknown, at: At) => unknown;

/** A value as a message names it. */
function described(value: unknown): string {
  if (Decimal.isDecimal(value)) return shorten(value.toString());
  if (typeof value === 'number') return `the number ${value}`;
  if (typeof value === 'bigint') return `${value}n`;
  return typeof value === 'function' ? 'a function' : describeText(value);
}

/** A place in the arguments of a call: `compose: problem.entries[0].count`. */
export class At {
  readonly call: string;
  readonly path: string;
  /** The copies of objects that were read in this call before, so that one object stays one. */
  readonly known: Map<object, unknown>;

  constructor(call: string, path: string, known = new Map<object, unknown>()) {
    this.call = call;
    this.path = path;
    this.known = known;
  }

  key(name: string): At {
    return new At(this.call, `${this.path}.${name}`, this.known);
  }

  item(index: number): At {
    return new At(this.call, `${this.path}[${index}]`, this.known);
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

  #says(rule: string, value: unknown): string {
    return `${this.call}: ${this.path} must be ${rule}, got ${described(value)}`;
  }
}

/** The arguments of one call. */
export class Arguments {
  readonly #call: string;
  readonly #known = new Map<object, unknown>();

  constructor(call: string) {
    this.#call = call;
  }

  /**
   * An argument with every decimal in the precision of this library: the same object where nothing in it is otherwise.
   *
   * @throws TypeError for a value of another type, a key that is missing and one that is not known; RangeError for a value
   * out of range
   */
  read<Value>(name: string, value: Value, reader: Reader): Value {
    // A reader returns what it was given, or a copy of it.
    return reader(value, new At(this.#call, name, this.#known)) as Value;
  }
}

/** A value that may be left out. */
interface Optional {
  readonly optional: Reader;
}

/** A value that may be left out. */
export const optional = (reader: Reader): Optional => ({ optional: reader });

/** The readers of the keys of an object. */
export type Fields<Value> = { readonly [Key in keyof Value]-?: Reader | Optional };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Decimal.isDecimal(value);

/** Reads an object or a list once per call: itself where all is as it was, else the copy. */
function once<Value extends object>(
  value: Value,
  { known }: At,
  read: () => { copy: Value; isSame: boolean },
): unknown {
  if (known.has(value)) return known.get(value);
  const { copy, isSame } = read();
  const result = isSame ? value : copy;
  known.set(value, result);
  return result;
}

/**
 * An object with these keys.
 *
 * @param also - keys that may stand there and are not read
 */
export function record<Value>(
  what: string,
  fields: Fields<Value>,
  example: string,
  also: readonly string[] = [],
): Reader {
  const entries = Object.entries<Reader | Optional>(fields);
  const keys = entries.map(([key]) => key);
  return (value, at) => {
    if (!isObject(value)) throw at.wrongType(what, value, `Write ${example}.`);
    return once(value, at, () => {
      const stray = Object.keys(value).find((key) => !keys.includes(key) && !also.includes(key));
      if (stray !== undefined) {
        const absent = keys.filter((key) => value[key] === undefined);
        throw at.key(stray).unknown(`${what} has ${either(keys)}`, `${didYouMean(stray, absent)}Write ${example}.`);
      }
      const copy: Record<string, unknown> = { ...value };
      let isSame = true;
      for (const [key, field] of entries) {
        const own = value[key];
        if (typeof field !== 'function' && own === undefined) continue;
        const read = typeof field === 'function' ? field : field.optional;
        copy[key] = read(own, at.key(key));
        isSame &&= copy[key] === own;
      }
      return { copy, isSame };
    });
  };
}

/** A list of at least so many values. */
export const listOf =
  (item: Reader, what: string, least: 0 | 1 = 1): Reader =>
  (value, at) => {
    const rule = `a list of ${what}`;
    if (!Array.isArray(value)) throw at.wrongType(rule, value, 'Write it in brackets: [...].');
    const items: readonly unknown[] = value;
    if (items.length < least) throw at.outOfRange(`${rule}, at least one`, value, 'Put one into the list.');
    return once(items, at, () => {
      // Holes are read too, as undefined.
      const copy = Array.from(items, (each, index) => item(each, at.item(index)));
      return { copy, isSame: copy.every((each, index) => each === items[index]) };
    });
  };

/** An object that is read by the word which it has under a key. */
export const byWord =
  (key: string, readers: Readonly<Record<string, Reader>>, what: string, example: string): Reader =>
  (value, at) => {
    if (!isObject(value)) throw at.wrongType(what, value, `Write ${example}.`);
    const word = value[key];
    const words = Object.keys(readers);
    const read = typeof word === 'string' && words.includes(word) ? readers[word] : undefined;
    if (read !== undefined) return read(value, at);
    oneOf(words)(word, at.key(key));
    throw at.wrongType(what, value, `Write ${example}.`);
  };

/** One of several words. */
export const oneOf =
  (words: readonly string[]): Reader =>
  (value, at) => {
    if (typeof value === 'string' && words.includes(value)) return value;
    const meant = typeof value === 'string' ? didYouMean(value, words) : '';
    const rule = either(words.map((word) => `"${word}"`));
    const remedy = `${meant}Write one of them, such as "${words[0] ?? ''}".`;
    throw typeof value === 'string' ? at.outOfRange(rule, value, remedy) : at.wrongType(rule, value, remedy);
  };

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

/** A decimal in a range, in the precision of this library: those of another context would be rounded to its digits. */
export const decimal = (
  { allowed, contains }: Pick<Range, 'allowed' | 'contains'>,
  example = '1',
  { isInfinityToo = false } = {},
): Reader => {
  const rule = decimalRule(allowed);
  return (value, at) => {
    if (!Decimal.isDecimal(value)) {
      const isNumber = (typeof value === 'number' || typeof value === 'string') && NUMERAL.test(String(value));
      const text = isNumber ? String(value) : example;
      throw at.wrongType(rule, value, `Write new Decimal('${text}'), with the Decimal of dpcompose.`);
    }
    const own = value.constructor === Decimal ? value : new Decimal(value);
    const isFinite = own.isFinite();
    if ((!isFinite && !isInfinityToo) || own.isNaN() || !contains(own)) {
      throw at.outOfRange(rule, own, `Write one in that range, such as new Decimal('${example}').`);
    }
    if (isFinite && !isUsable(own)) {
      const magnitude = `0 or of magnitude 1e-${MAX_EXPONENT} to 1e${MAX_EXPONENT}, with at most ${MAX_DIGITS} digits`;
      throw at.outOfRange(magnitude, own, 'Round it to the side that is safe for you.');
    }
    return own;
  };
};

/** A number of JavaScript. */
export const number =
  (rule: string, example: string, contains: (value: number) => boolean): Reader =>
  (value, at) => {
    const remedy = `Write ${rule}, such as ${example}.`;
    if (typeof value !== 'number') throw at.wrongType(rule, value, remedy);
    if (!contains(value)) throw at.outOfRange(rule, value, remedy);
    return value;
  };

/** A whole number of JavaScript from one to another. */
export const whole = (least: number, most = Number.MAX_SAFE_INTEGER): Reader =>
  number(
    `a whole number from ${least} to ${most === Number.MAX_SAFE_INTEGER ? '2^53 - 1' : most}`,
    String(Math.max(1, least)),
    (value) => Number.isSafeInteger(value) && value >= least && value <= most,
  );

/** A reader that checks the JavaScript type alone. */
const typed =
  (rule: string, remedy: string, isRight: (value: unknown) => boolean): Reader =>
  (value, at) => {
    if (!isRight(value)) throw at.wrongType(rule, value, remedy);
    return value;
  };

export const text = typed('a text', 'Write it in quotes.', (value) => typeof value === 'string');

export const flag = typed('true or false', 'Write one of the two.', (value) => typeof value === 'boolean');

export const callback = typed('a function', 'Write () => ... .', (value) => typeof value === 'function');

/** An object that this library made itself. */
export const made = (rule: string, remedy: string, isRight: (value: object) => boolean): Reader =>
  typed(rule, remedy, (value) => typeof value === 'object' && value !== null && isRight(value));

/** That, or null. */
export const orNull =
  (reader: Reader): Reader =>
  (value, at) =>
    value === null ? null : reader(value, at);
