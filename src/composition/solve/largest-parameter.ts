import { Decimal, ONE, ZERO } from '../../numeric/decimal.ts';
import type { Mechanism, Entry } from '../../privacy/mechanism.ts';
import type { Parameter, ParameterName } from '../../privacy/mechanisms/record.ts';
import { parameterOf } from '../../privacy/mechanisms/records.ts';
import type { Budget, Problem } from '../compose/compose.ts';
import { endWithin, type Beginning, type End, type SearchOptions } from './largest.ts';
import { entriesAt, heldFrom, problemWith } from './mechanisms.ts';

/** The positive decimals of a number of significant digits, counted: step + 1 is the next larger one. */
interface DecimalSteps {
  readonly valueOf: (step: number) => Decimal;
  /** The largest step of which the value is at most a positive one. */
  readonly atMost: (value: Decimal) => number;
  /** The natural logarithm of a value, about. */
  readonly logOf: (step: number) => number;
  /** The step of a natural logarithm, about. */
  readonly near: (logarithm: number) => number;
}

/** The most digits with which the steps of all magnitudes 1e-300 to 1e300 are safe integers. */
export const MOST_STEP_DIGITS = 12;

/** Whole numbers from 1 on. */
const WHOLE_STEPS: DecimalSteps = {
  valueOf: (step) => new Decimal(step),
  atMost: (value) => value.floor().toNumber(),
  logOf: Math.log,
  near: (logarithm) => Math.round(Math.exp(logarithm)),
};

/** Decimals of `digits` significant digits (1 to 12). */
export function decimalSteps(digits: number): DecimalSteps {
  const base = 10 ** (digits - 1);
  const decade = 9 * base;
  return {
    valueOf: (step) => {
      const exponent = Math.floor(step / decade);
      return new Decimal(`${step - exponent * decade + base}e${exponent - digits + 1}`);
    },
    atMost: (value) => {
      const rounded = value.toSignificantDigits(digits, Decimal.ROUND_DOWN);
      const mantissa = Number(rounded.times(new Decimal(10).pow(digits - 1 - rounded.e)));
      return rounded.e * decade + mantissa - base;
    },
    logOf: (step) => {
      const exponent = Math.floor(step / decade);
      return Math.log((step - exponent * decade + base) / base) + exponent * Math.LN10;
    },
    near: (logarithm) => {
      const exponent = Math.floor(logarithm / Math.LN10);
      return exponent * decade + Math.round(Math.expm1(logarithm - exponent * Math.LN10) * base);
    },
  };
}

/** A parameter of several mechanisms that may vary; see {@link Parameter}. */
interface JointParameter extends Omit<Parameter, 'replaced'> {
  /** The mechanisms with another value of it. */
  readonly replaced: (value: Decimal) => readonly Mechanism[];
}

/** Significant digits to which noise that is divided by a factor is rounded up. */
const DIGITS = 15;

const rounded = (value: Decimal, direction: 'down' | 'up'): Decimal =>
  value.toSignificantDigits(DIGITS, direction === 'down' ? Decimal.ROUND_DOWN : Decimal.ROUND_UP);

/** A value of a parameter once the privacy loss is made `factor` times as large, or about: noise is divided by it. */
const scaledBy = ({ value, isNoise }: Parameter, factor: Decimal): Decimal =>
  isNoise ? rounded(value.div(factor), 'up') : value.times(factor);

/** The factors that keep a parameter within its limits. */
function limits({ value, isNoise, smallest, largest }: Parameter): readonly [Decimal, Decimal] {
  const [low, high] = isNoise ? [value.div(largest), value.div(smallest)] : [smallest.div(value), largest.div(value)];
  return [rounded(low, 'up'), rounded(high, 'down')];
}

/** The parameters that mechanisms have, or null where one of them has none. */
function parametersOf(mechanisms: readonly Mechanism[], name?: ParameterName): readonly Parameter[] | null {
  const parameters = mechanisms.map((mechanism) => parameterOf(mechanism, name)).filter((each) => each !== null);
  return parameters.length === mechanisms.length ? parameters : null;
}

/** The names of the parameters that mechanisms have; null where one of them has none. */
export const parameterNames = (
  mechanisms: readonly Mechanism[],
  name?: ParameterName,
): readonly ParameterName[] | null => {
  const parameters = parametersOf(mechanisms, name);
  return parameters && [...new Set(parameters.map(({ name }) => name))];
};

/**
 * The parameter by which mechanisms are made more or less private together: that of a single one, or a common factor of
 * the parameters of several (by which noise is divided, rounded up to 15 digits); null where one of them has none.
 */
function jointParameter(mechanisms: readonly Mechanism[], asked?: ParameterName): JointParameter | null {
  const parameters = parametersOf(mechanisms, asked);
  const [only, ...others] = parameters ?? [];
  if (parameters === null || only === undefined) return null;
  if (others.length === 0) return { ...only, replaced: (value) => [only.replaced(value)] };
  const ends = parameters.filter(({ value }) => !value.isZero()).map(limits);
  return {
    name: 'factor',
    value: ONE,
    isNoise: false,
    isSteady: parameters.every(({ isSteady }) => isSteady),
    smallest: Decimal.max('1e-300', ...ends.map(([smallest]) => smallest)),
    largest: Decimal.min('1e300', ...ends.map(([, largest]) => largest)),
    replaced: (factor) => parameters.map((parameter) => parameter.replaced(scaledBy(parameter, factor))),
  };
}

/** Where the parameter of mechanisms ceases to fit into a budget: the larger the costlier, of noise the smaller. */
interface ParameterEnd extends End<Decimal> {
  readonly name: ParameterName;
  /** Whether it is known that any value beyond one that exceeds does so too. */
  readonly isSteady: boolean;
  readonly isWhole: boolean;
  /** The mechanisms with a value of it. */
  readonly entriesWith: (value: Decimal) => readonly Entry[];
}

export interface ParameterOptions extends SearchOptions {
  /** Significant digits of the answer, 1 to 12; default 6. */
  readonly digits?: number;
  /** The parameter, where a mechanism has several; absent: the usual one. */
  readonly name?: ParameterName | undefined;
}

/** Significant digits by default. */
export const USUAL_DIGITS = 6;

/** Where the search begins for a parameter that is 0. */
const BEGIN = new Decimal('0.1');

/** The decimals of some digits that a parameter may be: the later the step the costlier. */
function stepsOf({ isNoise, isWhole, value, smallest, largest }: JointParameter, digits: number) {
  const sign = isNoise ? -1 : 1;
  const steps = isWhole === true ? WHOLE_STEPS : decimalSteps(digits);
  const firstStep = steps.atMost(smallest);
  const ends = [steps.valueOf(firstStep).lt(smallest) ? firstStep + 1 : firstStep, steps.atMost(largest)].map(
    (step) => sign * step,
  );
  return {
    first: Math.min(...ends),
    last: Math.max(...ends),
    start: sign * steps.atMost(value.isZero() ? BEGIN : value),
    scale: { of: (step: number) => sign * steps.logOf(sign * step), back: (x: number) => sign * steps.near(sign * x) },
    valueAt: (step: number) => steps.valueOf(sign * step),
  };
}

/**
 * The largest factor of the parameters of several mechanisms (see {@link jointParameter}) with which a composition is
 * within a budget, all others held; of a single mechanism the largest value of its parameter (its epsilon, rho or mu; of
 * noise the smallest scale or sigma): a decimal of at most `digits` significant digits from 1e-300 to 1e300, or 0, which
 * stands for mechanisms that cost nothing. Null where a mechanism has no such parameter.
 *
 * @param indices - of the mechanisms, in the order of the document (`mechanismsIn`)
 */
export function largestParameter(
  problem: Problem,
  indices: readonly number[],
  budget: Budget,
  options: ParameterOptions & Beginning = {},
): ParameterEnd | null {
  const { digits = USUAL_DIGITS, name: asked, ...work } = options;
  const entries = entriesAt(problem, indices);
  const parameter = jointParameter(
    entries.map(({ mechanism }) => mechanism),
    asked,
  );
  if (parameter === null) return null;
  const { name, isSteady } = parameter;
  const entriesWith = (value: Decimal): readonly Entry[] => {
    const mechanisms = parameter.replaced(value);
    return entries.map((entry, at) => ({ ...entry, mechanism: mechanisms[at]! }));
  };
  const hasZero = entries.every(({ mechanism }) => parameterOf(mechanism, asked)?.isNoise === false);
  const end = endWithin(
    {
      ...stepsOf(parameter, digits),
      ...(hasZero && { zero: ZERO }),
      exact: false,
      fixedProblem: heldFrom(problem, indices),
      problemAt: (value) => problemWith(problem, indices, entriesWith(value)),
    },
    budget,
    work,
  );
  return { ...end, name, isSteady, isWhole: parameter.isWhole === true, entriesWith };
}
