import type { Budget } from '../composition/compose/compose.ts';
import { check as checkSpecified, type Checked } from '../composition/check/check.ts';
import type { Allowance, ChangeOptions } from '../composition/check/changes.ts';
import { Arguments, callback, listOf, optional, record, whole } from './arguments.ts';
import type { Limits } from '../composition/risk/limits.ts';
import { described, type DescribedProblem } from './described.ts';
import { COMPOSE_OPTIONS } from './read-options.ts';
import * as read from './read-problem.ts';

/** `most`: of how many mechanisms changes are looked for; default none. */
export type CheckOptions = Partial<ChangeOptions>;

const readOptions = record<CheckOptions>(
  'options',
  {
    ...COMPOSE_OPTIONS,
    attempted: optional(callback),
    most: optional(whole(0)),
    allowance: optional(
      record<Allowance>(
        'an allowance',
        { begin: callback, end: callback, isSpent: callback },
        '{ begin() {}, end() {}, isSpent: () => false }',
      ),
    ),
  },
  '{ most: 5 }',
);

const readProblems = listOf(read.describedProblem, 'specifications');

const limitsOf = (limits: Budget | Limits): Limits => ('risks' in limits ? limits : { budget: limits, risks: [] });

/**
 * Compares what specifications cost together with a budget, and how well neighbouring data are told
 * apart with limits on that: `within` rests on upper ends only, `exceeds` on lower ends
 * only, and `undecided` is in between, so that it cannot be shown to be within. Where it is not within, looks for changes
 * of one mechanism that would be enough. Refused where no theorem covers them, a design does not have the privacy of its
 * mechanisms, or they say of different data that they are neighbouring.
 *
 * @example
 * ```js
 * import { check, Decimal, readSpecification } from 'dpcompose';
 *
 * const { specification } = readSpecification('{"dpcompose": 1, "mechanisms": [{"type": "dp", "epsilon": 0.1, "count": 50}]}');
 * const budget = { epsilon: new Decimal(1), delta: new Decimal('1e-6') };
 * const checked = check([specification], budget, { most: 1 });
 * console.log(checked.kind); // exceeds
 * console.log(checked.changes.map(({ kind, to }) => `${kind} ${to}`).join(', ')); // parameter 0.0343, count 10
 * ```
 *
 * @param specifications - at least one
 */
export function check(
  specifications: readonly DescribedProblem[],
  limits: Budget | Limits,
  options: CheckOptions = {},
): Checked {
  const given = new Arguments('check');
  const all = given.read('specifications', specifications, readProblems);
  return checkSpecified(all.map(described), limitsOf(given.read('limits', limits, read.limits)), {
    most: 0,
    ...given.read('options', options, readOptions),
  });
}
