import { Decimal } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import type { Budget } from '../budget.ts';
import type { ComposeOptions, Problem } from '../compose.ts';
import { decimalSteps, MOST_STEP_DIGITS } from './decimal-steps.ts';
import { lastPassing } from './last-passing.ts';
import { jointParameter } from './joint-parameter.ts';
import { parameterOf, type ParameterName } from './parameter.ts';
import { Varied, type Next } from './varied.ts';

/** The least private parameter of mechanisms that fits into a budget. */
export interface LargestParameter {
  readonly name: ParameterName;
  /** Exact; with it the composition is within the budget. */
  readonly value: Decimal;
  /** What is known of the next value of as many digits: larger, or of noise smaller. */
  readonly next: Next;
  /** The mechanisms with it. */
  readonly entries: readonly Entry[];
}

/** The same of a single mechanism. */
export interface LargestOwnParameter extends LargestParameter {
  readonly entry: Entry;
}

export interface ParameterOptions extends ComposeOptions {
  /** Significant digits of the answer, 1 to 12 (default). */
  readonly digits?: number;
}

/** Where the search begins for a parameter that is 0. */
const BEGIN = new Decimal('0.1');

/**
 * The largest factor of the parameters of several mechanisms (see {@link jointParameter}) with which a composition is
 * within a budget, all others held; of a single mechanism the largest value of its parameter. Null where none is, or a
 * mechanism has no such parameter.
 *
 * A factor of 0 stands for mechanisms that cost nothing; where noise is among them there is none.
 *
 * @param indices - of the mechanisms, in the order of the document (`mechanismsIn`)
 */
export function largestJointParameter(
  problem: Problem,
  indices: readonly number[],
  budget: Budget,
  options: ParameterOptions = {},
): LargestParameter | null {
  const { digits = MOST_STEP_DIGITS, ...work } = options;
  const varied = new Varied(problem, indices, budget, work);
  const parameter = jointParameter(varied.entries.map(({ mechanism }) => mechanism));
  if (parameter === null) return null;
  const { name, isNoise, smallest, largest } = parameter;
  const sign = isNoise ? -1 : 1;
  const steps = decimalSteps(digits);
  const withValue = (value: Decimal): Entry[] => {
    const mechanisms = parameter.replaced(value);
    return varied.entries.map((entry, at) => ({ ...entry, mechanism: mechanisms[at]! }));
  };
  const zero = new Decimal(0);
  const hasZero = varied.entries.every(({ mechanism }) => parameterOf(mechanism)?.isNoise === false);
  if (hasZero && varied.verdictWith(withValue(zero)).kind !== 'within') return null;

  const least = steps.atMost(smallest);
  const ends = [steps.valueOf(least).lt(smallest) ? least + 1 : least, steps.atMost(largest)].map(
    (step) => sign * step,
  );
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  const found = lastPassing({
    first,
    last,
    start: sign * steps.atMost(parameter.value.isZero() ? BEGIN : parameter.value),
    attempt: (step) => varied.attempt(step, withValue(steps.valueOf(sign * step))),
    scale: { of: (step) => sign * steps.logOf(sign * step), back: (x) => sign * steps.near(sign * x) },
    ...(work.exhausted && { exhausted: work.exhausted }),
  });
  if (found === null && !hasZero) return null;
  const value = found === null ? zero : steps.valueOf(sign * found);
  return { name, value, entries: withValue(value), next: varied.nextOf(found ?? first - 1, last) };
}

/**
 * The largest parameter of one mechanism (its epsilon, rho or mu; of noise the smallest scale or sigma) with which a
 * composition is within a budget, all others held; null where none is, or the mechanism has no such parameter.
 *
 * The value is a decimal of at most `digits` significant digits from 1e-300 to 1e300, or 0. The composition with it is
 * shown to be within (upper ends); with the next decimal of as many digits it is not shown to be (`next`). At several
 * Renyi orders the parameter is a factor of all their epsilons.
 *
 * @param index - of the mechanism, in the order of the document (`mechanismsIn`)
 */
export function largestParameter(
  problem: Problem,
  index: number,
  budget: Budget,
  options: ParameterOptions = {},
): LargestOwnParameter | null {
  const found = largestJointParameter(problem, [index], budget, options);
  const [entry] = found?.entries ?? [];
  return found === null || entry === undefined ? null : { ...found, entry };
}
