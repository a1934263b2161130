import { Decimal } from '../../numeric/decimal.ts';
import { describe, quote } from '../core/quote.ts';
import type { Mistake, Path, Problem } from '../core/input-error.ts';
import { NumberText } from '../core/number-text.ts';
import { didYouMean } from '../core/suggest.ts';
import type { JsonValue } from '../syntax/json-read.ts';
import { decimalIn } from './event-numbers.ts';

export type JsonObject = Readonly<Record<string, JsonValue>>;

/** Where an element of a specification comes from: its place in the event list, and those of its keys. */
export interface Origin {
  readonly path: Path;
  readonly keys: ReadonlyMap<string, Path>;
}

/** How often an event is repeated by the events that hold it, and where that is written. */
export interface Repeated {
  readonly times: Decimal;
  readonly path: Path | null;
}

export const ONCE: Repeated = { times: new Decimal(1), path: null };

/** An operation without any effect. */
export const NO_OPERATION: JsonObject = { type: 'dp', epsilon: '0' };

const Exact = Decimal.clone({ precision: 1000 });

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText);

/** That a value is missing, or of the wrong kind. */
export function wrong(name: string, is: string, got: JsonValue | undefined, hint: string): Problem {
  return got === undefined
    ? { code: 'missing-key', message: `${name} is missing; it must be ${is}`, hint }
    : { code: 'wrong-type', message: `${name} must be ${is}, got ${describe(got)}`, hint };
}

/** The mechanisms that an event list stands for, as they are found, and what is wrong with it. */
export class Conversion {
  readonly mechanisms: JsonObject[] = [];
  readonly origins: Origin[] = [];
  readonly mistakes: Mistake[] = [];
  /** The first event that no theorem here covers. */
  notOffered: { readonly path: Path; readonly type: string } | null = null;

  note(path: Path, problem: Problem, anchor: Mistake['anchor'] = 'value'): void {
    this.mistakes.push({ path, anchor, problem });
  }

  refuse(path: Path, type: string): void {
    this.notOffered ??= { path, type };
  }

  list(value: JsonValue | undefined, path: Path, each: (item: JsonValue, path: Path) => void): void {
    if (Array.isArray(value))
      value.forEach((item, index) => {
        each(item, [...path, index]);
      });
    else this.note(path, wrong(String(path.at(-1)), 'a list', value, 'Write [ ... ], also around a single item.'));
  }

  /** `count` times what is repeated already; once where it is missing. */
  times(count: JsonValue | undefined, path: Path, repeated: Repeated, name = 'count'): Repeated {
    if (count === undefined) return repeated;
    const number = decimalIn(count);
    if (number !== null && number.isInteger() && number.gte(0) && number.lte(Number.MAX_SAFE_INTEGER)) {
      return { times: new Decimal(new Exact(repeated.times).times(number)), path };
    }
    this.note(path, {
      code: 'out-of-range',
      message: `${name} must be a whole number from 0 to 2^53 - 1, got ${describe(count)}`,
      hint: 'For example: 100',
    });
    return repeated;
  }

  onlyKeys(object: JsonObject, allowed: readonly string[], path: Path): void {
    for (const key of Object.keys(object).filter((name) => !allowed.includes(name))) {
      const message = `the key ${quote(key)} has no meaning here; allowed are ${allowed.join(', ')}`;
      this.note(
        [...path, key],
        { code: 'unknown-key', message, hint: `${didYouMean(key, allowed)}Correct or remove it.` },
        'key',
      );
    }
  }

  /** Takes a mechanism as often as it is repeated; of one that is never run, an operation without any effect. */
  add(entry: JsonObject, { path, keys }: Origin, repeated: Repeated): void {
    const { times } = repeated;
    const runs = times.isZero() ? NO_OPERATION : entry;
    this.mechanisms.push(times.isZero() || times.eq(1) ? runs : { ...runs, count: new NumberText(times.toFixed()) });
    const own = repeated.path !== null && repeated.path.length > path.length ? repeated.path : path;
    this.origins.push({ path, keys: new Map([...keys, ['count', own]]) });
  }
}
