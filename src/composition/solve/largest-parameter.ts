import { Decimal } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import type { Budget } from '../compose/budget.ts';
import type { Problem } from '../compose/compose.ts';
import { decimalSteps } from './decimal-steps.ts';
import { jointParameter, type JointParameter } from './joint-parameter.ts';
import { endWithin, type Beginning, type End, type SearchOptions } from './largest.ts';
import { entriesAt, heldFrom, problemWith } from './mechanisms.ts';
import type { ParameterName } from '../../privacy/mechanisms/record.ts';
import { parameterOf } from '../../privacy/mechanisms/records.ts';

/** Where the parameter of mechanisms ceases to fit into a budget: the larger the costlier, of noise the smaller. */
export interface ParameterEnd extends End<Decimal> {
  readonly name: ParameterName;
  /** Whether it is known that any value beyond one that exceeds does so too. */
  readonly isSteady: boolean;
  /** The mechanisms with a value of it. */
  readonly entriesWith: (value: Decimal) => readonly Entry[];
}

export interface ParameterOptions extends SearchOptions {
  /** Significant digits of the answer, 1 to 12; default 6. */
  readonly digits?: number;
}

/** Significant digits by default. */
export const USUAL_DIGITS = 6;

/** Where the search begins for a parameter that is 0. */
const BEGIN = new Decimal('0.1');

const ZERO = new Decimal(0);

/** The decimals of some digits that a parameter may be: the later the step the costlier. */
function stepsOf({ isNoise, value, smallest, largest }: JointParameter, digits: number) {
  const sign = isNoise ? -1 : 1;
  const steps = decimalSteps(digits);
  const least = steps.atMost(smallest);
  const ends = [steps.valueOf(least).lt(smallest) ? least + 1 : least, steps.atMost(largest)].map(
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
  const { digits = USUAL_DIGITS, ...work } = options;
  const entries = entriesAt(problem, indices);
  const parameter = jointParameter(entries.map(({ mechanism }) => mechanism));
  if (parameter === null) return null;
  const { name, isSteady } = parameter;
  const entriesWith = (value: Decimal): readonly Entry[] => {
    const mechanisms = parameter.replaced(value);
    return entries.map((entry, at) => ({ ...entry, mechanism: mechanisms[at]! }));
  };
  const hasZero = entries.every(({ mechanism }) => parameterOf(mechanism)?.isNoise === false);
  const end = endWithin(
    {
      ...stepsOf(parameter, digits),
      ...(hasZero && { zero: ZERO }),
      exact: false,
      held: heldFrom(problem, indices),
      problemAt: (value) => problemWith(problem, indices, entriesWith(value)),
    },
    budget,
    work,
  );
  return { ...end, name, isSteady, entriesWith };
}
