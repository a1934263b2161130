import { normalForm as normalFormOf, type NormalForm } from '../document/structure/normal-form.ts';
import type { Specification } from '../document/core/specification.ts';
import { Arguments } from './arguments.ts';
import { specification as readSpecification } from './read-problem.ts';

/**
 * The normal form of a specification: a document that, read again, gives the same specification.
 *
 * @example
 * ```js
 * import { normalForm, readSpecification } from 'dpcompose';
 *
 * const { specification } = readSpecification('{"dpcompose": 1, "mechanisms": [{"type": "laplace", "epsilon": 0.1}]}');
 * console.log(normalForm(specification).mechanisms[0].type); // laplace
 * ```
 */
export function normalForm(specification: Specification): NormalForm {
  return normalFormOf(new Arguments('normalForm').read('specification', specification, readSpecification));
}
