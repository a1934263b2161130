import { Decimal } from '../../numeric/decimal.ts';
import type { Measure } from '../../lazy/core/measure.ts';
import type { ConvexProblem, ExpertsProblem } from '../../lazy/core/named-setting.ts';
import type { L2pSetting } from '../../lazy/core/setting.ts';
import { grouped } from '../../report/kit/prose.ts';
import type { InputError } from '../../document/core/specification.ts';
import { readNumberOption, type NumberRange, requireNumberOption } from '../kit/number-option.ts';
import { readOneOf } from '../kit/one-of.ts';

const LARGEST_COUNT = Number.MAX_SAFE_INTEGER;

/** Beyond these magnitudes no parameter of an online learner has a meaning, and doubles would overflow on the way. */
const SMALLEST = '1e-30';

const whole =
  (from: number) =>
  (value: Decimal): boolean =>
    value.isInteger() && value.gte(from) && value.lte(LARGEST_COUNT);
const from =
  (least: string, most: string) =>
  (value: Decimal): boolean =>
    value.gte(least) && value.lte(most);

/** The ranges of the numeric options of the lazy commands. */
export const RANGES = {
  rounds: { flag: '--rounds', allowed: 'a whole number from 1 to 2^53 - 1', example: '1000000', contains: whole(1) },
  batch: {
    flag: '--batch',
    allowed: 'a whole number from 1 to the number of rounds',
    example: '10',
    contains: whole(1),
  },
  eta: { flag: '--eta', allowed: 'a number from 1e-30 to 100', example: '1e-4', contains: from(SMALLEST, '100') },
  p: {
    flag: '--p',
    allowed: '0, or a number from 1e-30 to 1',
    example: '0.01',
    contains: (value) => value.isZero() || (value.gte(SMALLEST) && value.lte(1)),
  },
  c: {
    flag: '--c',
    allowed: '0, or a number from 1e-30 to 100',
    example: '0.001',
    contains: (value) => value.isZero() || (value.gte(SMALLEST) && value.lte(100)),
  },
  delta1: {
    flag: '--delta1',
    allowed: 'above 0 and below 1',
    example: '1e-12',
    contains: (value) => value.gt(0) && value.lt(1),
  },
  delta0: {
    flag: '--delta0',
    allowed: 'a number of at least 0 and below 1',
    example: '1e-20',
    contains: (value) => value.gte(0) && value.lt(1),
  },
  experts: { flag: '--experts', allowed: 'a whole number from 2 to 2^53 - 1', example: '1000', contains: whole(2) },
  dimension: { flag: '--dimension', allowed: 'a whole number from 1 to 2^53 - 1', example: '100', contains: whole(1) },
  epsilon: {
    flag: '--epsilon',
    allowed: 'a number from 1e-12 to 1000',
    example: '0.1',
    contains: from('1e-12', '1000'),
  },
  delta: {
    flag: '--delta',
    allowed: 'above 0 and below 1',
    example: '1e-8',
    contains: (value) => value.gt(0) && value.lt(1),
  },
  beta: { flag: '--beta', allowed: 'a number from 1e-30 to 1e30', example: '2e-5', contains: from(SMALLEST, '1e30') },
  lambda: {
    flag: '--lambda',
    allowed: 'a number from 1e-30 to 1e30',
    example: '1e6',
    contains: from(SMALLEST, '1e30'),
  },
  lipschitz: {
    flag: '--lipschitz',
    allowed: 'a number from 1e-15 to 1e15',
    example: '1',
    contains: from('1e-15', '1e15'),
  },
  diameter: {
    flag: '--diameter',
    allowed: 'a number from 1e-15 to 1e15',
    example: '1',
    contains: from('1e-15', '1e15'),
  },
  cap: {
    flag: '--cap',
    allowed: 'a whole number from 0 to 2^53 - 1',
    example: '500',
    contains: whole(0),
  },
  round: { flag: '--round', allowed: 'a whole number from 1 to 2^53 - 1', example: '1', contains: whole(1) },
  seed: { flag: '--seed', allowed: 'a whole number from 0 to 2^53 - 1', example: '1', contains: whole(0) },
} satisfies Record<string, NumberRange>;

export type NumberName = keyof typeof RANGES;

/** The numbers of a command, as typed. */
export type NumberFlags = Partial<Readonly<Record<NumberName, string>>>;

/** Reads numbers one by one; what is wrong or missing is collected. */
export class NumberReader {
  readonly #flags: NumberFlags;
  readonly #errors: InputError[];

  constructor(flags: NumberFlags, errors: InputError[]) {
    this.#flags = flags;
    this.#errors = errors;
  }

  /** The number, or undefined where it is not given or wrong. */
  optional(name: NumberName): Decimal | undefined {
    return readNumberOption(this.#flags[name], RANGES[name], this.#errors);
  }

  /** The number; where it is not given, `what` is missing. */
  required(name: NumberName, what: string): Decimal | undefined {
    return requireNumberOption(this.#flags[name], RANGES[name], what, this.#errors);
  }

  /** Whether anything is given, right or wrong. */
  isGiven(name: NumberName): boolean {
    return this.#flags[name] !== undefined;
  }

  /** Numbers that mean nothing here. */
  refuse(names: readonly NumberName[], why: string, hint: string): void {
    for (const name of names) {
      if (this.#flags[name] === undefined) continue;
      this.#errors.push({ code: 'conflicting-options', path: RANGES[name].flag, message: why, hint });
    }
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

/** Reads T, B, eta and p or c; undefined where anything is wrong. */
export function readSetting(reader: NumberReader, errors: InputError[]): L2pSetting | undefined {
  const rounds = reader.required('rounds', 'the number of rounds T')?.toNumber();
  const batch = reader.required('batch', 'B, the number of rounds in a batch,')?.toNumber();
  const eta = reader.required('eta', 'eta');
  const transform = readTransform(reader);
  if (rounds === undefined || batch === undefined) return undefined;
  if (batch <= rounds) {
    return eta === undefined || transform === undefined ? undefined : { rounds, batch, eta, ...transform };
  }
  errors.push({
    code: 'out-of-range',
    path: RANGES.batch.flag,
    message: `must be ${RANGES.batch.allowed}, which is ${grouped(rounds)}, got ${grouped(batch)}`,
    hint: 'A batch cannot be longer than all rounds together.',
  });
  return undefined;
}

const MEASURES = ['experts', 'convex', 'any'] as const;

const ONE = new Decimal(1);

/** Reads L and D, which are 1 where they are left out. */
function readSize(reader: NumberReader): Pick<ConvexProblem, 'lipschitz' | 'diameter'> {
  return { lipschitz: reader.optional('lipschitz') ?? ONE, diameter: reader.optional('diameter') ?? ONE };
}

/** Reads the measure of --measure and the numbers it needs; undefined where anything is wrong. */
export function readMeasure(
  measure: string | undefined,
  reader: NumberReader,
  errors: InputError[],
): Measure | undefined {
  const hint = 'Leave it out for multiplicative weights on experts.';
  const kind = readOneOf(measure ?? 'experts', { flag: '--measure', words: MEASURES, hint }, errors);
  if (kind === undefined) return undefined;
  if (kind !== 'convex') {
    const hint = 'Give --measure convex for regularised weights on convex losses.';
    reader.refuse(['beta', 'lambda', 'lipschitz', 'diameter'], 'belongs to convex losses', hint);
    return { type: kind === 'any' ? 'any' : 'multiplicative-weights' };
  }
  const beta = reader.required('beta', 'beta of the regularised weights');
  const lambda = reader.required('lambda', 'lambda of the regularised weights');
  const size = readSize(reader);
  if (beta === undefined || lambda === undefined) return undefined;
  return { type: 'regularised-multiplicative-weights', beta, lambda, ...size };
}

/** Reads T, d, epsilon and delta of prediction from experts; undefined where anything is wrong. */
export function readExpertsProblem(reader: NumberReader): ExpertsProblem | undefined {
  const rounds = reader.required('rounds', 'the number of rounds T')?.toNumber();
  const experts = reader.required('experts', 'the number of experts d')?.toNumber();
  const epsilon = reader.required('epsilon', 'the target epsilon');
  const delta = reader.required('delta', 'the target delta');
  reader.refuse(['dimension', 'lipschitz', 'diameter'], 'belongs to convex losses, not to experts', 'Leave it out.');
  if (rounds === undefined || experts === undefined || epsilon === undefined || delta === undefined) return undefined;
  return { problem: 'ope', rounds, experts, epsilon, delta };
}

/** Reads T, d, L, D, epsilon and delta of convex optimisation; undefined where anything is wrong. */
export function readConvexProblem(reader: NumberReader): ConvexProblem | undefined {
  const rounds = reader.required('rounds', 'the number of rounds T')?.toNumber();
  const dimension = reader.required('dimension', 'the dimension d')?.toNumber();
  const size = readSize(reader);
  const epsilon = reader.required('epsilon', 'the target epsilon');
  const delta = reader.required('delta', 'the target delta');
  reader.refuse(['experts'], 'belongs to experts, not to convex losses', 'Leave it out.');
  if (rounds === undefined || dimension === undefined || epsilon === undefined || delta === undefined) return undefined;
  return { problem: 'oco', rounds, dimension, ...size, epsilon, delta };
}
