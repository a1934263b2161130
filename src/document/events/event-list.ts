import { Decimal } from '../../numeric/decimal.ts';
import {
  decimalIn,
  EVENT_CLASSES,
  EVENT_CLASSES_REFUSED,
  PARAMETER_ALIASES,
  SAMPLING_KEYS,
  type EventRule,
} from './event-mechanisms.ts';
import type { Mistake, Path, Problem } from '../core/input-error.ts';
import type { JsonValue } from '../syntax/json-read.ts';
import { MAX_DEPTH } from '../syntax/json-walk.ts';
import { NumberText } from '../core/number-text.ts';
import { setOwn } from '../core/own-property.ts';
import { describe, quote } from '../core/quote.ts';
import { didYouMean } from '../core/suggest.ts';

type JsonObject = Readonly<Record<string, JsonValue>>;

/** Where an element of a specification comes from: its place in the event list, and what its keys are called there. */
export interface Origin {
  readonly path: Path;
  readonly keys: ReadonlyMap<string, Path>;
}

/** An event list as a specification, as far as it can be one. */
export interface EventList {
  readonly mechanisms: readonly JsonObject[];
  /** Of each mechanism. */
  readonly origins: readonly Origin[];
  readonly mistakes: readonly Mistake[];
  /** The first event that no theorem here covers. */
  readonly notOffered: { readonly path: Path; readonly type: string } | null;
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText);

const isOne = (value: JsonValue): boolean => decimalIn(value)?.eq(1) === true;

/** How often an event is repeated by the events that hold it, and where that is written. */
interface Repeated {
  readonly times: Decimal;
  readonly path: Path | null;
}

const ONCE: Repeated = { times: new Decimal(1), path: null };

const Exact = Decimal.clone({ precision: 1000 });

class Conversion {
  readonly mechanisms: Record<string, JsonValue>[] = [];
  readonly origins: Origin[] = [];
  readonly mistakes: Mistake[] = [];
  notOffered: EventList['notOffered'] = null;

  note(path: Path, problem: Problem, anchor: Mistake['anchor'] = 'value'): void {
    this.mistakes.push({ path, anchor, problem });
  }

  refuse(path: Path, type: string): void {
    this.notOffered ??= { path, type };
  }

  /** `{"mechanism": ..., "parameters": {...}, "count": ...}`, or an event of dp_accounting. */
  event(value: JsonValue | undefined, path: Path, repeated: Repeated): void {
    if (!isObject(value))
      this.note(path, wrong('an event', 'an object', value, 'Write {"mechanism": ..., "parameters": {...}}.'));
    else if (value.class_name !== undefined) this.classEvent(value, path, repeated);
    else this.plainEvent(value, path, repeated);
  }

  plainEvent(event: JsonObject, path: Path, repeated: Repeated): void {
    this.onlyKeys(event, ['mechanism', 'parameters', 'count', 'label'], path);
    const { mechanism: type, parameters = {}, count, label } = event;
    if (typeof type !== 'string') {
      const hint = 'Write "mechanism": a type such as "gaussian", or "class_name": an event of dp_accounting.';
      this.note(
        path,
        type === undefined
          ? { code: 'missing-key', message: 'mechanism is missing', hint }
          : wrong('mechanism', 'a type in double quotes', type, hint),
      );
      return;
    }
    if (!isObject(parameters)) {
      this.note([...path, 'parameters'], wrong('parameters', 'an object', parameters, 'Write {"sigma": 4}.'));
      return;
    }
    const aliases = PARAMETER_ALIASES[type] ?? {};
    const entry: Record<string, JsonValue> = { type };
    const keys = new Map<string, Path>([['type', ['mechanism']]]);
    for (const [name, value] of Object.entries(parameters)) {
      const key = Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
      if (SAMPLING_KEYS.includes(name)) {
        if (!isOne(value)) this.refuse([...path, 'parameters', name], 'subsampled');
      } else if (Object.hasOwn(entry, key)) {
        const message = `${quote(name)} and another key say the ${key} of this mechanism`;
        this.note([...path, 'parameters', name], { code: 'conflicting-keys', message, hint: 'Keep one of the two.' });
      } else {
        setOwn(entry, key, value);
        keys.set(key, ['parameters', name]);
      }
    }
    if (label !== undefined) entry.label = label;
    this.add(entry, { path, keys }, this.times(count, [...path, 'count'], repeated));
  }

  classEvent(event: JsonObject, path: Path, repeated: Repeated): void {
    const { class_name: name } = event;
    if (typeof name !== 'string') {
      this.note(
        [...path, 'class_name'],
        wrong('class_name', 'a class of dp_accounting', name, 'Write "GaussianDpEvent" or the like.'),
      );
    } else if (name === 'ComposedDpEvent') {
      this.onlyKeys(event, ['module_name', 'class_name', 'events'], path);
      this.list(event.events, [...path, 'events'], (each, at) => {
        this.event(each, at, repeated);
      });
    } else if (name === 'SelfComposedDpEvent') {
      this.onlyKeys(event, ['module_name', 'class_name', 'event', 'count'], path);
      const times = this.times(event.count, [...path, 'count'], repeated);
      if (event.count === undefined)
        this.note(path, { code: 'missing-key', message: 'count is missing', hint: 'Add count, such as 10.' });
      if (path.length < MAX_DEPTH) this.event(event.event, [...path, 'event'], times);
    } else if (Object.hasOwn(EVENT_CLASSES, name)) {
      this.simpleEvent(event, EVENT_CLASSES[name]!, path, repeated);
    } else {
      this.refuse(path, EVENT_CLASSES_REFUSED[name] ?? name);
    }
  }

  simpleEvent(
    event: JsonObject,
    { type, keys, change = {}, fixed = {}, only = {} }: EventRule,
    path: Path,
    repeated: Repeated,
  ): void {
    this.onlyKeys(event, ['module_name', 'class_name', ...Object.keys(keys), ...Object.keys(only)], path);
    for (const [key, { where, else: otherwise }] of Object.entries(only)) {
      if (!where(event[key])) this.refuse(path, otherwise);
    }
    // Without it, its mechanism could be written in several forms, none of which is that of the event.
    const [first] = Object.keys(keys);
    if (first !== undefined && event[first] === undefined) {
      const problem = { code: 'missing-key', message: `${first} is missing`, hint: `Add ${first}.` } as const;
      this.note([...path, first], problem);
      return;
    }
    const entry: Record<string, JsonValue> = { type, ...fixed };
    const origin = new Map<string, Path>();
    for (const [there, here] of Object.entries(keys)) {
      const value = event[there];
      origin.set(here, [there]);
      if (value !== undefined) entry[here] = change[there]?.(value) ?? value;
    }
    this.add(entry, { path, keys: origin }, repeated);
  }

  list(value: JsonValue | undefined, path: Path, each: (item: JsonValue, path: Path) => void): void {
    if (Array.isArray(value))
      value.forEach((item, index) => {
        each(item, [...path, index]);
      });
    else this.note(path, wrong(String(path.at(-1)), 'a list', value, 'Write [ ... ], also around a single item.'));
  }

  /** `count` times what is repeated already. */
  times(count: JsonValue | undefined, path: Path, repeated: Repeated): Repeated {
    if (count === undefined) return repeated;
    const number = decimalIn(count);
    if (number !== null && number.isInteger() && number.gte(1) && number.lte(Number.MAX_SAFE_INTEGER)) {
      return { times: new Decimal(new Exact(repeated.times).times(number)), path };
    }
    this.note(path, {
      code: 'out-of-range',
      message: `count must be a whole number from 1 to 2^53 - 1, got ${describe(count)}`,
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

  add(entry: Record<string, JsonValue>, { path, keys }: Origin, repeated: Repeated): void {
    if (!repeated.times.eq(1)) entry.count = new NumberText(repeated.times.toFixed());
    this.mechanisms.push(entry);
    const own = repeated.path !== null && repeated.path.length > path.length ? repeated.path.slice(path.length) : [];
    this.origins.push({ path, keys: new Map([...keys, ['count', own]]) });
  }

  /** [noise multiplier, sampling rate, steps] of the history of an accountant of Opacus. */
  opacusStep(value: JsonValue, path: Path): void {
    const [sigma, rate, steps] = Array.isArray(value) ? value : [];
    if (!Array.isArray(value) || value.length !== 3 || sigma === undefined || rate === undefined) {
      this.note(
        path,
        wrong('each step', 'a triple [noise multiplier, sampling rate, steps]', value, 'Write [1.1, 1, 100].'),
      );
      return;
    }
    if (!isOne(rate)) this.refuse(path, 'poisson-subsampled-gaussian');
    this.add(
      { type: 'gaussian', sigma },
      { path, keys: new Map([['sigma', [0]]]) },
      this.times(steps, [...path, 2], ONCE),
    );
  }

  /** [epsilon, delta] of the spends of an accountant of diffprivlib. */
  spend(value: JsonValue, path: Path): void {
    const [epsilon, delta] = Array.isArray(value) ? value : [];
    if (!Array.isArray(value) || value.length !== 2 || epsilon === undefined || delta === undefined) {
      this.note(path, wrong('each spend', 'a pair [epsilon, delta]', value, 'Write [0.5, 0].'));
      return;
    }
    this.add(
      { type: 'dp', epsilon, delta },
      {
        path,
        keys: new Map([
          ['epsilon', [0]],
          ['delta', [1]],
        ]),
      },
      ONCE,
    );
  }
}

function wrong(name: string, is: string, got: JsonValue | undefined, hint: string): Problem {
  return got === undefined
    ? { code: 'missing-key', message: `${name} is missing; it must be ${is}`, hint }
    : { code: 'wrong-type', message: `${name} must be ${is}, got ${describe(got)}`, hint };
}

/** The keys by which event lists are distinguished from specifications. */
const FORMS = ['class_name', 'events', 'history', 'spent_budget'] as const;

/** Whether a document is an event list, and no specification. */
export const isEventList = (value: unknown): boolean =>
  isObject(value as JsonValue) &&
  !Object.hasOwn(value as object, 'dpcompose') &&
  FORMS.some((key) => Object.hasOwn(value as object, key));

/**
 * The specification that an event list stands for. It is one of
 * - `{"events": [{"mechanism": TYPE, "parameters": {...}, "count": N, "label": TEXT}, ...]}`, types and parameters as in a
 *   specification, or `noise_multiplier`;
 * - an event of dp_accounting as its `to_named_tuple` gives it, with `class_name`, alone or among `events`;
 * - `{"history": [[noise multiplier, sampling rate, steps], ...]}`, the state of an accountant of Opacus;
 * - `{"spent_budget": [[epsilon, delta], ...]}`, of a budget accountant of diffprivlib.
 *
 * Events that sample from the data are named in `notOffered`, unless they take all of it; nothing is left out.
 */
export function readEventList(value: JsonValue): EventList {
  const conversion = new Conversion();
  const root = value as JsonObject;
  if (root.class_name !== undefined) {
    conversion.classEvent(root, [], ONCE);
  } else if (root.events !== undefined) {
    conversion.onlyKeys(root, ['events'], []);
    conversion.list(root.events, ['events'], (each, path) => {
      conversion.event(each, path, ONCE);
    });
  } else if (root.history !== undefined) {
    conversion.onlyKeys(root, ['history', 'mechanism'], []);
    conversion.list(root.history, ['history'], (each, path) => {
      conversion.opacusStep(each, path);
    });
  } else {
    conversion.onlyKeys(root, ['spent_budget', 'epsilon', 'delta', 'slack'], []);
    conversion.list(root.spent_budget, ['spent_budget'], (each, path) => {
      conversion.spend(each, path);
    });
  }
  const { mechanisms, origins, mistakes, notOffered } = conversion;
  return { mechanisms, origins, mistakes, notOffered };
}
