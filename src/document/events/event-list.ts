import { quote } from '../core/quote.ts';
import type { Mistake, Path } from '../core/input-error.ts';
import { setOwn } from '../core/own-property.ts';
import type { JsonValue } from '../syntax/json-read.ts';
import { diffprivlibSpends, flowerState, isHistory, opacusHistory } from './accountants.ts';
import { Conversion, isObject, NO_OPERATION, ONCE, wrong, type JsonObject, type Origin } from './conversion.ts';
import { dpEvent, isReplaced } from './dp-events.ts';
import { PARAMETER_ALIASES, SAMPLING_KEYS } from './event-mechanisms.ts';
import { decimalIn } from './event-numbers.ts';

/** An event list as a specification, as far as it can be one. */
export interface EventList {
  readonly mechanisms: readonly JsonObject[];
  /** Of each mechanism. */
  readonly origins: readonly Origin[];
  readonly mistakes: readonly Mistake[];
  /** The first event that no theorem here covers. */
  readonly notOffered: { readonly path: Path; readonly type: string } | null;
  /** The other keys of the specification. */
  readonly beside: JsonObject;
  /** Where the list is. */
  readonly path: Path;
}

/** `{"mechanism": ..., "parameters": {...}, "count": ...}`. */
function plainEvent(conversion: Conversion, event: JsonObject, path: Path): void {
  conversion.onlyKeys(event, ['mechanism', 'parameters', 'count', 'label'], path);
  const { mechanism: type, parameters = {}, count, label } = event;
  if (typeof type !== 'string') {
    const hint = 'Write "mechanism": a type such as "gaussian", or "class_name": an event of dp_accounting.';
    conversion.note(
      path,
      type === undefined
        ? { code: 'missing-key', message: 'mechanism is missing', hint }
        : wrong('mechanism', 'a type in double quotes', type, hint),
    );
    return;
  }
  if (!isObject(parameters)) {
    conversion.note([...path, 'parameters'], wrong('parameters', 'an object', parameters, 'Write {"sigma": 4}.'));
    return;
  }
  const aliases = Object.hasOwn(PARAMETER_ALIASES, type) ? PARAMETER_ALIASES[type]! : {};
  const entry: Record<string, JsonValue> = { type };
  const keys = new Map<string, Path>([['type', [...path, 'mechanism']]]);
  for (const [name, value] of Object.entries(parameters)) {
    const at = [...path, 'parameters', name];
    const key = Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
    if (SAMPLING_KEYS.includes(name)) {
      if (decimalIn(value)?.eq(1) !== true) conversion.refuse(at, 'subsampled');
    } else if (Object.hasOwn(entry, key)) {
      const message = `${quote(name)} and another key say the ${key} of this mechanism`;
      conversion.note(at, { code: 'conflicting-keys', message, hint: 'Keep one of the two.' });
    } else {
      setOwn(entry, key, value);
      keys.set(key, at);
    }
  }
  if (label !== undefined) entry.label = label;
  conversion.add(entry, { path, keys }, conversion.times(count, [...path, 'count'], ONCE));
}

/** An event of a list: a mechanism with its parameters, or an event of dp_accounting. */
function anyEvent(conversion: Conversion, value: JsonValue, path: Path, replaced: boolean): void {
  if (!isObject(value)) {
    const hint = 'Write {"mechanism": ..., "parameters": {...}}.';
    conversion.note(path, wrong('an event', 'an object', value, hint));
  } else if (value.class_name === undefined) plainEvent(conversion, value, path);
  else dpEvent(conversion, value, path, { repeated: ONCE, draw: null, replaced });
}

/** The keys by which event lists are distinguished from specifications, the more telling ones first. */
const FORMS = ['class_name', 'events', 'history', 'compositions', 'spent_budget'] as const;

const formOf = (value: JsonObject): (typeof FORMS)[number] | undefined =>
  FORMS.find((key) => Object.hasOwn(value, key));

/** Whether a document is an event list, and no specification. */
export const isEventList = (value: unknown): boolean =>
  isHistory(value as JsonValue) ||
  (isObject(value as JsonValue) &&
    !Object.hasOwn(value as object, 'dpcompose') &&
    formOf(value as JsonObject) !== undefined);

function readObject(conversion: Conversion, root: JsonObject): JsonObject {
  const form = formOf(root);
  const list = form === undefined ? undefined : root[form];
  const path = form === undefined ? [] : [form];
  const replaced = isReplaced(root);
  switch (form) {
    case 'class_name':
      dpEvent(conversion, root, [], { repeated: ONCE, draw: null, replaced });
      return {};
    case 'history':
      conversion.onlyKeys(root, ['history', 'mechanism'], []);
      opacusHistory(conversion, list, path);
      return {};
    case 'compositions':
      return flowerState(conversion, root);
    case 'spent_budget':
      conversion.onlyKeys(root, ['spent_budget', 'epsilon', 'delta', 'slack'], []);
      diffprivlibSpends(conversion, list, path);
      return {};
    case 'events':
    case undefined:
      conversion.onlyKeys(root, ['events'], []);
      conversion.list(list, path, (each, at) => {
        anyEvent(conversion, each, at, replaced);
      });
      return {};
  }
}

/**
 * The specification that an event list stands for. It is one of
 * - `{"events": [{"mechanism": TYPE, "parameters": {...}, "count": N, "label": TEXT}, ...]}`, types and parameters as in a
 *   specification, or `noise_multiplier`;
 * - an event of dp_accounting as its `to_named_tuple` gives it, with `class_name`, alone or among `events`;
 * - `{"history": [[noise multiplier, sampling rate, steps], ...]}`, the state of an accountant of Opacus, or that list alone;
 * - `{"schema_version": 1, "config": {...}, "compositions": [...]}`, the state of Flower's RdpAccountant;
 * - `{"spent_budget": [[epsilon, delta], ...]}`, of a budget accountant of diffprivlib.
 *
 * Noise multipliers of dp_accounting and Flower are in units of the norm bound of a record. Where one record is replaced, a sum
 * of such records changes by twice that, which is written as a sensitivity of 2. What no theorem covers is named in
 * `notOffered`; nothing is left out.
 */
export function readEventList(value: JsonValue): EventList {
  const conversion = new Conversion();
  let beside: JsonObject = {};
  if (isObject(value)) beside = readObject(conversion, value);
  else opacusHistory(conversion, value, []);
  const { mechanisms, origins, mistakes, notOffered } = conversion;
  const form = isObject(value) ? formOf(value) : undefined;
  // An accountant that has recorded nothing yet.
  if (mechanisms.length + mistakes.length === 0 && notOffered === null && form !== 'events') {
    conversion.add(NO_OPERATION, { path: [], keys: new Map() }, ONCE);
  }
  const path = form === undefined || form === 'class_name' ? (isObject(value) ? ['events'] : []) : [form];
  return { mechanisms, origins, mistakes, notOffered, beside, path };
}
