import type { Decimal } from '../numeric/decimal.ts';
import {
  isOpenQuestion,
  type Entry,
  type FinitePairMechanism,
  type Fraction,
  type Mechanism,
  type Rdp,
  type SigmaForm,
  type TradeOffForm,
  type TradeOffPoint,
  type VarianceForm,
} from '../privacy/mechanism.ts';
import {
  ABOVE_ONE,
  ABOVE_ZERO,
  AT_LEAST_ZERO,
  DISCRETE_SIGMA,
  PROBABILITY,
  WHOLE_SENSITIVITY,
} from '../document/core/ranges.ts';
import type { Domain } from '../privacy/mechanisms/record.ts';
import { MODELLED_TYPES, recordOf } from '../privacy/mechanisms/records.ts';
import { isRate, rationalOf } from '../privacy/sampling/rate.ts';
import { SAMPLED_BASES } from '../privacy/mechanisms/sampled.ts';
import {
  byWord,
  decimal,
  listOf,
  oneOf,
  optional,
  orNull,
  record,
  text,
  whole,
  type At,
  type Fields,
  type Reader,
} from './arguments.ts';

export const atLeastZero = decimal(AT_LEAST_ZERO, '0.1');
export const aboveZero = decimal(ABOVE_ZERO);
export const probability = decimal(PROBABILITY, '1e-6');

const order = decimal({ ...ABOVE_ONE, allowed: 'a number above 1, or infinity' }, '2', { isInfinityToo: true });

/** Probabilities of outcomes, which are looked into one by one. */
const MOST_OUTCOMES = 200;

const probabilities: Reader = (value, at) => {
  const read = listOf(probability, 'probabilities')(value, at) as readonly Decimal[];
  if (read.length > MOST_OUTCOMES) {
    const remedy = 'Merge outcomes whose probabilities have the same ratio.';
    throw at.outOfRange(`a list of at most ${MOST_OUTCOMES} probabilities`, value, remedy);
  }
  const [first, ...rest] = read;
  const sum = rest.reduce((total, each) => total.plus(each), first!);
  if (!sum.eq(1)) throw at.outOfRange('a list of probabilities that sum to exactly 1', sum, 'Write them exactly.');
  return read;
};

const ordersOf = listOf(
  record<Rdp['orders'][number]>(
    'an order',
    { alpha: order, epsilon: atLeastZero },
    "{ alpha: new Decimal('2'), epsilon: new Decimal('0.1') }",
  ),
  'orders',
);

const orders: Reader = (value, at) => {
  const read = ordersOf(value, at) as Rdp['orders'];
  const late = read.findIndex(({ alpha }, index) => index > 0 && !alpha.gt(read[index - 1]!.alpha));
  if (late > 0) {
    const place = at.item(late).key('alpha');
    throw place.outOfRange('larger than the order before', read[late]!.alpha, 'Sort the orders, each once.');
  }
  return read;
};

const writtenForm = record<SigmaForm>(
  'a form of sigma',
  {
    noiseMultiplier: aboveZero,
    guarantee: orNull(
      record<NonNullable<SigmaForm['guarantee']>>(
        'a guarantee',
        { epsilon: atLeastZero, delta: probability },
        "{ epsilon: new Decimal('1'), delta: new Decimal('1e-6') }",
      ),
    ),
  },
  "{ noiseMultiplier: new Decimal('1.1'), guarantee: null }",
);

/** Whole numbers, however large. */
const wholeFrom = (least: 0 | 1, example: string): Reader =>
  decimal(
    {
      allowed: least === 0 ? 'a whole number of at least 0' : 'a whole number above 0',
      contains: (value) => value.isInteger() && value.gte(least),
    },
    example,
  );

const numerator = wholeFrom(0, '1');
const wholeAboveZero = wholeFrom(1, '11');

const writtenVariance = record<VarianceForm>(
  'a form of sigma',
  {
    variance: record<VarianceForm['variance']>(
      'a quotient',
      { numerator: wholeAboveZero, denominator: wholeAboveZero },
      "{ numerator: new Decimal('10000'), denominator: new Decimal('11') }",
    ),
  },
  "{ variance: { numerator: new Decimal('10000'), denominator: new Decimal('11') } }",
);

const writtenEither: Reader = (value, at) =>
  typeof value === 'object' && value !== null && 'variance' in value
    ? writtenVariance(value, at)
    : writtenForm(value, at);

const pointList = listOf(
  record<TradeOffPoint>(
    'a point',
    { alpha: probability, beta: probability },
    "{ alpha: new Decimal('0.25'), beta: new Decimal('0.25') }",
  ),
  'points',
);

/** Points of a trade-off function, which are looked into one by one. */
const MOST_POINTS = 200;

/** Points with coordinates from 0 to 1, whatever function they are on. */
export const tradeOffPointList: Reader = (value, at) => {
  if (!Array.isArray(value) || value.length <= MOST_POINTS) return pointList(value, at);
  const remedy = 'Write the crossings of fewer lines below the function.';
  throw at.outOfRange(`a list of at most ${MOST_POINTS} points`, value, remedy);
};

const writtenPoints = record<TradeOffForm>('a form of a pair', { points: tradeOffPointList }, '{ points: [...] }');

const rateRecord = record<Fraction>(
  'a rate',
  { numerator: numerator, denominator: wholeAboveZero },
  '{ numerator: new Decimal(1), denominator: new Decimal(100) }',
);

const rateReader: Reader = (value, at) => {
  const read = rateRecord(value, at) as Fraction;
  if (isRate(rationalOf(read))) return read;
  const rule = 'from 0 to 1 over the denominator, and 0 or at least 1e-100 of it';
  throw at.key('numerator').outOfRange(rule, read.numerator, 'A rate is the probability that a record is drawn.');
};

const DOMAINS: Readonly<Record<Domain, Reader>> = {
  'at-least-0': atLeastZero,
  'above-0': aboveZero,
  probability,
  'whole-sensitivity': decimal(WHOLE_SENSITIVITY),
  'discrete-sigma': decimal(DISCRETE_SIGMA, '4'),
  orders,
  distribution: probabilities,
  direction: oneOf(['either', 'fixed']),
  mechanism: (value, at) => byWord('type', BASES, 'a mechanism that may be run on a sample', A_BASE)(value, at),
  scheme: oneOf(['poisson', 'without-replacement', 'shuffled']),
  rate: rateReader,
  neighbours: oneOf(['add-remove', 'replace-one']),
};

const A_BASE = "{ type: 'gaussian', sigma: new Decimal('1.1'), sensitivity: new Decimal(1) }";

/** A value of each parameter, as it is written. */
const EXAMPLES: Readonly<Record<string, string>> = {
  epsilon: "new Decimal('0.1')",
  delta: 'new Decimal(0)',
  scale: "new Decimal('10')",
  sigma: "new Decimal('4')",
  sensitivity: 'new Decimal(1)',
  rho: "new Decimal('0.01')",
  mu: "new Decimal('0.5')",
  orders: "[{ alpha: new Decimal('2'), epsilon: new Decimal('0.1') }]",
  p: '[...]',
  q: '[...]',
  direction: "'either'",
  of: '{ ... }',
  scheme: "'poisson'",
  rate: '{ numerator: new Decimal(1), denominator: new Decimal(100) }',
  neighbours: "'add-remove'",
};

/** Members that say in which form a mechanism was written, by its type. */
const FORMS: Readonly<Record<string, Fields<object>>> = {
  laplace: { byEpsilon: optional((value) => value) },
  gaussian: { written: optional(writtenEither) },
  'discrete-gaussian': { written: optional(writtenEither) },
  'finite-pair': { written: optional(writtenPoints) },
  zcdp: { delta: optional(probability) },
};

/** A mechanism of a type. */
function mechanism(type: Mechanism['type']): Reader {
  const parameters = Object.entries<Domain>(recordOf({ type }).parameters);
  const fields = Object.fromEntries(parameters.map(([name, domain]) => [name, DOMAINS[domain]]));
  const example = parameters.map(([name]) => `${name}: ${EXAMPLES[name]}`).join(', ');
  return record(
    `a mechanism of type ${type}`,
    { type: oneOf([type]), ...fields, ...FORMS[type] },
    `{ type: '${type}', ${example} }`,
  );
}

const finitePair = mechanism('finite-pair');

const MECHANISMS: Readonly<Record<string, Reader>> = {
  ...Object.fromEntries(MODELLED_TYPES.map((type) => [type, mechanism(type)])),
  'finite-pair': (value, at) => {
    const read = finitePair(value, at) as FinitePairMechanism;
    if (read.p.length === read.q.length) return read;
    const remedy = 'Give both lists the same order, with 0 for an outcome that cannot happen.';
    throw at.key('q').outOfRange(`as long as p (${read.p.length})`, read.q.length, remedy);
  },
};

const BASES: Readonly<Record<string, Reader>> = Object.fromEntries(
  SAMPLED_BASES.map((type) => [type, MECHANISMS[type]!]),
);

const AN_ENTRY =
  "{ mechanism: { type: 'dp', epsilon: new Decimal('0.1'), delta: new Decimal(0) }, count: 1, kind: 'noninteractive', label: null }";

const entryRecord = record<Entry>(
  'a mechanism with its count',
  {
    mechanism: byWord('type', MECHANISMS, 'a mechanism', "{ type: 'zcdp', rho: new Decimal('0.01') }"),
    count: whole(1),
    kind: oneOf(['noninteractive', 'interactive', 'continual']),
    label: orNull(text),
    neighbours: optional(DOMAINS.neighbours),
  },
  AN_ENTRY,
);

/** A mechanism with its count. */
export const entry: Reader = (value: unknown, at: At) => {
  const isBare = typeof value === 'object' && value !== null && 'type' in value && !('mechanism' in value);
  if (isBare) throw at.wrongType('a mechanism with its count', value, `Write it as ${AN_ENTRY}.`);
  const read = entryRecord(value, at) as Entry;
  if (!isOpenQuestion(read)) return read;
  const remedy = 'Approximate zCDP has a theorem only for mechanisms that answer once.';
  throw at.key('kind').outOfRange("'noninteractive' beside a delta of zcdp", read.kind, remedy);
};
