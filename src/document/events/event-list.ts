import { Rational } from '../../numeric/rational.ts';
import type { Neighbours } from '../../privacy/mechanism.ts';
import type { Mistake, Path } from '../core/input-error.ts';
import { NumberText } from '../core/number-text.ts';
import { setOwn } from '../core/own-property.ts';
import { describe, either, quote } from '../core/quote.ts';
import type { JsonValue } from '../syntax/json-read.ts';
import {
  Conversion,
  decimalIn,
  isObject,
  NO_OPERATION,
  ONCE,
  PARAMETER_ALIASES,
  SAMPLING_KEYS,
  sizeOf,
  wrong,
  type JsonObject,
  type Origin,
} from './conversion.ts';
import { dpEvent, drawnKeys, isReplaced, poissonDraw, shareOf, type Draw } from './dp-events.ts';

/** Whether a value is the history of an accountant of Opacus by itself, `[[1.1, 0.01, 100], ...]`. */
const isHistory = (value: JsonValue): boolean => Array.isArray(value) && Array.isArray(value[0]);

/** [noise multiplier, sampling rate, steps]: Gaussian noise on Poisson samples, for neighbours of which one has a record more. */
function step(conversion: Conversion, value: JsonValue, path: Path): void {
  const [sigma, rate, steps] = Array.isArray(value) ? value : [];
  if (!Array.isArray(value) || value.length !== 3 || sigma === undefined) {
    const hint = 'Write [1.1, 0.01, 100].';
    conversion.note(path, wrong('each step', 'a triple [noise multiplier, sampling rate, steps]', value, hint));
    return;
  }
  const sample = poissonDraw(conversion, rate, [...path, 1], 'the sampling rate');
  const repeated = conversion.times(steps, [...path, 2], ONCE, 'the number of steps');
  if (sample === null) return;
  const isAll = sample.share.equals(Rational.ONE);
  conversion.add(
    { type: 'gaussian', sigma, ...(isAll ? {} : drawnKeys(sample.draw)) },
    {
      path,
      keys: new Map([
        ['sigma', [...path, 0]],
        ['sampling', [...path, 1]],
      ]),
    },
    repeated,
  );
}

/** The steps of an accountant of Opacus, whichever way it adds them up. */
const opacusHistory = (conversion: Conversion, history: JsonValue | undefined, path: Path): void => {
  conversion.list(history, path, (item, at) => {
    step(conversion, item, at);
  });
};

/** [epsilon, delta] of the spends of an accountant of diffprivlib. */
function diffprivlibSpends(conversion: Conversion, spends: JsonValue | undefined, path: Path): void {
  conversion.list(spends, path, (value, at) => {
    const [epsilon, delta] = Array.isArray(value) ? value : [];
    if (!Array.isArray(value) || value.length !== 2 || epsilon === undefined || delta === undefined) {
      conversion.note(at, wrong('each spend', 'a pair [epsilon, delta]', value, 'Write [0.5, 0].'));
      return;
    }
    const keys = new Map([
      ['epsilon', [...at, 0]],
      ['delta', [...at, 1]],
    ]);
    conversion.add({ type: 'dp', epsilon, delta }, { path: at, keys }, ONCE);
  });
}

/** The version of the state of Flower's accountant that is read. */
const FLOWER_VERSION = 1;

const RELATIONS: Readonly<Record<string, Neighbours>> = {
  'add-or-remove-one': 'add-remove',
  'replace-one': 'replace-one',
};
const METHODS = ['poisson', 'without-replacement', 'no-amplification'] as const;

/** How all releases of an accountant of Flower are drawn, and for which neighbours. */
interface FlowerSetting {
  readonly method: (typeof METHODS)[number];
  readonly relation: Neighbours;
  readonly population: string;
}

function word<W extends string>(
  conversion: Conversion,
  object: JsonObject,
  key: string,
  words: readonly W[],
  path: Path,
): W | null {
  const value = object[key];
  const match = words.find((candidate) => candidate === value);
  if (match !== undefined) return match;
  const message = `${key} must be ${either(words)}, got ${describe(value)}`;
  conversion.note(value === undefined ? path : [...path, key], {
    code: 'unknown-value',
    message,
    hint: 'Write one of these.',
  });
  return null;
}

function flowerSetting(conversion: Conversion, config: JsonValue | undefined): FlowerSetting | null {
  const path = ['config'];
  if (!isObject(config)) {
    const hint = 'It is a part of what state_dict() returns.';
    conversion.note(path, wrong('config', 'an object', config, hint));
    return null;
  }
  const keys = ['target_delta', 'population_size', 'neighboring_relation', 'sampling_method', 'max_epsilon'];
  conversion.onlyKeys(config, keys, path);
  const relation = word(conversion, config, 'neighboring_relation', Object.keys(RELATIONS), path);
  const method = word(conversion, config, 'sampling_method', METHODS, path);
  const population = sizeOf(conversion, config, 'population_size', path, 1);
  if (relation === null || method === null || population === null) return null;
  return { relation: RELATIONS[relation]!, method, population: population.toFixed() };
}

const EVENT_KEYS = ['noise_multiplier', 'sample_size', 'population_size'];

/** Gaussian noise on the sum of the clipped updates of sampled clients, in units of the clipping norm. */
function release(conversion: Conversion, value: JsonValue, path: Path, setting: FlowerSetting): void {
  if (!isObject(value) || !isObject(value.event)) {
    const hint = 'Write {"event": {"noise_multiplier": 1, ...}, "count": 10}.';
    conversion.note(path, wrong('each composition', 'an object with an event and a count', value, hint));
    return;
  }
  conversion.onlyKeys(value, ['event', 'count'], path);
  const { event } = value;
  const inside = [...path, 'event'];
  conversion.onlyKeys(event, EVENT_KEYS, inside);
  const repeated = conversion.times(value.count, [...path, 'count'], ONCE);
  const sample = sizeOf(conversion, event, 'sample_size', inside, 1);
  const population = sizeOf(conversion, event, 'population_size', inside, 1);
  if (sample === null || population === null) return;
  if (population.toFixed() !== setting.population) {
    const message = `population_size must be that of config, ${setting.population}, got ${population.toFixed()}`;
    conversion.note([...inside, 'population_size'], {
      code: 'out-of-range',
      message,
      hint: 'All releases of an accountant are on one population.',
    });
  }
  const fraction = shareOf(conversion, [sample, population], ['sample_size', 'population_size'], inside);
  if (fraction === null) return;
  const { method, relation } = setting;
  const draw: Draw | null =
    method === 'no-amplification' || fraction.share.equals(Rational.ONE)
      ? null
      : { sampling: { scheme: method, rate: fraction.rate }, neighbours: relation, path: [...inside, 'sample_size'] };
  conversion.add(
    {
      type: 'gaussian',
      ...(event.noise_multiplier === undefined ? {} : { sigma: event.noise_multiplier }),
      // Under Poisson samples the sensitivity is what one record adds.
      ...(relation === 'replace-one' && draw?.sampling.scheme !== 'poisson'
        ? { sensitivity: new NumberText('2') }
        : {}),
      ...(draw === null ? {} : drawnKeys(draw)),
    },
    {
      path: inside,
      keys: new Map([
        ['sigma', [...inside, 'noise_multiplier']],
        ['sampling', [...inside, 'sample_size']],
      ]),
    },
    repeated,
  );
}

/** The releases of an accountant of Flower, and the delta at which it reports. */
function flowerState(conversion: Conversion, state: JsonObject): JsonObject {
  conversion.onlyKeys(state, ['schema_version', 'backend', 'backend_version', 'config', 'orders', 'compositions'], []);
  if (decimalIn(state.schema_version)?.eq(FLOWER_VERSION) !== true) {
    const message = `schema_version must be ${FLOWER_VERSION}, got ${describe(state.schema_version)}`;
    conversion.note(state.schema_version === undefined ? [] : ['schema_version'], {
      code: 'unsupported-version',
      message,
      hint: 'What another version means is not known here.',
    });
  }
  const setting = flowerSetting(conversion, state.config);
  if (setting === null) return {};
  conversion.list(state.compositions, ['compositions'], (composition, at) => {
    release(conversion, composition, at, setting);
  });
  const delta = isObject(state.config) ? state.config.target_delta : undefined;
  return delta === undefined ? {} : { target: { delta } };
}

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
      conversion.list(list, path, (event, at) => {
        anyEvent(conversion, event, at, replaced);
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
