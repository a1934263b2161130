import type { ComposeOptions } from '../composition/entries/compose-entries.ts';
import { state, type StateOutcome, type Stated } from '../composition/statement/state.ts';
import type { Query } from '../privacy/query.ts';
import { privacySections, type Section } from '../report/statement.ts';
import { Arguments, optional, record, whole } from './arguments.ts';
import { described, type DescribedProblem } from './described.ts';
import { COMPOSE_OPTIONS } from './read-options.ts';
import * as read from './read-problem.ts';

export interface StatementOptions extends ComposeOptions {
  /** Also for data so many neighbouring steps apart. */
  readonly distance?: number;
}

/** A privacy statement in words, and what it rests on; or why there is none. */
export type StatementOutcome =
  | { readonly kind: 'stated'; readonly sections: readonly Section[]; readonly stated: Stated }
  | Exclude<StateOutcome, { kind: 'stated' }>;

const readOptions = record<StatementOptions>(
  'options',
  { ...COMPOSE_OPTIONS, distance: optional(whole(1)) },
  '{ distance: 5 }',
);

/**
 * A privacy statement in plain words: what is protected, from whom, by which theorem, what that takes for granted, and
 * what it leaves out. Refused as compose refuses, and where a design does not have the privacy of its mechanisms.
 *
 * @example
 * ```js
 * import { Decimal, readSpecification, statement } from 'dpcompose';
 *
 * const { specification } = readSpecification('{"dpcompose": 1, "mechanisms": [{"type": "dp", "epsilon": "0.1"}]}');
 * const { sections } = statement(specification, { solveFor: 'epsilon', delta: new Decimal(0) });
 * console.log(sections[0].title); // Guarantee
 * console.log(sections[0].paragraphs[0].slice(0, 52)); // This mechanism is (0.1, 0)-differentially private, a
 * ```
 */
export function statement(
  specification: DescribedProblem,
  query: Query,
  options: StatementOptions = {},
): StatementOutcome {
  const given = new Arguments('statement');
  const problem = described(given.read('specification', specification, read.describedProblem));
  const target = given.read('query', query, read.query);
  const { distance = null, ...work } = given.read('options', options, readOptions);
  const stated = state(problem, target, distance, work);
  if (stated.kind !== 'stated') return stated;
  const sections = privacySections({ stated, specification: { ...problem, target } });
  return { kind: 'stated', sections, stated };
}
