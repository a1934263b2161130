import { Decimal, ONE, ZERO } from '../../numeric/decimal.ts';
import { Rational } from '../../numeric/rational.ts';
import { isRate } from '../sampling/rate.ts';

// The parameters of mechanisms: what each is, and which numbers it takes. Documents, flags, tables, ledgers and arguments of the
// library are all read by this table.

/** Which numbers are taken. */
export interface NumberRule {
  /** `a number of at least 0`, after "must be". */
  readonly allowed: string;
  readonly contains: (value: Decimal) => boolean;
}

/** The numbers that a parameter takes, wherever it is given: in a document, an option or an argument of the library. */
export interface Range extends NumberRule {
  /** The same in JSON Schema, for numbers that are written as numbers. */
  readonly schema: Readonly<Record<string, number>>;
  readonly isWhole?: boolean;
}

export const ANY_NUMBER: Range = { allowed: 'a number', contains: () => true, schema: {} };

export const AT_LEAST_ZERO: Range = {
  allowed: 'a number of at least 0',
  contains: (value) => value.gte(0),
  schema: { minimum: 0 },
};

export const ABOVE_ZERO: Range = {
  allowed: 'a number above 0',
  contains: (value) => value.gt(0),
  schema: { exclusiveMinimum: 0 },
};

export const ABOVE_ONE: Range = {
  allowed: 'a number above 1',
  contains: (value) => value.gt(1),
  schema: { exclusiveMinimum: 1 },
};

/** Above 0 and below 1. */
export const PROPER_FRACTION: Range = {
  allowed: 'a number above 0 and below 1',
  contains: (value) => value.gt(0) && value.lt(1),
  schema: { exclusiveMinimum: 0, exclusiveMaximum: 1 },
};

/** Numbers, both ends included. */
export const numbersFrom = (lower: Decimal | number | string, upper: Decimal | number | string): Range => ({
  allowed: `a number from ${lower.toString()} to ${upper.toString()}`,
  contains: (value) => value.gte(lower) && value.lte(upper),
  schema: { minimum: Number(lower), maximum: Number(upper) },
});

/** Probabilities, both ends included. */
export const PROBABILITY = numbersFrom(0, 1);

/** Whole numbers, both ends included. */
export const wholeNumbers = (lower: number, upper: number = Number.MAX_SAFE_INTEGER): Range => ({
  allowed: `a whole number from ${lower} to ${upper}`,
  contains: (value) => value.isInteger() && value.gte(lower) && value.lte(upper),
  schema: { minimum: lower, maximum: upper },
  isWhole: true,
});

/** The same numbers, and 0. */
export const zeroOr = ({ allowed, contains }: NumberRule): NumberRule => ({
  allowed: `0, or ${allowed}`,
  contains: (value) => value.isZero() || contains(value),
});

/** The largest whole sensitivity of discrete noise, of which each unit has a loss that is listed. */
export const LARGEST_WHOLE_SENSITIVITY = 1_000_000;

/** The smallest and the largest sigma of discrete Gaussian noise, whose values are listed. */
export const SMALLEST_DISCRETE_SIGMA = 0.01;
export const LARGEST_DISCRETE_SIGMA = 200_000;

/** A number that is given under a name. */
export interface NumberField extends Range {
  readonly name: string;
  readonly example: string;
  /** What it is, before the range. */
  readonly about: string;
  /** The side of less privacy, to which a quotient that is no short decimal is rounded; absent: no quotient is taken. */
  readonly rounds?: 'down' | 'up';
  /** A word that may stand in its place. */
  readonly word?: string;
  /** Its value in a mechanism where none is written; absent: it must be written. */
  readonly standard?: Decimal;
}

type Side = NumberField['rounds'];

export const numberOf = (
  range: Range,
  name: string,
  about: string,
  example: string,
  rounds: Side | null = null,
): NumberField => ({ ...range, name, about, example, ...(rounds && { rounds }) });

const atLeastZero = (name: string, about: string, example: string): NumberField =>
  numberOf(AT_LEAST_ZERO, name, about, example, 'up');

const aboveZero = (name: string, about: string, example: string, rounds: Side = 'down'): NumberField =>
  numberOf(ABOVE_ZERO, name, about, example, rounds);

/** A probability. */
export const probability = (name: string, about: string, example = '1e-6', rounds: Side | null = 'up'): NumberField =>
  numberOf(PROBABILITY, name, about, example, rounds);

export const EPSILON = atLeastZero('epsilon', 'The privacy parameter epsilon', '0.1');
export const DELTA: NumberField = { ...probability('delta', 'The privacy parameter delta'), standard: ZERO };
export const RHO = atLeastZero('rho', 'The parameter of zero-concentrated differential privacy', '0.01');
export const MU = atLeastZero('mu', 'The parameter of Gaussian differential privacy', '0.5');
export const ORDER = numberOf(ABOVE_ONE, 'alpha', 'A Renyi order', '2', 'down');

export const SCALE = aboveZero('scale', 'The scale of Laplace noise', '10');
export const SIGMA = aboveZero('sigma', 'The standard deviation of Gaussian noise', '4');
export const NOISE_MULTIPLIER = aboveZero(
  'noise-multiplier',
  'sigma divided by the sensitivity (of matrix mechanisms: by how far one contribution moves the sum of one step)',
  '1.1',
);
export const SENSITIVITY: NumberField = {
  ...atLeastZero('sensitivity', 'How far one person can move the statistic', '1'),
  standard: ONE,
};
export const WHOLE_SENSITIVITY: NumberField = {
  ...wholeNumbers(0, LARGEST_WHOLE_SENSITIVITY),
  name: 'sensitivity',
  about: 'How far one person can move the whole-numbered statistic',
  example: '1',
  standard: ONE,
};
export const DISCRETE_SIGMA = numberOf(
  numbersFrom(SMALLEST_DISCRETE_SIGMA, LARGEST_DISCRETE_SIGMA),
  'sigma',
  'The parameter sigma of discrete Gaussian noise',
  '4',
  'down',
);

/** More users than this are not looked at. */
export const MOST_USERS = new Decimal(1_000_000_000);
export const LOCAL_EPSILON = atLeastZero('local-epsilon', 'The epsilon of the local randomizer of each user', '1');
export const USERS = numberOf(
  wholeNumbers(1, MOST_USERS.toNumber()),
  'users',
  'How many users send a report',
  '1000000',
  'down',
);
export const CATEGORIES = numberOf(
  wholeNumbers(2, 1_000_000),
  'categories',
  'How many values k-ary randomized response has',
  '16',
);
/** f of basic one-time RAPPOR, which turns each bit into a coin of its own with this chance. */
export const FLIP = numberOf(
  {
    allowed: 'a number above 0 and at most 1',
    contains: (value) => value.gt(0) && value.lte(1),
    schema: { exclusiveMinimum: 0, maximum: 1 },
  },
  'f',
  'The chance that a bit of RAPPOR is replaced by a fair coin',
  '0.5',
  'down',
);

export const COEFFICIENT = atLeastZero('coefficient', 'The c of the weight exp(c u(x, y))', '0.1');
export const UTILITY_SCALE = aboveZero('scale', 'The scale of the noise on each utility', '10');
export const UTILITY_RANGE = atLeastZero(
  'range',
  'How far one person can move the difference between the utilities of two outcomes',
  '1',
);
export const UTILITY_SENSITIVITY = atLeastZero(
  'sensitivity',
  'How far one person can move the utility of an outcome',
  '1',
);

export const THRESHOLD_EPSILON = atLeastZero(
  'threshold-epsilon',
  'The sensitivity divided by the scale of the noise on the threshold',
  '0.05',
);
export const QUERY_EPSILON = atLeastZero(
  'query-epsilon',
  'The epsilon of all positive answers together: 2 positives sensitivity / query-scale (half of it if queries are monotonic)',
  '0.05',
);
export const THRESHOLD_SCALE = aboveZero(
  'threshold-scale',
  'The scale of the noise on the threshold, drawn once',
  '20',
);
export const QUERY_SCALE = aboveZero('query-scale', 'The scale of the noise on each query', '40');
export const POSITIVES = numberOf(wholeNumbers(1), 'positives', 'After how many positive answers it stops', '1');
export const QUERY_SENSITIVITY = atLeastZero('sensitivity', 'How far one person can move the value of a query', '1');

/** No quotient, as all of them sum to exactly 1. */
export const OUTCOME = probability('each probability', 'The probability of one outcome', '0.5', null);
/** More outcomes than this are too many for exact curves; longer lists are not looked into. */
export const MOST_OUTCOMES = 200;

export const TYPE_ONE_ERROR = probability('alpha', 'The type I error of a test', '0.25', 'down');
export const TYPE_TWO_ERROR = probability('beta', 'The smallest type II error at this type I error', '0.25', 'down');
/** Longer lists of points of a trade-off function are not looked into. */
export const MOST_POINTS = 200;

export const COUNT: NumberField = {
  ...numberOf(wholeNumbers(1), 'count', 'How many mechanisms of this kind', '100'),
  standard: ONE,
};

/** An exact number: one that a document writes as a number, or as text such as "1/10". */
export interface RationalField {
  readonly name: string;
  /** `a number above 0`, as error messages say it. */
  readonly allowed: string;
  readonly example: string;
  readonly contains: (value: Rational) => boolean;
  readonly about: string;
  /** The range in JSON Schema, for numbers that are written as numbers. */
  readonly schema: Readonly<Record<string, number>>;
}

const from = (lower: Rational, upper: Rational) => (value: Rational) =>
  value.compare(lower) >= 0 && value.compare(upper) <= 0;

/** sigma^2 of Gaussian noise. */
export const VARIANCE: RationalField = {
  name: 'variance',
  allowed: 'a number or a quotient from 1e-300 to 1e300',
  example: '"121/900"',
  contains: from(Rational.ofDecimal(new Decimal('1e-300')), Rational.ofDecimal(new Decimal('1e300'))),
  about: 'The variance sigma^2 of Gaussian noise, from 1e-300 to 1e300',
  schema: { minimum: 1e-300, maximum: 1e300 },
};

/** sigma^2 of discrete Gaussian noise, of the same range as sigma. */
export const DISCRETE_VARIANCE: RationalField = {
  name: 'variance',
  allowed: 'a number or a quotient from 0.0001 to 4e10',
  example: '"10000/11"',
  contains: from(Rational.of(1, 10_000), Rational.of(40_000_000_000n)),
  about: 'The parameter sigma^2 of discrete Gaussian noise, from 0.0001 to 4e10',
  schema: { minimum: 1e-4, maximum: 4e10 },
};

/** The rates of records that each have their own, of one person: of more the roots take seconds. */
export const MOST_OWN_RATES = 32;

/** The batches of an epoch, and in how many of them a record is. */
export const BATCHES = numberOf(wholeNumbers(1, 1_000_000), 'batches', 'How many batches an epoch has', '100');
export const SELECTED: NumberField = {
  ...numberOf(wholeNumbers(1, 1_000_000), 'selected', 'In how many batches of an epoch a record is', '1'),
  standard: ONE,
};

/** The records of one person, and the draws of a sample: of more the factors of a likelihood ratio take seconds. */
export const MOST_RECORDS = 10_000;
export const RECORDS: NumberField = {
  ...numberOf(wholeNumbers(1, MOST_RECORDS), 'records', 'How many records one person has at most', '5'),
  standard: ONE,
};
/** How many times a record is drawn for a sample with replacement. */
export const DRAWS = numberOf(wholeNumbers(1, MOST_RECORDS), 'draws', 'How many records are drawn for a sample', '256');
/** As they are written: more of them are refused by name, with what covers them. */
export const WRITTEN_RECORDS: NumberField = { ...RECORDS, ...wholeNumbers(1) };

/** The most runs that a law of runs has, in the mean or at most. */
const MOST_RUNS = 1_000_000;
const above = (lower: number, upper: number): Range => ({
  allowed: `a number above ${lower} and at most ${upper}`,
  contains: (value) => value.gt(lower) && value.lte(upper),
  schema: { exclusiveMinimum: lower, maximum: upper },
});
export const MEAN_RUNS = numberOf(above(0, MOST_RUNS), 'mean', 'The mean number of runs', '20', 'up');
export const GEOMETRIC_MEAN = numberOf(above(1, MOST_RUNS), 'mean', 'The mean number of runs', '10', 'up');
export const GAMMA = numberOf(
  {
    allowed: 'a number from 1e-6 and below 1',
    contains: (value) => value.gte('1e-6') && value.lt(1),
    schema: { minimum: 1e-6, exclusiveMaximum: 1 },
  },
  'gamma',
  'The parameter gamma of the law of runs',
  '0.1',
  'down',
);
/** Nearer to -1 a mean of a million has a gamma that is no double. */
export const SHAPE = numberOf(
  {
    allowed: 'a number from -0.97 to 1000',
    contains: (value) => value.gte('-0.97') && value.lte(1000),
    schema: { minimum: -0.97, maximum: 1000 },
  },
  'shape',
  'The shape of the negative binomial law',
  '0.5',
);
export const TRIALS = numberOf(wholeNumbers(1, MOST_RUNS), 'trials', 'The largest number of runs', '40');
export const RUN_RATE = numberOf(PROPER_FRACTION, 'rate', 'The probability of each run', '0.5', 'up');
export const NUMBER_OF_RUNS = numberOf(wholeNumbers(1, MOST_RUNS), 'count', 'The number of runs', '20');

/** The rate of a sample. */
export const RATE: RationalField = {
  name: 'rate',
  allowed: 'a number or a quotient from 0 to 1, and 0 or at least 1e-100',
  example: '"256/60000"',
  contains: isRate,
  about: 'The probability that a record is in the sample, from 0 to 1',
  schema: { minimum: 0, maximum: 1 },
};
