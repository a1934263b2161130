import type { Neighbours } from '../../privacy/mechanism.ts';
import type { Path } from '../core/input-error.ts';
import { describe, either } from '../core/quote.ts';
import type { JsonValue } from '../syntax/json-read.ts';
import { isObject, ONCE, wrong, type Conversion, type JsonObject } from './conversion.ts';
import { drawnKeys, poissonDraw, shareOf, sizeOf, type Draw } from './dp-events.ts';
import { Rational } from '../../numeric/rational.ts';
import { NumberText } from '../core/number-text.ts';
import { decimalIn } from './event-numbers.ts';

/** Whether a value is the history of an accountant of Opacus by itself, `[[1.1, 0.01, 100], ...]`. */
export const isHistory = (value: JsonValue): boolean => Array.isArray(value) && Array.isArray(value[0]);

/** [noise multiplier, sampling rate, steps]: Gaussian noise on Poisson samples, for neighbours of which one has a record more. */
function step(conversion: Conversion, value: JsonValue, path: Path): void {
  const [sigma, rate, steps] = Array.isArray(value) ? value : [];
  if (!Array.isArray(value) || value.length !== 3 || sigma === undefined) {
    const hint = 'Write [1.1, 0.01, 100].';
    conversion.note(path, wrong('each step', 'a triple [noise multiplier, sampling rate, steps]', value, hint));
    return;
  }
  const drawn = poissonDraw(conversion, rate, [...path, 1], 'the sampling rate');
  const repeated = conversion.times(steps, [...path, 2], ONCE, 'the number of steps');
  if (drawn === null) return;
  const isAll = drawn.share.equals(Rational.ONE);
  conversion.add(
    { type: 'gaussian', sigma, ...(isAll ? {} : drawnKeys(drawn.draw)) },
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
export const opacusHistory = (conversion: Conversion, history: JsonValue | undefined, path: Path): void => {
  conversion.list(history, path, (each, at) => {
    step(conversion, each, at);
  });
};

/** [epsilon, delta] of the spends of an accountant of diffprivlib. */
export function diffprivlibSpends(conversion: Conversion, spends: JsonValue | undefined, path: Path): void {
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
  const known = words.find((each) => each === value);
  if (known !== undefined) return known;
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
  const known = ['target_delta', 'population_size', 'neighboring_relation', 'sampling_method', 'max_epsilon'];
  conversion.onlyKeys(config, known, path);
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
  const read = shareOf(conversion, [sample, population], ['sample_size', 'population_size'], inside);
  if (read === null) return;
  const { method, relation } = setting;
  const draw: Draw | null =
    method === 'no-amplification' || read.share.equals(Rational.ONE)
      ? null
      : { scheme: method, rate: read.rate, neighbours: relation, path: [...inside, 'sample_size'] };
  conversion.add(
    {
      type: 'gaussian',
      ...(event.noise_multiplier === undefined ? {} : { sigma: event.noise_multiplier }),
      ...(relation === 'replace-one' ? { sensitivity: new NumberText('2') } : {}),
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
export function flowerState(conversion: Conversion, state: JsonObject): JsonObject {
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
  conversion.list(state.compositions, ['compositions'], (each, at) => {
    release(conversion, each, at, setting);
  });
  const delta = isObject(state.config) ? state.config.target_delta : undefined;
  return delta === undefined ? {} : { target: { delta } };
}
