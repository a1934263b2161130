import * as z from 'zod/mini';
import { Decimal, ONE } from '../../numeric/decimal.ts';
import { Rational } from '../../numeric/rational.ts';
import {
  RELATIONS,
  SAMPLING_SCHEMES,
  type Fraction,
  type Mechanism,
  type MechanismKind,
  type Sampled,
} from '../../privacy/mechanism.ts';
import {
  BATCHES,
  DRAWS,
  RATE,
  RECORDS,
  SELECTED,
  WRITTEN_RECORDS,
  type NumberField,
} from '../../privacy/mechanisms/parameters.ts';
import { isSampledBase } from '../../privacy/mechanisms/sampled.ts';
import { isAllocable, isAllocation, sizesOf } from '../../privacy/sampling/random-allocation.ts';
import { NEIGHBOURS_OF, rationalOf } from '../../privacy/sampling/rate.ts';
import type { ExactValue, NormalValue } from '../core/exact-value.ts';
import {
  issueOf,
  numberField,
  numbers,
  published,
  readNumberField,
  readRationalField,
  valueRead,
} from '../core/fields.ts';
import type { Problem } from '../core/input-error.ts';
import { NumberText } from '../core/number-text.ts';
import { describe } from '../core/quote.ts';
import { unknownKey, unknownWord } from '../core/validate.ts';
import { RATE_SCHEMA, readRate, type Read, type WrittenRate } from './written-rate.ts';

/** Schemes as documents name them; some are known and refused. */
const SCHEMES = [...SAMPLING_SCHEMES, 'balls-in-bins'] as const;
type Scheme = (typeof SCHEMES)[number];
const SAMPLES = ['fresh', 'shared'] as const;
const KEYS = ['scheme', 'rate', 'batches', 'selected', 'records', 'draws', 'sample'];

/** How a sample is drawn, as it is written; keys that stand beside it in flags and tables are missing. */
export interface WrittenSampling {
  readonly scheme: Scheme;
  readonly rate: WrittenRate | null;
  readonly batches: Decimal | null;
  readonly selected: Decimal | null;
  readonly records: Decimal | null;
  readonly draws: Decimal | null;
  readonly sample: (typeof SAMPLES)[number] | null;
}

/** A list of samplings, one of what another drew. */
const NESTED = 'nested';

/** The scheme that has batches in place of a rate. */
const ALLOCATION = 'random-allocation';

/** The scheme that has draws beside a rate. */
const WITH_REPLACEMENT = 'with-replacement';

const HOW = 'Write {"scheme": "poisson", "rate": "0.01"}; in a flag sampling=poisson,rate=0.01.';

function readWord<W extends string>(name: string, words: readonly W[], value: unknown): Read<W> {
  const match = words.find((word) => word === value);
  return match === undefined ? { problem: unknownWord(name, words, value) } : { value: match };
}

/** Reads the keys of an object; `note` takes what is wrong with each. */
function readObject(
  object: Readonly<Record<string, unknown>>,
  note: (problem: Problem, key: string) => void,
): WrittenSampling | null {
  const unknown = Object.keys(object).filter((key) => !KEYS.includes(key));
  for (const key of unknown) note(unknownKey(key, KEYS), key);
  const noted = <T>(key: string, reading: Read<T>): T | null => {
    if ('value' in reading) return reading.value;
    note(reading.problem, key);
    return null;
  };
  const scheme = noted('scheme', readWord('scheme', SCHEMES, object.scheme));
  const isAllocation = object.scheme === ALLOCATION;
  const rate = isAllocation && object.rate === undefined ? null : noted('rate', readRate(object.rate));
  const number = (field: NumberField): Decimal | null => {
    const value = object[field.name];
    return value === undefined ? null : noted(field.name, readNumberField(field, value));
  };
  const [batches, selected, records, draws] = [
    number(BATCHES),
    number(SELECTED),
    number(WRITTEN_RECORDS),
    number(DRAWS),
  ];
  const sample = noted('sample', readWord('sample', SAMPLES, object.sample === undefined ? 'fresh' : object.sample));
  if (scheme === null || (rate === null && !isAllocation) || sample === null || unknown.length > 0) return null;
  return { scheme, rate, batches, selected, records, draws, sample };
}

const sampling = z
  .pipe(
    z.unknown(),
    z.transform((value, context): WrittenSampling | typeof NESTED => {
      const fail = (problem: Problem, key?: string): void => {
        context.issues.push(issueOf(problem, value, key === undefined ? [] : [key]));
      };
      if (Array.isArray(value)) return NESTED;
      if (typeof value === 'object' && value !== null && !(value instanceof NumberText)) {
        return readObject(value as Readonly<Record<string, unknown>>, fail) ?? z.NEVER;
      }
      if (typeof value !== 'string') {
        fail({ code: 'wrong-type', message: `sampling must be an object, got ${describe(value)}`, hint: HOW });
        return z.NEVER;
      }
      const scheme = readWord('sampling', SCHEMES, value);
      if ('value' in scheme) {
        return {
          scheme: scheme.value,
          rate: null,
          batches: null,
          selected: null,
          records: null,
          draws: null,
          sample: null,
        };
      }
      fail(scheme.problem);
      return z.NEVER;
    }),
  )
  .register(published, {
    description:
      'The mechanism runs on a secret sample of the records, drawn anew for every run: the sampling scheme, and the probability that a record is in the sample.',
    anyOf: [
      {
        type: 'object',
        properties: {
          scheme: { enum: [...SCHEMES] },
          rate: RATE_SCHEMA,
          records: { ...published.get(numberField(WRITTEN_RECORDS)), default: 1 },
          draws: published.get(numberField(DRAWS)),
          sample: { enum: [...SAMPLES], default: 'fresh' },
        },
        required: ['scheme', 'rate'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: {
          scheme: { const: ALLOCATION },
          batches: published.get(numberField(BATCHES)),
          selected: { ...published.get(numberField(SELECTED)), default: 1 },
        },
        required: ['scheme', 'batches'],
        additionalProperties: false,
      },
      { enum: [...SCHEMES] },
    ],
  });

const rate = valueRead(readRate)
  .register(numbers, RATE)
  .register(published, {
    ...RATE_SCHEMA,
    description: `${RATE_SCHEMA.description} Beside a "sampling" that is a word.`,
  });

/** The keys of mechanisms on samples. */
export const samplingKeys = {
  sampling: z.optional(sampling),
  rate: z.optional(rate),
  batches: z.optional(numberField(BATCHES)),
  selected: z.optional(numberField(SELECTED)),
  records: z.optional(numberField(WRITTEN_RECORDS)),
  draws: z.optional(numberField(DRAWS)),
  sample: z.optional(z.enum(SAMPLES)),
  neighbours: z.optional(z.enum(RELATIONS)),
};

/** Those keys of a validated entry. */
export type SamplingKeys = z.infer<z.ZodMiniObject<typeof samplingKeys>>;

/** Those that decide whether a theorem covers its sample. */
interface Checked extends SamplingKeys {
  readonly kind: MechanismKind;
  readonly type: string;
}

/** A sampling that is refused, as `NOT_OFFERED` names it. */
type Refused =
  | 'local reports where a record is added'
  | 'sampling of local reports'
  | 'sampling of a selection'
  | 'sampling of what was sampled'
  | 'an adaptively chosen rate'
  | 'one sample used twice'
  | 'sampling of interactive mechanisms'
  | 'sampling of bounded range'
  | 'sampling of a Renyi or zCDP guarantee'
  | 'sampling of tree aggregation'
  | 'sampling of a banded matrix otherwise than by Poisson'
  | 'balls-in-bins'
  | 'random allocation of other than Gaussian noise'
  | 'random allocation where a record is replaced'
  | 'Poisson sampling of other than Gaussian noise where a record is replaced'
  | 'several records of one person otherwise than by Poisson sampling of Gaussian noise'
  | 'too many records of one person'
  | 'sampling with replacement of other than Gaussian noise'
  | 'sampling without replacement where a record is added';

const LOCAL: readonly Mechanism['type'][] = ['shuffled-reports', 'randomized-response'];

function refusalOf(keys: Checked, mechanism: Mechanism): Refused | null {
  const { sampling: draw } = keys;
  if (LOCAL.includes(mechanism.type)) {
    if (keys.neighbours === 'add-remove') return 'local reports where a record is added';
    return draw === undefined ? null : 'sampling of local reports';
  }
  if (draw === undefined) return null;
  if (mechanism.type === 'selection') return 'sampling of a selection';
  if (draw === NESTED) return 'sampling of what was sampled';
  if ((keys.rate ?? draw.rate) === 'adaptive') return 'an adaptively chosen rate';
  if ((keys.sample ?? draw.sample) === 'shared') return 'one sample used twice';
  if (keys.kind !== 'noninteractive') return 'sampling of interactive mechanisms';
  if (keys.type === 'tree-aggregation') return 'sampling of tree aggregation';
  if (keys.type === 'banded-matrix' && draw.scheme !== 'poisson') {
    return 'sampling of a banded matrix otherwise than by Poisson';
  }
  if (mechanism.type === 'bounded-range') return 'sampling of bounded range';
  if (!isSampledBase(mechanism)) return 'sampling of a Renyi or zCDP guarantee';
  if (draw.scheme === 'balls-in-bins') return 'balls-in-bins';
  if (draw.scheme === ALLOCATION && !isAllocable(mechanism)) return 'random allocation of other than Gaussian noise';
  const relation = NEIGHBOURS_OF[draw.scheme];
  if (draw.scheme === WITH_REPLACEMENT && keys.type !== 'gaussian') {
    return 'sampling with replacement of other than Gaussian noise';
  }
  const isGaussianPoisson = draw.scheme === 'poisson' && keys.type === 'gaussian';
  if (!isGaussianPoisson && !recordsIn(draw, keys).eq(1)) {
    return 'several records of one person otherwise than by Poisson sampling of Gaussian noise';
  }
  if (!RECORDS.contains(recordsIn(draw, keys))) return 'too many records of one person';
  if (keys.neighbours !== undefined && draw.scheme !== 'shuffled' && keys.neighbours !== relation) {
    if (draw.scheme === ALLOCATION) return 'random allocation where a record is replaced';
    if (draw.scheme === 'poisson') {
      return isGaussianPoisson ? null : 'Poisson sampling of other than Gaussian noise where a record is replaced';
    }
    return draw.scheme === WITH_REPLACEMENT ? null : 'sampling without replacement where a record is added';
  }
  return null;
}

interface Mistake {
  readonly problem: Problem;
  readonly key: string;
}

type Given = (typeof GIVEN)[number];
const GIVEN = ['rate', 'batches', 'selected', 'records', 'draws'] as const;

/** The keys that mean something beside a sampling only. */
export const BESIDE_SAMPLING = [...GIVEN, 'sample'] as const;

/** What is missing, or stands where it means nothing, of the keys of a scheme; null where nothing is. */
function mistakeOfScheme(written: WrittenSampling, keys: SamplingKeys): Mistake | null {
  const twice = GIVEN.find((key) => written[key] !== null && keys[key] !== undefined);
  if (twice !== undefined) {
    const message = `${twice} stands in sampling and beside it`;
    return { key: twice, problem: { code: 'conflicting-keys', message, hint: 'Keep one of the two.' } };
  }
  const has = (key: Given): boolean => written[key] !== null || keys[key] !== undefined;
  if (ownRates(written, keys) !== null && has('records')) {
    const message = 'records stands beside a list of rates, which has one for each record';
    return { key: 'records', problem: { code: 'conflicting-keys', message, hint: 'Remove records.' } };
  }
  if (written.scheme === 'balls-in-bins') return null;
  const [needed, stray]: readonly [readonly ('rate' | 'batches' | 'draws')[], readonly Given[]] =
    written.scheme === ALLOCATION
      ? [['batches'], ['rate', 'draws']]
      : written.scheme === WITH_REPLACEMENT
        ? [
            ['rate', 'draws'],
            ['batches', 'selected', 'records'],
          ]
        : [['rate'], ['batches', 'selected', 'draws']];
  const extra = stray.find(has);
  if (extra !== undefined) {
    const message = `${extra} does not belong to sampling ${written.scheme}`;
    const hint =
      written.scheme === ALLOCATION
        ? 'Remove it; write batches, and selected if a record is in several of them.'
        : `Remove it; write ${needed.join(' and ')}.`;
    return { key: extra, problem: { code: 'conflicting-keys', message, hint } };
  }
  const missing = needed.find((key) => !has(key));
  if (missing !== undefined) {
    const problem =
      missing === 'rate'
        ? readRationalField(RATE, undefined)
        : readNumberField(missing === 'draws' ? DRAWS : BATCHES, undefined);
    return { key: missing, problem: 'problem' in problem ? problem.problem : (problem as Problem) };
  }
  const { batches, selected } = sizes(written, keys);
  if (written.scheme === ALLOCATION && selected.gt(batches)) {
    const message = `selected must be at most batches (${batches.toString()}), got ${selected.toString()}`;
    return {
      key: 'selected',
      problem: { code: 'out-of-range', message, hint: 'A record is in each batch at most once.' },
    };
  }
  return null;
}

/** The rates of the records of one person, where a list of them is written. */
function ownRates(written: WrittenSampling, keys: SamplingKeys): readonly Rational[] | null {
  const rate = written.rate ?? keys.rate;
  return rate instanceof Rational || typeof rate !== 'object' ? null : rate;
}

/** How many records one person has. */
const recordsIn = (written: WrittenSampling, keys: SamplingKeys): Decimal =>
  written.records ?? keys.records ?? new Decimal(ownRates(written, keys)?.length ?? 1);

/** The batches of an epoch and in how many of them a record is. */
const sizes = (written: WrittenSampling, keys: SamplingKeys) => ({
  batches: written.batches ?? keys.batches ?? ONE,
  selected: written.selected ?? keys.selected ?? ONE,
});

/** The mistake in the keys of a sample; null where there is none. */
function mistakeOf(keys: SamplingKeys): Mistake | null {
  const { sampling: written } = keys;
  if (written === NESTED) return null;
  if (written !== undefined) return mistakeOfScheme(written, keys);
  const stray = BESIDE_SAMPLING.find((key) => keys[key] !== undefined);
  if (stray === undefined) return null;
  const hint = 'Add sampling, such as sampling=poisson or sampling=without-replacement; there is no default.';
  return { key: stray, problem: { code: 'missing-key', message: `${stray} stands without sampling`, hint } };
}

/** Checks the keys of a sample against the mechanism, which is that without them. */
export const samplingIsCovered = <T extends Checked>(mechanismOf: (parsed: T) => Mechanism) =>
  z.check<T>(({ value, issues }) => {
    if (issues.some(({ path }) => ['sampling', ...GIVEN].some((key) => path?.[0] === key))) return;
    const mistake = mistakeOf(value);
    if (mistake !== null) {
      issues.push(issueOf(mistake.problem, value, [mistake.key]));
      return;
    }
    if ((value.sampling === undefined && value.neighbours === undefined) || issues.length > 0) return;
    const refused = refusalOf(value, mechanismOf(value));
    if (refused === null) return;
    issues.push({ code: 'custom', input: value, path: [], params: { refused }, continue: true });
  });

const asDecimal = (value: bigint): Decimal => new Decimal(value.toString());

/** A mechanism on the sample that validated keys describe; itself where they describe none. */
export function onSample(mechanism: Mechanism, keys: SamplingKeys): Mechanism {
  const { sampling: draw } = keys;
  if (draw === undefined || draw === NESTED || draw.scheme === 'balls-in-bins' || !isSampledBase(mechanism)) {
    return mechanism;
  }
  const shared = {
    type: 'sampled',
    of: mechanism,
    neighbours: keys.neighbours ?? NEIGHBOURS_OF[draw.scheme],
  } as const;
  if (draw.scheme === ALLOCATION) {
    const { batches, selected } = sizes(draw, keys);
    return { ...shared, scheme: ALLOCATION, rate: { numerator: selected, denominator: batches }, batches };
  }
  const own = ownRates(draw, keys);
  const rate = own?.[0] ?? draw.rate ?? keys.rate;
  const records = recordsIn(draw, keys);
  const draws = draw.draws ?? keys.draws;
  if (!(rate instanceof Rational)) throw new Error('A validated sampling lacks its rate.');
  const fraction = ({ numerator, denominator }: Rational): Fraction => ({
    numerator: asDecimal(numerator),
    denominator: asDecimal(denominator),
  });
  return {
    ...shared,
    scheme: draw.scheme,
    rate: fraction(rate),
    ...(own?.some((each) => !each.equals(rate)) === true && { rates: own.map(fraction) }),
    ...(records.eq(1) ? {} : { records }),
    ...(draws && { draws }),
  };
}

/** The keys of a mechanism's sample in normal form. */
export const samplingForm = (mechanism: Sampled): Readonly<Record<string, ExactValue>> => {
  const { scheme, rate, rates, records, draws, neighbours } = mechanism;
  if (isAllocation(mechanism)) {
    const { batches, selected } = sizesOf(mechanism);
    return { sampling: { scheme, batches, selected }, neighbours };
  }
  return {
    sampling: rates
      ? { scheme, rate: rates.map(rationalOf) }
      : { scheme, rate: rationalOf(rate), ...(records && { records }), ...(draws && { draws }) },
    neighbours,
  };
};

type NormalObject = Readonly<Record<string, NormalValue>>;

const isObject = (value: NormalValue | undefined): value is NormalObject =>
  typeof value === 'object' && !Array.isArray(value);

/** An entry in normal form with the keys of its sampling beside its own, as flags and tables write them. */
export function flatSampling(entry: NormalObject): NormalObject {
  const { sampling: draw, ...more } = entry;
  if (!isObject(draw)) return entry;
  const { scheme, ...keys } = draw;
  return { ...more, ...(scheme === undefined ? {} : { sampling: scheme }), ...keys };
}
