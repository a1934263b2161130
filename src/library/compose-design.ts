import type { ComposeOptions } from '../composition/compose/compose.ts';
import {
  composeDesign as composeDesigned,
  type DesignOutcome,
  type DesignProblem,
} from '../composition/design/check-design.ts';
import type { Query } from '../privacy/query.ts';
import { Arguments } from './arguments.ts';
import { composeOptions } from './read-options.ts';
import * as read from './read-problem.ts';

/**
 * The cost of a mechanism that runs others: that of those together, as long as it has the destination, the response
 * and the f -> f' property.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Theorem 6.1 and Corollary 6.6.
 *
 * @example
 * ```js
 * import { composeDesign, readSpecification } from 'dpcompose';
 *
 * const { specification } = readSpecification(
 *   `{"dpcompose": 1, "target": {"epsilon": "1"},
 *     "mechanisms": [{"type": "dp", "epsilon": "1", "label": "noisy", "kind": "continual"}],
 *     "design": {"inputs": [{"name": "x", "differing": 1, "change": 1}],
 *       "submechanisms": [{"mechanism": "noisy", "receives": [{"name": "row", "change": 1}]}],
 *       "procedure": {"start": [{"create": "noisy"}],
 *         "input": [{"send": ["x"], "to": "noisy", "answer": "a"}, {"output": ["a", "x"]}]}}}`,
 * );
 * const { target, ...problem } = specification;
 * const { kind, check } = composeDesign(problem, target);
 * console.log(kind, check.verdicts.map(({ property, state }) => `${property} ${state}`).join(', '));
 * // fails destination holds, response fails, neighbouring-mapping holds
 * ```
 */
export function composeDesign(problem: DesignProblem, query: Query, options: ComposeOptions = {}): DesignOutcome {
  const given = new Arguments('composeDesign');
  return composeDesigned(
    given.read('problem', problem, read.designProblem),
    given.read('query', query, read.query),
    given.read('options', options, composeOptions),
  );
}
