import { Decimal, ONE } from '../../numeric/decimal.ts';
import { Rational, roundedDecimal, total } from '../../numeric/rational.ts';
import type { Neighbours } from '../../privacy/mechanism.ts';
import { sigmaOfVariance } from '../../privacy/gaussian.ts';
import type { Path } from '../core/input-error.ts';
import { readRationalField } from '../core/fields.ts';
import { NumberText } from '../core/number-text.ts';
import type { JsonValue } from '../syntax/json-read.ts';
import {
  decimalIn,
  EVENT_CLASSES,
  EVENT_CLASSES_REFUSED,
  isObject,
  NO_OPERATION,
  ONCE,
  quotientIn,
  quotientText,
  sizeOf,
  twice,
  wrong,
  Conversion,
  type EventRule,
  type JsonObject,
  type Repeated,
} from './conversion.ts';
import { NAMED_EVENTS } from './named-events.ts';

/** How the records that an event sees are drawn. */
export interface Draw {
  /** As a specification writes it. */
  readonly sampling: JsonObject;
  readonly neighbours: Neighbours;
  /** Where the rate is written. */
  readonly path: Path;
}

/** What the events around an event say of it. */
export interface Surroundings {
  readonly repeated: Repeated;
  /** Null where it sees all records. */
  readonly draw: Draw | null;
  /** Whether neighbours are data of which one record is replaced. */
  readonly replaced: boolean;
}

const WITHOUT_REPLACEMENT = 'SampledWithoutReplacementDpEvent';
const WITH_REPLACEMENT = 'SampledWithReplacementDpEvent';
const ALLOCATION = 'RandomAllocationDpEvent';
/** Events for which one record is replaced. */
const REPLACING = [WITHOUT_REPLACEMENT, 'RandomizedResponseDpEvent'];
const CLASS_KEYS = ['module_name', 'class_name'];

/**
 * Whether neighbours are data of which one record is replaced: where a sample of fixed size is drawn anywhere, or a response is
 * randomized, as that is the largest relation for which dp_accounting has those, and all events of an accountant have one relation.
 */
export function isReplaced(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.some(isReplaced);
  if (!isObject(value)) return false;
  return REPLACING.some((name) => name === value.class_name) || Object.values(value).some(isReplaced);
}

/** The keys of an entry that say how its records are drawn. */
export const drawnKeys = ({ sampling, neighbours }: Draw): JsonObject => ({ sampling, neighbours });

/** An event of dp_accounting, as `to_named_tuple` gives it. */
export function dpEvent(
  conversion: Conversion,
  event: JsonValue | undefined,
  path: Path,
  surroundings: Surroundings,
): void {
  if (!isObject(event)) {
    conversion.note(path, wrong('an event', 'an object', event, 'Write {"class_name": ..., ...}.'));
    return;
  }
  const { class_name: name } = event;
  if (typeof name !== 'string') {
    const hint = 'Write "GaussianDpEvent" or the like.';
    conversion.note([...path, 'class_name'], wrong('class_name', 'a class of dp_accounting', name, hint));
  } else if (name === 'ComposedDpEvent' || name === 'SelfComposedDpEvent') {
    if (surroundings.draw === null) composed(conversion, event, path, surroundings);
    else onOneSample(conversion, event, path, { ...surroundings, draw: surroundings.draw });
  } else if (Object.hasOwn(READERS, name)) {
    sampled(conversion, event, path, surroundings);
  } else if (name === 'RepeatAndSelectDpEvent') {
    repeatAndSelect(conversion, event, path, surroundings);
  } else if (Object.hasOwn(EVENT_CLASSES, name)) {
    simple(conversion, event, EVENT_CLASSES[name]!, path, surroundings);
  } else if (Object.hasOwn(NAMED_EVENTS, name)) {
    const { repeated, draw, replaced } = surroundings;
    NAMED_EVENTS[name]!(conversion, event, { path, repeated, isSampled: draw !== null, replaced });
  } else {
    conversion.refuse(path, Object.hasOwn(EVENT_CLASSES_REFUSED, name) ? EVENT_CLASSES_REFUSED[name]! : name);
  }
}

/** Goes through the events of a composition, with the number of times that each is run. */
function eachComposed(
  conversion: Conversion,
  event: JsonObject,
  path: Path,
  repeated: Repeated,
  visit: (event: JsonValue | undefined, path: Path, repeated: Repeated) => void,
): void {
  if (event.class_name === 'ComposedDpEvent') {
    conversion.onlyKeys(event, [...CLASS_KEYS, 'events'], path);
    conversion.list(event.events, [...path, 'events'], (item, at) => {
      visit(item, at, repeated);
    });
    return;
  }
  conversion.onlyKeys(event, [...CLASS_KEYS, 'event', 'count'], path);
  const times = conversion.times(event.count, [...path, 'count'], repeated);
  if (event.count === undefined)
    conversion.note(path, { code: 'missing-key', message: 'count is missing', hint: 'Add count, such as 10.' });
  visit(event.event, [...path, 'event'], times);
}

const composed = (conversion: Conversion, event: JsonObject, path: Path, surroundings: Surroundings): void => {
  eachComposed(conversion, event, path, surroundings.repeated, (part, at, repeated) => {
    dpEvent(conversion, part, at, { ...surroundings, repeated });
  });
};

/** Whether a shape is infinite, that of the Poisson law. */
function isEndless(value: JsonValue | undefined): boolean {
  const text = value instanceof NumberText ? value.text : value;
  return typeof text === 'string' && /^(?:\+|math\.|np\.|numpy\.)?inf(?:inity)?$/i.test(text);
}

/**
 * The best of a random number of runs: of a Poisson number of the mean where the shape is infinite, else of a truncated negative binomial
 * one. A mean of 1 is one run.
 */
function repeatAndSelect(conversion: Conversion, event: JsonObject, path: Path, surroundings: Surroundings): void {
  conversion.onlyKeys(event, [...CLASS_KEYS, 'event', 'mean', 'shape'], path);
  if (surroundings.draw !== null) {
    conversion.refuse(path, 'sampling of a selection');
    return;
  }
  const run = new Conversion();
  dpEvent(run, event.event, [...path, 'event'], { ...surroundings, repeated: ONCE });
  for (const mistake of run.mistakes) conversion.mistakes.push(mistake);
  if (run.notOffered !== null) conversion.refuse(run.notOffered.path, run.notOffered.type);
  const { mean, shape } = event;
  for (const [key, value] of Object.entries({ mean, shape })) {
    const isNumber = decimalIn(value) !== null || (key === 'shape' && isEndless(value));
    if (!isNumber) conversion.note([...path, key], wrong(key, 'a number', value, 'For example: 2'));
  }
  const runs: JsonObject = isEndless(shape)
    ? { law: 'poisson', mean: mean! }
    : decimalIn(mean)?.eq(1) === true
      ? { law: 'fixed', count: '1' }
      : { law: 'negative-binomial', shape: shape!, mean: mean! };
  const keys = new Map<string, Path>([
    ['of', [...path, 'event']],
    ['runs', [...path, 'mean']],
  ]);
  conversion.add({ type: 'selection', of: run.mechanisms, runs }, { path, keys }, surroundings.repeated);
}

function sampled(conversion: Conversion, event: JsonObject, path: Path, surroundings: Surroundings): void {
  if (surroundings.draw !== null) {
    conversion.refuse(path, 'sampling of what was sampled');
    return;
  }
  const sample = READERS[event.class_name as string]!(conversion, event, path);
  const isWithReplacement = event.class_name === WITH_REPLACEMENT;
  // A sample of everything is no sample.
  const drawn = sample?.share.equals(Rational.ONE) === true ? null : (sample?.draw ?? null);
  const draw =
    drawn && isWithReplacement && surroundings.replaced ? { ...drawn, neighbours: 'replace-one' as const } : drawn;
  // What is drawn in its place has a norm of its own.
  const replaced = surroundings.replaced || isWithReplacement;
  dpEvent(conversion, event.event, [...path, 'event'], { ...surroundings, draw, replaced });
}

/** A sample, and the share of the records in it. */
interface Drawn {
  readonly draw: Draw;
  readonly share: Rational;
}

const isShare = (value: Rational): boolean => value.compare(Rational.ZERO) >= 0 && value.compare(Rational.ONE) <= 0;

/** A Poisson sample of a rate that is written as a number or a quotient of whole numbers; null if it is neither. */
export function poissonDraw(
  conversion: Conversion,
  rate: JsonValue | undefined,
  path: Path,
  name: string,
): Drawn | null {
  const field = { name, allowed: 'a number from 0 to 1', example: '0.01', contains: isShare };
  const share = readRationalField(field, rate);
  if (share instanceof Rational) {
    return { draw: { sampling: { scheme: 'poisson', rate: rate! }, neighbours: 'add-remove', path }, share };
  }
  conversion.note(path, share);
  return null;
}

function poisson(conversion: Conversion, event: JsonObject, path: Path): Drawn | null {
  conversion.onlyKeys(event, [...CLASS_KEYS, 'sampling_probability', 'event'], path);
  const name = 'sampling_probability';
  return poissonDraw(conversion, event[name], [...path, name], name);
}

/** The share that `sample` records are of `population`, as it is written; null with a mistake if that is less. */
export function shareOf(
  conversion: Conversion,
  [sample, population]: readonly [Decimal, Decimal],
  names: readonly [string, string],
  path: Path,
): { readonly rate: string; readonly share: Rational } | null {
  if (sample.gt(population)) {
    const message = `${names[0]} must be at most ${names[1]}, ${population.toFixed()}, got ${sample.toFixed()}`;
    conversion.note([...path, names[0]], { code: 'out-of-range', message, hint: 'Correct one of the two.' });
    return null;
  }
  return {
    rate: `${sample.toFixed()}/${population.toFixed()}`,
    share: Rational.ofDecimal(sample).over(Rational.ofDecimal(population)),
  };
}

function fixedSize(conversion: Conversion, event: JsonObject, path: Path): Drawn | null {
  const names = ['sample_size', 'source_dataset_size'] as const;
  conversion.onlyKeys(event, [...CLASS_KEYS, ...names, 'event'], path);
  const sample = sizeOf(conversion, event, names[0], path, 0);
  const population = sizeOf(conversion, event, names[1], path, 1);
  if (sample === null || population === null) return null;
  const fraction = shareOf(conversion, [sample, population], names, path);
  if (fraction === null) return null;
  const at = [...path, names[0]];
  return {
    draw: { sampling: { scheme: 'without-replacement', rate: fraction.rate }, neighbours: 'replace-one', path: at },
    share: fraction.share,
  };
}

/** As many draws as are said, each of any of the records; a neighbor lacks one of them. */
function withReplacement(conversion: Conversion, event: JsonObject, path: Path): Drawn | null {
  conversion.onlyKeys(event, [...CLASS_KEYS, 'sample_size', 'source_dataset_size', 'event'], path);
  const draws = sizeOf(conversion, event, 'sample_size', path, 1);
  const population = sizeOf(conversion, event, 'source_dataset_size', path, 1);
  if (draws === null || population === null) return null;
  const sampling = { scheme: 'with-replacement', rate: `1/${population.toFixed()}`, draws: draws.toFixed() };
  return { draw: { sampling, neighbours: 'add-remove', path: [...path, 'sample_size'] }, share: Rational.ZERO };
}

/** An epoch of random allocation: each record is in so many of the steps, every choice being as likely. */
function allocated(conversion: Conversion, event: JsonObject, path: Path): Drawn | null {
  const names = ['num_selected', 'num_steps'] as const;
  conversion.onlyKeys(event, [...CLASS_KEYS, ...names, 'event'], path);
  const selected = sizeOf(conversion, event, names[0], path, 1);
  const batches = sizeOf(conversion, event, names[1], path, 1);
  if (selected === null || batches === null) return null;
  if (shareOf(conversion, [selected, batches], names, path) === null) return null;
  const sampling = { scheme: 'random-allocation', batches: batches.toFixed(), selected: selected.toFixed() };
  // Several steps with all records are several mechanisms.
  const share = batches.eq(ONE) ? Rational.ONE : Rational.ZERO;
  return { draw: { sampling, neighbours: 'add-remove', path: [...path, names[1]] }, share };
}

/** How the samples of events are drawn. */
const READERS: Readonly<Record<string, (conversion: Conversion, event: JsonObject, path: Path) => Drawn | null>> = {
  PoissonSampledDpEvent: poisson,
  [WITHOUT_REPLACEMENT]: fixedSize,
  [WITH_REPLACEMENT]: withReplacement,
  [ALLOCATION]: allocated,
};

/** An event that is run on one sample together with others, and how often. */
interface Member {
  readonly event: JsonValue | undefined;
  readonly path: Path;
  readonly repeated: Repeated;
}

const classOf = (event: JsonValue | undefined): JsonValue | undefined =>
  isObject(event) ? event.class_name : undefined;

function membersOf(conversion: Conversion, event: JsonObject, path: Path, repeated: Repeated): Member[] {
  const members: Member[] = [];
  eachComposed(conversion, event, path, repeated, (part, at, times) => {
    const name = classOf(part);
    if (isObject(part) && (name === 'ComposedDpEvent' || name === 'SelfComposedDpEvent')) {
      for (const member of membersOf(conversion, part, at, times)) members.push(member);
    } else if (name !== 'NoOpDpEvent' && !times.times.isZero()) {
      members.push({ event: part, path: at, repeated: times });
    }
  });
  return members;
}

/** The multiplier of a Gaussian event; null if it is another, or its multiplier is no number above 0. */
function multiplierOf(event: JsonValue | undefined): Rational | null {
  if (!isObject(event) || event.class_name !== 'GaussianDpEvent') return null;
  const value = event.noise_multiplier;
  const quotient = quotientIn(value);
  const above = quotient?.above ?? decimalIn(value);
  if (above === null || above.lte(0)) return null;
  return Rational.ofDecimal(above).over(Rational.ofDecimal(quotient?.below ?? ONE));
}

/** So many different multipliers are added up exactly; of more, each summand is rounded to `DIGITS`. */
const MOST_EXACT = 64;
const DIGITS = 100;
const SIGMA_DIGITS = 20;

/**
 * The sigma of one Gaussian that is to its multiplier what several of multipliers sigma_i, run n_i times on the same records,
 * are together: 1 / sigma^2 = sum of n_i / sigma_i^2. Exact where that has a root of few digits, else rounded down: less noise
 * is claimed, never more.
 *
 * Source: Dong, Roth, Su 2022, Cor 2 (mu^2 = sum of mu_i^2), for neighbours of which the sample has the record or not.
 */
export function jointSigma(noise: readonly { readonly multiplier: Rational; readonly times: Decimal }[]): Decimal {
  const counts = new Map<string, { readonly multiplier: Rational; times: Rational }>();
  for (const { multiplier, times } of noise) {
    const key = multiplier.toString();
    const group = counts.get(key);
    if (group === undefined) counts.set(key, { multiplier, times: Rational.ofDecimal(times) });
    else group.times = group.times.plus(Rational.ofDecimal(times));
  }
  const summands = [...counts.values()].map(({ multiplier, times }) => times.over(multiplier.times(multiplier)));
  const inverse = total(
    summands.length <= MOST_EXACT
      ? summands
      : summands.map((summand) => Rational.ofDecimal(roundedDecimal(summand, DIGITS, 'up'))),
  );
  const variance = Rational.ONE.over(inverse);
  const sigma = sigmaOfVariance(variance);
  const isExact = Rational.ofDecimal(sigma.times(sigma)).equals(variance);
  return isExact ? sigma : sigma.toSignificantDigits(SIGMA_DIGITS, Decimal.ROUND_DOWN);
}

/** Events that are all run on one sample: one event, or Gaussians only, which are one Gaussian of less noise. */
function onOneSample(
  conversion: Conversion,
  event: JsonObject,
  path: Path,
  surroundings: Surroundings & { readonly draw: Draw },
): void {
  const before = conversion.mistakes.length;
  const members = membersOf(conversion, event, path, ONCE);
  if (conversion.mistakes.length > before) return;
  const [first, ...more] = members;
  if (first === undefined) {
    conversion.add(NO_OPERATION, { path, keys: new Map() }, surroundings.repeated);
    return;
  }
  if (more.length === 0 && first.repeated.times.eq(1)) {
    dpEvent(conversion, first.event, first.path, surroundings);
    return;
  }
  const noise: { multiplier: Rational; times: Decimal }[] = [];
  for (const { event: part, path: at, repeated } of members) {
    const multiplier = multiplierOf(part);
    if (multiplier !== null) noise.push({ multiplier, times: repeated.times });
    // What is wrong with it alone is told; what is not is refused.
    else if (classOf(part) === 'GaussianDpEvent') dpEvent(conversion, part, at, surroundings);
    else conversion.refuse(at, 'one sample used twice');
  }
  if (noise.length < members.length) return;
  const joint: JsonObject = { class_name: 'GaussianDpEvent', noise_multiplier: jointSigma(noise).toString() };
  dpEvent(conversion, joint, path, surroundings);
}

/** A multiplier that is a quotient, as noise and what it is a multiple of. */
function asNoise(entry: Record<string, JsonValue>, key: string): void {
  const quotient = quotientIn(entry[key]);
  if (quotient === null) return;
  const [noise = '', sensitivity] = quotientText(quotient.above, quotient.below).split('/');
  entry[key] = noise;
  if (sensitivity !== undefined) entry.sensitivity = sensitivity;
}

function simple(
  conversion: Conversion,
  event: JsonObject,
  { type, keys, change = {}, ofBoundedRecords = false, fixed = {}, only = {} }: EventRule,
  path: Path,
  { repeated, draw, replaced }: Surroundings,
): void {
  conversion.onlyKeys(event, [...CLASS_KEYS, ...Object.keys(keys), ...Object.keys(only)], path);
  for (const [key, { where, else: otherwise }] of Object.entries(only)) {
    if (!where(event[key])) conversion.refuse(path, otherwise);
  }
  // Without it, its mechanism could be written in several forms, none of which is that of the event.
  const [first] = Object.keys(keys);
  if (first !== undefined && event[first] === undefined) {
    const problem = { code: 'missing-key', message: `${first} is missing`, hint: `Add ${first}.` } as const;
    conversion.note([...path, first], problem);
    return;
  }
  const entry: Record<string, JsonValue> = { type, ...fixed };
  const origin = new Map<string, Path>();
  for (const [eventKey, entryKey] of Object.entries(keys)) {
    const value = event[eventKey];
    origin.set(entryKey, [...path, eventKey]);
    if (value !== undefined) entry[entryKey] = change[eventKey]?.(value) ?? value;
  }
  if (keys.noise_multiplier !== undefined) asNoise(entry, keys.noise_multiplier);
  if (ofBoundedRecords && replaced) entry.sensitivity = twice(entry.sensitivity ?? '1');
  if (draw !== null && first !== undefined) {
    Object.assign(entry, drawnKeys(draw));
    origin.set('sampling', draw.path);
  }
  conversion.add(entry, { path, keys: origin }, repeated);
}
