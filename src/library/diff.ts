import type { ComposeOptions } from '../composition/compose/compose.ts';
import { compare, type Comparison } from '../composition/diff/compare.ts';
import type { Refusal } from '../composition/core/outcome.ts';
import type { Query } from '../privacy/query.ts';
import { Arguments } from './arguments.ts';
import { described, type DescribedProblem } from './described.ts';
import { composeOptions } from './read-options.ts';
import * as read from './read-problem.ts';

/** The cost of a change; or the refusal of one of the two specifications, which no theorem covers. */
export type DiffOutcome =
  | ({ readonly kind: 'comparison' } & Comparison)
  | { readonly kind: 'refusal'; readonly refusal: Refusal; readonly of: 'before' | 'after' };

/**
 * Compares what two specifications cost, and what each difference between them costs alone: the specification before with
 * that change only. Alone, changes need not add up to the whole.
 *
 * @example
 * ```js
 * import { Decimal, diff, readSpecification } from 'dpcompose';
 *
 * const document = '{"dpcompose": 1, "mechanisms": [{"type": "dp", "epsilon": 0.1, "count": 50}]}';
 * const before = readSpecification(document).specification;
 * const after = readSpecification(document, { set: ['mechanisms[0].count=60'] }).specification;
 * const compared = diff(before, after, { solveFor: 'epsilon', delta: new Decimal(0) });
 * console.log(compared.before.epsilon.upper, compared.after.epsilon.upper); // 5 6
 * console.log(compared.changes.map(({ change }) => change.kind).join(', ')); // changed
 * ```
 *
 * @param query - what is asked of `before`, and of `after` unless that asks for the same at a target of its own
 */
export function diff(
  before: DescribedProblem,
  after: DescribedProblem,
  query: Query,
  options: ComposeOptions = {},
): DiffOutcome {
  const given = new Arguments('diff');
  const compared = compare(
    described(given.read('before', before, read.describedProblem)),
    described(given.read('after', after, read.describedProblem)),
    given.read('query', query, read.query),
    given.read('options', options, composeOptions),
  );
  return 'refusal' in compared ? { kind: 'refusal', ...compared } : { kind: 'comparison', ...compared };
}
