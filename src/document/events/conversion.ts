import { Decimal, ONE } from '../../numeric/decimal.ts';
import { Rational, roundedDecimal } from '../../numeric/rational.ts';
import { readDecimal } from '../core/decimal-text.ts';
import type { Mistake, Path, Problem } from '../core/input-error.ts';
import { NumberText } from '../core/number-text.ts';
import { describe } from '../core/quote.ts';
import { unknownKey } from '../core/validate.ts';
import type { JsonValue } from '../syntax/json-read.ts';

/** The decimal that a value writes; null if it is no number. */
export function decimalIn(value: JsonValue | undefined): Decimal | null {
  const text = value instanceof NumberText ? value.text : value;
  const number = typeof text === 'string' ? readDecimal(text) : null;
  return Decimal.isDecimal(number) ? number : null;
}

/** Two decimals with a stroke between them, the second above 0. */
interface Quotient {
  readonly above: Decimal;
  readonly below: Decimal;
}

/** The quotient of decimals that a text writes, as in Python: `10/3`, `1/0.1`; null of all else. */
export function quotientIn(value: JsonValue | undefined): Quotient | null {
  if (typeof value !== 'string') return null;
  const [above, below, ...more] = value.split('/');
  const [a, b] = [decimalIn(above), decimalIn(below)];
  return a === null || b === null || b.lte(0) || more.length > 0 ? null : { above: a, below: b };
}

/** The most digits of a quotient that is written as a decimal. */
const SHORT = 20;

/** A quotient of decimals as a decimal where that has few digits, else with a stroke: exact in either case. */
export function quotientText(above: Decimal, below: Decimal): string {
  const exact = Rational.ofDecimal(above).over(Rational.ofDecimal(below));
  const rounded = roundedDecimal(exact, SHORT, 'down');
  return Rational.ofDecimal(rounded).equals(exact) ? rounded.toString() : `${above.toString()}/${below.toString()}`;
}

/** Digits to which a quotient is rounded. */
const QUOTIENT = Decimal.clone({ precision: 50, rounding: Decimal.ROUND_DOWN });

/** 1 / a, of which more than 50 digits are rounded down: less noise is claimed, never more. What is no number above 0 stays as it is. */
export function reciprocal(value: JsonValue): JsonValue {
  const number = decimalIn(value);
  const { above, below } = quotientIn(value) ?? { above: number, below: ONE };
  if (above === null || above.lte(0)) return value;
  return (above.eq(1) ? below : new QUOTIENT(below).div(above)).toString();
}

/** Twice a number, exactly; what is none stays as it is. */
export function twice(value: JsonValue): JsonValue {
  const number = decimalIn(value);
  return number === null ? value : new NumberText(number.plus(number).toString());
}

/** How an event of another accountant is written here. */
export interface EventRule {
  /** The type of the mechanism here. */
  readonly type: string;
  /** Its keys here, by their names there. */
  readonly keys: Readonly<Record<string, string>>;
  /** The numbers that some keys become, where those are others. */
  readonly change?: Readonly<Record<string, (value: JsonValue) => JsonValue>>;
  /** Whether its noise is on a sum of records of bounded norm, whose sensitivity is twice that bound where one is replaced. */
  readonly ofBoundedRecords?: boolean;
  /** Keys that are always there. */
  readonly fixed?: Readonly<Record<string, JsonValue>>;
  /** Keys that must say something for the event to be that mechanism, and under what name it is refused otherwise. */
  readonly only?: Readonly<
    Record<string, { readonly where: (value: JsonValue | undefined) => boolean; readonly else: string }>
  >;
}

/** Events of dp_accounting by their classes, and how they are written here. */
export const EVENT_CLASSES: Readonly<Record<string, EventRule>> = {
  NoOpDpEvent: { type: 'dp', keys: {}, fixed: { epsilon: '0' } },
  GaussianDpEvent: { type: 'gaussian', keys: { noise_multiplier: 'sigma' }, ofBoundedRecords: true },
  LaplaceDpEvent: { type: 'laplace', keys: { noise_multiplier: 'scale' }, ofBoundedRecords: true },
  DiscreteLaplaceDpEvent: {
    type: 'discrete-laplace',
    keys: { noise_parameter: 'scale', sensitivity: 'sensitivity' },
    change: { noise_parameter: reciprocal },
    ofBoundedRecords: true,
  },
  DiscreteGaussianDpEvent: {
    type: 'discrete-gaussian',
    keys: { sigma: 'sigma', sensitivity: 'sensitivity' },
    only: { dimension: { where: (value) => decimalIn(value)?.eq(1) === true, else: 'multivariate-discrete-gaussian' } },
  },
  EpsilonDeltaDpEvent: { type: 'dp', keys: { epsilon: 'epsilon', delta: 'delta' } },
  ZCDpEvent: {
    type: 'zcdp',
    keys: { rho: 'rho' },
    only: {
      xi: { where: (value) => value === undefined || decimalIn(value)?.isZero() === true, else: 'approximate-zcdp' },
    },
  },
  ExponentialMechanismDpEvent: { type: 'exponential', keys: { epsilon: 'epsilon' } },
  PermuteAndFlipDpEvent: { type: 'permute-and-flip', keys: { epsilon: 'epsilon' } },
};

/** Events of dp_accounting that no theorem here covers, by the name under which they are refused. */
export const EVENT_CLASSES_REFUSED: Readonly<Record<string, string>> = {
  NonPrivateDpEvent: 'non-private',
};

/** Other names of parameters, by the type of the mechanism: noise in units of the sensitivity. */
export const PARAMETER_ALIASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  gaussian: { noise_multiplier: 'noise-multiplier' },
  'discrete-gaussian': { noise_multiplier: 'noise-multiplier' },
  laplace: { noise_multiplier: 'scale' },
};

/** Names under which event lists say which share of the data a mechanism sees. */
export const SAMPLING_KEYS: readonly string[] = ['sampling_probability', 'sampling_rate', 'sample_rate'];

/** The attributes of classes of dp_accounting, in the order in which their constructors take them. */
export const EVENT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.entries(EVENT_CLASSES).map(([name, { keys, only = {} }]) => [
      name,
      [...Object.keys(keys), ...Object.keys(only)],
    ]),
  ),
  RandomizedResponseDpEvent: ['noise_parameter', 'num_buckets'],
  SingleEpochTreeAggregationDpEvent: ['noise_multiplier', 'step_counts'],
  MixtureOfGaussiansDpEvent: ['standard_deviation', 'sensitivities', 'sampling_probs'],
  TruncatedSubsampledGaussianDpEvent: [
    'dataset_size',
    'sampling_probability',
    'truncated_batch_size',
    'noise_multiplier',
  ],
  RepeatAndSelectDpEvent: ['event', 'mean', 'shape'],
  SelfComposedDpEvent: ['event', 'count'],
  ComposedDpEvent: ['events'],
  PoissonSampledDpEvent: ['sampling_probability', 'event'],
  SampledWithoutReplacementDpEvent: ['source_dataset_size', 'sample_size', 'event'],
  SampledWithReplacementDpEvent: ['source_dataset_size', 'sample_size', 'event'],
};

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

export const ONCE: Repeated = { times: ONE, path: null };

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

  list(value: JsonValue | undefined, path: Path, visit: (item: JsonValue, path: Path) => void): void {
    if (Array.isArray(value))
      value.forEach((item, index) => {
        visit(item, [...path, index]);
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
      this.note([...path, key], unknownKey(key, allowed), 'key');
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

/** The number of records that a key says; null if it is no whole number from `least`. */
export function sizeOf(
  conversion: Conversion,
  object: JsonObject,
  key: string,
  path: Path,
  least: number,
): Decimal | null {
  const value = object[key];
  const size = decimalIn(value);
  if (size !== null && size.isInteger() && size.gte(least)) return size;
  conversion.note(
    value === undefined ? path : [...path, key],
    value === undefined
      ? { code: 'missing-key', message: `${key} is missing`, hint: `Add ${key}, such as 100.` }
      : {
          code: 'out-of-range',
          message: `${key} must be a whole number from ${least}, got ${describe(value)}`,
          hint: 'For example: 100',
        },
  );
  return null;
}
