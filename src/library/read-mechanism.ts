import { FEWER_POINTS } from '../document/mechanism/trade-off-faults.ts';
import type { Decimal } from '../numeric/decimal.ts';
import { Rational } from '../numeric/rational.ts';
import {
  isOpenQuestion,
  MECHANISM_KINDS,
  RELATIONS,
  type Entry,
  type FinitePairMechanism,
  type Fraction,
  type Mechanism,
  type Rdp,
  type RunLaw,
  type Sampled,
  type SigmaForm,
  type TradeOffForm,
  type TradeOffPoint,
  type VarianceForm,
} from '../privacy/mechanism.ts';
import * as of from '../privacy/mechanisms/parameters.ts';
import type { Domain } from '../privacy/mechanisms/record.ts';
import { MODELLED_TYPES, recordOf } from '../privacy/mechanisms/records.ts';
import { SAMPLED_BASES } from '../privacy/mechanisms/sampled.ts';
import { rationalOf } from '../privacy/sampling/rate.ts';
import * as take from './arguments.ts';
import { decimal, listOf, optional, record, refined, type Fields, type Reader } from './arguments.ts';

export const atLeastZero = decimal(of.EPSILON);
export const aboveZero = decimal(of.ABOVE_ZERO);
export const probability = decimal(of.DELTA);

/** A list of at most so many values, which are looked into one by one. */
const limited = (maximum: number, what: string, remedy: string, list: Reader): Reader =>
  take.reader(list.example, (value, at) => {
    if (Array.isArray(value) && value.length > maximum) {
      throw at.outOfRange(`a list of at most ${maximum} ${what}`, value, remedy);
    }
    list(value, at);
  });

const FEWER_OUTCOMES = 'Merge outcomes whose probabilities have the same ratio.';

const distribution = refined(
  limited(of.MOST_OUTCOMES, 'probabilities', FEWER_OUTCOMES, listOf(probability, 'probabilities')),
  ([first, ...rest]: readonly Decimal[], at) => {
    const sum = rest.reduce((total, p) => total.plus(p), first!);
    if (!sum.eq(1)) throw at.outOfRange('a list of probabilities that sum to exactly 1', sum, 'Write them exactly.');
  },
);

const order = decimal({ ...of.ORDER, allowed: 'a number above 1, or infinity' }, { isInfinityToo: true });

const orders = refined(
  listOf(record<Rdp['orders'][number]>('an order', { alpha: order, epsilon: atLeastZero }), 'orders'),
  (pairs: Rdp['orders'], at) => {
    const late = pairs.findIndex(({ alpha }, index) => index > 0 && !alpha.gt(pairs[index - 1]!.alpha));
    if (late < 0) return;
    const place = at.item(late).key('alpha');
    throw place.outOfRange('larger than the order before', pairs[late]!.alpha, 'Sort the orders, each once.');
  },
);

/** Whole numbers, however large. */
const wholeFrom = (minimum: 0 | 1, example: string): Reader =>
  decimal({
    allowed: minimum === 0 ? 'a whole number of at least 0' : 'a whole number above 0',
    contains: (value) => value.isInteger() && value.gte(minimum),
    example,
  });

const fraction = (what: string, minimum: 0 | 1): Reader =>
  record<Fraction>(what, { numerator: wholeFrom(minimum, '1'), denominator: wholeFrom(1, '100') });

const rate = refined(fraction('a rate', 0), (quotient: Fraction, at) => {
  if (of.RATE.contains(rationalOf(quotient))) return;
  const rule = 'from 0 to 1 over the denominator, and 0 or at least 1e-100 of it';
  throw at.key('numerator').outOfRange(rule, quotient.numerator, 'A rate is the probability that a record is drawn.');
});

/** Points with coordinates from 0 to 1, whatever function they are on. */
export const tradeOffPointList = limited(
  of.MOST_POINTS,
  'points',
  FEWER_POINTS,
  listOf(
    record<TradeOffPoint>('a point', { alpha: decimal(of.TYPE_ONE_ERROR), beta: decimal(of.TYPE_TWO_ERROR) }),
    'points',
  ),
);

const guarantee = record<NonNullable<SigmaForm['guarantee']>>('a guarantee', {
  epsilon: atLeastZero,
  delta: probability,
});

const sigmaForm = take.whereKey(
  ['variance'],
  record<VarianceForm>('a form of sigma', { variance: fraction('a quotient', 1) }),
  record<SigmaForm>('a form of sigma', {
    noiseMultiplier: decimal(of.NOISE_MULTIPLIER),
    guarantee: take.orNull(guarantee),
  }),
);

/** Members that say in which form a mechanism was written, by its type, and those that may be left out. */
const FORMS: Readonly<Record<string, Fields<object>>> = {
  laplace: { byEpsilon: optional(take.typed('anything', '', () => true)) },
  gaussian: { written: optional(sigmaForm) },
  'discrete-gaussian': { written: optional(sigmaForm) },
  'finite-pair': { written: optional(record<TradeOffForm>('a form of a pair', { points: tradeOffPointList })) },
  zcdp: { delta: optional(probability) },
  'shuffled-reports': { categories: optional(decimal(of.CATEGORIES)) },
  sampled: {
    batches: optional(decimal(of.BATCHES)),
    records: optional(decimal(of.RECORDS)),
    rates: optional(limited(of.MOST_OWN_RATES, 'rates', 'Give records and their largest rate.', listOf(rate, 'rates'))),
    draws: optional(decimal(of.DRAWS)),
  },
};

/** The reader of a parameter. */
function parameter(domain: Domain): Reader {
  switch (domain) {
    case 'orders':
      return orders;
    case 'distribution':
      return distribution;
    case 'rate':
      return rate;
    case 'mechanism':
      return bases;
    case 'run':
      return run;
    case 'runs':
      return oneOfMeanAndGamma;
    default:
      return 'contains' in domain ? decimal(domain) : take.oneOf(domain);
  }
}

/** A mechanism of a type. */
function mechanism(type: Mechanism['type']): Reader {
  const parameters = Object.entries<Domain>(recordOf({ type }).parameters);
  const fields = Object.fromEntries(parameters.map(([name, domain]) => [name, parameter(domain)]));
  return record(`a mechanism of type ${type}`, { type: take.oneOf([type]), ...fields, ...FORMS[type] });
}

const finitePair = refined(mechanism('finite-pair'), ({ p, q }: FinitePairMechanism, at) => {
  const remedy = 'Give both lists the same order, with 0 for an outcome that cannot happen.';
  if (p.length !== q.length) throw at.key('q').outOfRange(`as long as p (${p.length})`, q.length, remedy);
});

function readerOf(type: Mechanism['type']): Reader {
  if (type === 'finite-pair') return finitePair;
  return type === 'sampled' ? sampled : mechanism(type);
}

const among = (types: readonly Mechanism['type'][], what: string): Reader =>
  take.byWord('type', Object.fromEntries(types.map((type) => [type, readerOf(type)])), what);

const bases = among(SAMPLED_BASES, 'a mechanism that may be run on a sample');

const sampled = refined(mechanism('sampled'), ({ scheme, batches, rate: largest, rates, records }: Sampled, at) => {
  if (rates !== undefined) {
    const all = rates.map(rationalOf);
    const isSorted = all.every((x, i) => i === 0 || x.compare(all[i - 1]!) <= 0);
    const isProper = all[0]!.compare(Rational.ONE) < 0 && !all.at(-1)!.isZero();
    if (
      scheme !== 'poisson' ||
      !isSorted ||
      !isProper ||
      !all[0]!.equals(rationalOf(largest)) ||
      !records?.eq(all.length)
    ) {
      const remedy = 'Each is above 0 and below 1, rate is the first of them, and records is how many there are.';
      throw at
        .key('rates')
        .outOfRange('the rates of all records in a Poisson sample, the largest first', rates, remedy);
    }
  }
  if (scheme !== 'random-allocation' || batches !== undefined) return;
  throw at.key('batches').outOfRange('the number of batches of an epoch', batches, 'Random allocation needs it.');
});

const entryOf = (mechanismReader: Reader, kinds: readonly string[]): Reader =>
  record<Entry>('a mechanism with its count', {
    mechanism: mechanismReader,
    count: take.whole(1),
    kind: take.oneOf(kinds),
    label: take.orNull(take.text),
    neighbours: optional(take.oneOf(RELATIONS)),
  });

/** The mechanisms of one run, which are no selections and answer once. */
const run = listOf(
  entryOf(
    among(
      MODELLED_TYPES.filter((type) => type !== 'selection'),
      'a mechanism of a run',
    ),
    ['noninteractive'],
  ),
  'mechanisms',
);

const runs = take.kinds<RunLaw, 'law'>('law', 'a law of the number of runs', {
  poisson: ['a Poisson law', { mean: decimal(of.MEAN_RUNS) }],
  'negative-binomial': [
    'a negative binomial law',
    {
      shape: decimal(of.SHAPE),
      mean: optional(decimal(of.GEOMETRIC_MEAN)),
      gamma: optional(decimal(of.GAMMA)),
    },
  ],
  binomial: ['a binomial law', { trials: decimal(of.TRIALS), rate: decimal(of.RUN_RATE) }],
  fixed: ['a fixed number of runs', { count: decimal(of.NUMBER_OF_RUNS) }],
});

const oneOfMeanAndGamma = refined(runs, (law: RunLaw, at) => {
  if (law.law !== 'negative-binomial' || 'mean' in law !== 'gamma' in law) return;
  throw at.wrongType('a law with either mean or gamma', law, 'Give one of the two.');
});

const entryRecord = entryOf(among(MODELLED_TYPES, 'a mechanism'), MECHANISM_KINDS);

/** A mechanism with its count. */
export const entry = refined(
  take.reader(entryRecord.example, (value, at) => {
    if (take.has(value, 'type') && !take.has(value, 'mechanism')) {
      throw at.wrongType('a mechanism with its count', value, `Write it as ${entryRecord.example}.`);
    }
    entryRecord(value, at);
  }),
  (value: Entry, at) => {
    if (value.mechanism.type === 'selection' && value.kind !== 'noninteractive') {
      throw at
        .key('kind')
        .outOfRange("'noninteractive' for a selection", value.kind, 'Only the best output is released.');
    }
    if (!isOpenQuestion(value)) return;
    const remedy = 'Approximate zCDP has a theorem only for mechanisms that answer once.';
    throw at.key('kind').outOfRange("'noninteractive' beside a delta of zcdp", value.kind, remedy);
  },
);
