import {
  numbersFrom,
  PROPER_FRACTION,
  wholeNumbers,
  zeroOr,
  type NumberRule,
} from '../../privacy/mechanisms/parameters.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { ConvexProblem, ExpertsProblem, L2pSetting, Measure } from '../../learning/core/setting.ts';
import { type Decimal, ONE } from '../../numeric/decimal.ts';
import { grouped } from '../../output/kit/prose.ts';
import { type DeclaredOption, inGroup, numberOption, readOneOf, wordOption } from '../kit/option.ts';
import { missingNumber, ranged, type NumberRange } from '../kit/number-option.ts';

/** Beyond these magnitudes no parameter of an online learner has a meaning, and doubles would overflow on the way. */
const SMALLEST = '1e-30';

/** The numbers that commands take: what stands for one in the help, what it is, an example, and which are allowed. */
const NUMBERS = {
  rounds: ['T', 'the number of rounds', '1000000', wholeNumbers(1)],
  batch: [
    'B',
    'rounds per batch',
    '10',
    { ...wholeNumbers(1), allowed: 'a whole number from 1 to the number of rounds' },
  ],
  eta: ['ETA', 'learning rate of experts; switching parameter', '1e-4', numbersFrom(SMALLEST, '100')],
  p: ['P', 'probability of a fake switch', '0.01', zeroOr(numbersFrom(SMALLEST, '1'))],
  c: ['C', 'keep x with probability e^(-c - eta loss), without y', '0.001', zeroOr(numbersFrom(SMALLEST, '100'))],
  delta1: ['D1', 'delta1 of Theorem 3.2; default: a share of --delta', '1e-12', PROPER_FRACTION],
  delta0: [
    'D0',
    'delta0 of Assumption 3.1',
    '1e-20',
    { allowed: 'a number of at least 0 and below 1', contains: (value) => value.gte(0) && value.lt(1) },
  ],
  experts: ['D', 'the number of experts', '1000', wholeNumbers(2)],
  dimension: ['D', 'the dimension', '100', wholeNumbers(1)],
  epsilon: ['E', 'epsilon', '0.1', numbersFrom('1e-12', '1000')],
  delta: ['D', 'delta', '1e-8', PROPER_FRACTION],
  beta: ['B', 'beta of convex losses', '2e-5', numbersFrom(SMALLEST, '1e30')],
  lambda: ['L', 'lambda of convex losses', '1e6', numbersFrom(SMALLEST, '1e30')],
  lipschitz: ['L', 'Lipschitz constant of convex losses (default: 1)', '1', numbersFrom('1e-15', '1e15')],
  diameter: ['D', 'diameter of their set, around the origin (default: 1)', '1', numbersFrom('1e-15', '1e15')],
  cap: ['N', 'cap on the number of resamplings', '500', wholeNumbers(0)],
  round: ['N', 'round of the first line or answer (default: next)', '1', wholeNumbers(1)],
  seed: ['S', 'random seed (default: 1)', '1', wholeNumbers(0)],
} as const satisfies Record<string, readonly [stands: string, about: string, example: string, range: NumberRule]>;

export type NumberName = keyof typeof NUMBERS;

/** The range of one of these options. */
export function rangeOf(name: NumberName): NumberRange {
  const [, , example, range] = NUMBERS[name];
  return { flag: `--${name}`, example, ...range };
}

/** Options with numbers, under a heading; with other words in the help where what one is for needs them. */
export const numberOptions = <N extends NumberName>(
  heading: string,
  ...numbers: readonly (N | readonly [name: N, about: string])[]
): Readonly<Record<N, DeclaredOption<Decimal | undefined>>> =>
  inGroup(
    heading,
    Object.fromEntries(
      numbers.map((number) => {
        const [name, about = null] = typeof number === 'string' ? [number] : number;
        const [stands, usual, example, range] = NUMBERS[name];
        return [name, numberOption(`--${name} <${stands}>`, about ?? usual, ranged(range), example)];
      }),
    ) as Record<N, DeclaredOption<Decimal | undefined>>,
  );

/** The option of {@link readMeasure}. */
export const MEASURE = wordOption(
  '--measure <M>',
  'experts (default), convex, or any (Assumption 3.1)',
  ['experts', 'convex', 'any'],
  'Omit it for multiplicative weights on experts.',
);

/** The numbers of a command, of which any may be left out or wrong. */
export type Numbers = Readonly<Partial<Record<NumberName, Decimal | undefined>>>;

/** What was typed: numbers as far as they are right, and whether an option is there. */
interface TypedNumbers {
  readonly flags: Numbers;
  readonly isTyped: (name: never) => boolean;
  readonly refuse: (names: never, message: string, hint: string) => void;
  readonly errors: InputError[];
}

/** Tells which numbers are missing, and which mean nothing beside others. */
export class NumberReader {
  readonly #flags: Numbers;
  /** Whether anything is given, right or wrong. */
  readonly isGiven: (name: NumberName) => boolean;
  /** Numbers that mean nothing here. */
  readonly refuse: (names: readonly NumberName[], message: string, hint: string) => void;
  readonly errors: InputError[];

  constructor({ flags, isTyped, refuse, errors }: TypedNumbers) {
    this.#flags = flags;
    this.isGiven = isTyped as (name: string) => boolean;
    this.refuse = refuse as (names: readonly string[], message: string, hint: string) => void;
    this.errors = errors;
  }

  /** The number, or undefined where it is not given or wrong. */
  optional(name: NumberName): Decimal | undefined {
    return this.#flags[name];
  }

  /** The number; where it is not given, `what` is missing. */
  required(name: NumberName, what: string): Decimal | undefined {
    if (!this.isGiven(name)) this.errors.push(missingNumber(rangeOf(name), what));
    return this.#flags[name];
  }

  /** T. */
  rounds(): number | undefined {
    return this.required('rounds', 'number of rounds T')?.toNumber();
  }

  /** d of experts. */
  experts(): number | undefined {
    return this.required('experts', 'number of experts d')?.toNumber();
  }

  /** d of convex losses. */
  dimension(): number | undefined {
    return this.required('dimension', 'dimension d')?.toNumber();
  }

  /** A number that is in its range, and wrong here. */
  outOfRange(name: NumberName, message: string, hint: string): void {
    this.errors.push({ code: 'out-of-range', path: `--${name}`, message, hint });
  }
}

/** Reads p, or c, of which there must be one: c means that there is no y. */
function readTransform(reader: NumberReader): { fakeSwitch: Decimal } | { switchRate: Decimal } | undefined {
  if (!reader.isGiven('c')) {
    const fakeSwitch = reader.required('p', 'p, the probability of a fake switch (or --c, without y),');
    return fakeSwitch && { fakeSwitch };
  }
  reader.refuse(['p'], 'belongs to L2P with y, --c to the one without', 'Keep one of them.');
  const switchRate = reader.optional('c');
  return switchRate && { switchRate };
}

/** Reads T, B and eta, and how x is kept; undefined where anything is wrong. */
export function readBatches<Kept extends object>(
  reader: NumberReader,
  readKept: (reader: NumberReader) => Kept | undefined,
): ({ rounds: number; batch: number; eta: Decimal } & Kept) | undefined {
  const rounds = reader.rounds();
  const batch = reader.required('batch', 'B, the number of rounds in a batch,')?.toNumber();
  const eta = reader.required('eta', 'eta');
  const transform = readKept(reader);
  if (rounds === undefined || batch === undefined) return undefined;
  if (batch <= rounds)
    return eta === undefined || transform === undefined ? undefined : { rounds, batch, eta, ...transform };
  const message = `must be ${rangeOf('batch').allowed}, which is ${grouped(rounds)}, got ${grouped(batch)}`;
  reader.outOfRange('batch', message, 'A batch cannot be longer than all rounds together.');
  return undefined;
}

/** Reads T, B, eta and p or c; undefined where anything is wrong. */
export const readSetting = (reader: NumberReader): L2pSetting | undefined => readBatches(reader, readTransform);

/** Reads L and D, which are 1 where they are left out. */
const readSize = (reader: NumberReader): Pick<ConvexProblem, 'lipschitz' | 'diameter'> => ({
  lipschitz: reader.optional('lipschitz') ?? ONE,
  diameter: reader.optional('diameter') ?? ONE,
});

/** Reads the measure of --measure and the numbers it needs; undefined where anything is wrong. */
export function readMeasure(kind: 'experts' | 'convex' | 'any' | undefined, reader: NumberReader): Measure | undefined {
  if (kind !== 'convex') {
    const hint = 'Give --measure convex for regularized weights on convex losses.';
    reader.refuse(['beta', 'lambda', 'lipschitz', 'diameter'], 'belongs to convex losses', hint);
    return { type: kind === 'any' ? 'any' : 'multiplicative-weights' };
  }
  const beta = reader.required('beta', 'beta of the regularized weights');
  const lambda = reader.required('lambda', 'lambda of the regularized weights');
  const size = readSize(reader);
  if (beta === undefined || lambda === undefined) return undefined;
  return { type: 'regularised-multiplicative-weights', beta, lambda, ...size };
}

/** Reads T, d, epsilon and delta of prediction from experts; undefined where anything is wrong. */
export function readExpertsProblem(reader: NumberReader): ExpertsProblem | undefined {
  const [rounds, experts] = [reader.rounds(), reader.experts()];
  const epsilon = reader.required('epsilon', 'the target epsilon');
  const delta = reader.required('delta', 'the target delta');
  reader.refuse(['dimension', 'lipschitz', 'diameter'], 'belongs to convex losses, not to experts', 'Omit it.');
  if (rounds === undefined || experts === undefined || epsilon === undefined || delta === undefined) return undefined;
  return { problem: 'ope', rounds, experts, epsilon, delta };
}

/** Reads T, d, L, D, epsilon and delta of convex optimisation; undefined where anything is wrong. */
export function readConvexProblem(reader: NumberReader): ConvexProblem | undefined {
  const [rounds, dimension] = [reader.rounds(), reader.dimension()];
  const size = readSize(reader);
  const epsilon = reader.required('epsilon', 'the target epsilon');
  const delta = reader.required('delta', 'the target delta');
  reader.refuse(['experts'], 'belongs to experts, not to convex losses', 'Omit it.');
  if (rounds === undefined || dimension === undefined || epsilon === undefined || delta === undefined) return undefined;
  return { problem: 'oco', rounds, dimension, ...size, epsilon, delta };
}

/** Reads which problem it is; undefined where it is neither. */
export function readProblemName(name: string, errors: InputError[]): 'ope' | 'oco' | undefined {
  const hint = 'ope is prediction from experts, oco is convex optimization.';
  return readOneOf(name, { flag: 'PROBLEM', words: ['ope', 'oco'], hint }, errors);
}
