import { Decimal } from '../../numeric/decimal.ts';
import { listed } from '../../report/kit/prose.ts';
import type { InputError } from '../../document/core/specification.ts';
import { readNumberOption, type NumberRange, wholeNumber } from '../kit/number-option.ts';

/** The parameters of a ready design, as typed. */
export interface ExampleFlags {
  readonly totalEpsilon?: string;
  readonly counterDelta?: string;
  readonly dimension?: string;
  readonly intervals?: string;
  readonly intervalDelta?: string;
  readonly checkDelta?: string;
  readonly largestQuery?: string;
  readonly beta?: string;
  readonly horizon?: string;
  readonly vertices?: string;
  readonly largestDegree?: string;
}

/** A parameter of a ready design. */
export type ExampleKey = keyof ExampleFlags;

/** Far from where parameters, divided among thousands of mechanisms, could no longer be written. */
const LEAST = new Decimal('1e-100');
const MOST = new Decimal('1e100');

const between = (flag: string, example: string): NumberRange => ({
  flag,
  allowed: 'a number from 1e-100 to 1e100',
  example,
  contains: (value) => value.gte(LEAST) && value.lte(MOST),
});

/** A delta from 1e-100 and below 1; or 0, which stands for none. */
const failure = (flag: string, example: string): NumberRange => ({
  flag,
  allowed: '0, or a number from 1e-100 and below 1',
  example,
  contains: (value) => value.isZero() || (value.gte(LEAST) && value.lt(1)),
});

const RANGES: Readonly<Record<ExampleKey, NumberRange>> = {
  totalEpsilon: between('--total-epsilon', '1'),
  counterDelta: failure('--counter-delta', '1e-6'),
  dimension: wholeNumber('--dimension', '4'),
  intervals: wholeNumber('--intervals', '20', 2),
  intervalDelta: failure('--interval-delta', '1e-8'),
  checkDelta: failure('--check-delta', '1e-7'),
  largestQuery: {
    ...between('--largest-query', '1000'),
    allowed: 'a number from 1 to 1e100',
    contains: (value) => value.gte(1) && value.lte(MOST),
  },
  beta: {
    ...failure('--beta', '0.05'),
    allowed: 'a number from 1e-100 and below 1',
    contains: (value) => value.gte(LEAST) && value.lt(1),
  },
  horizon: wholeNumber('--horizon', '1000000'),
  vertices: wholeNumber('--vertices', '10000', 2),
  largestDegree: wholeNumber('--largest-degree', '100'),
};

/** Reads a parameter; undefined where it is not given or wrong, in which case that goes to `errors`. */
export function readParameter(flags: ExampleFlags, key: ExampleKey, errors: InputError[]): Decimal | undefined {
  return readNumberOption(flags[key], RANGES[key], errors);
}

/** The mistakes of parameters that are given where only those of `allowed` have a meaning. */
export function meaninglessParameters(flags: ExampleFlags, allowed: readonly ExampleKey[], what: string): InputError[] {
  return (Object.keys(RANGES) as ExampleKey[])
    .filter((key) => flags[key] !== undefined && !allowed.includes(key))
    .map((key) => ({
      code: 'conflicting-options',
      path: RANGES[key].flag,
      message: `says nothing of ${what}`,
      hint: `Leave it out${allowed.length === 0 ? '' : `; ${what} has ${listed(allowed.map((each) => RANGES[each].flag))}`}.`,
    }));
}
