import type { Allowance, ChangeOptions } from '../composition/check/changes.ts';
import { check as checkSpecified, type Checked } from '../composition/check/check.ts';
import type { Budget, ComposeOptions } from '../composition/compose/compose.ts';
import type { Refusal } from '../composition/core/outcome.ts';
import { compare, type Comparison } from '../composition/diff/compare.ts';
import type { Limits } from '../composition/risk/limits.ts';
import { state, type Stated, type StateOutcome } from '../composition/statement/state.ts';
import type { Query } from '../privacy/curve.ts';
import { privacySections, type Section } from '../output/statement.ts';
import { Arguments, callback, listOf, optional, record, whole } from './arguments.ts';
import { COMPOSE_OPTIONS, composeOptions, described, type DescribedProblem } from './read-problem.ts';
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
  const args = new Arguments('check');
  const all = args.read('specifications', specifications, readProblems);
  return checkSpecified(all.map(described), limitsOf(args.read('limits', limits, read.limits)), {
    most: 0,
    ...read.optionsOf(args, options, readOptions),
  });
}

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
  const args = new Arguments('diff');
  const compared = compare(
    described(args.read('before', before, read.describedProblem)),
    described(args.read('after', after, read.describedProblem)),
    args.read('query', query, read.query),
    read.optionsOf(args, options, composeOptions),
  );
  return 'refusal' in compared ? { kind: 'refusal', ...compared } : { kind: 'comparison', ...compared };
}

export interface StatementOptions extends ComposeOptions {
  /** Also for data so many neighbouring steps apart. */
  readonly distance?: number;
}

/** A privacy statement in words, and what it rests on; or why there is none. */
export type StatementOutcome =
  | { readonly kind: 'stated'; readonly sections: readonly Section[]; readonly stated: Stated }
  | Exclude<StateOutcome, { kind: 'stated' }>;

const readStatementOptions = record<StatementOptions>(
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
  const args = new Arguments('statement');
  const problem = described(args.read('specification', specification, read.describedProblem));
  const target = args.read('query', query, read.query);
  const { distance = null, ...work } = read.optionsOf(args, options, readStatementOptions);
  const stated = state(problem, target, distance, work);
  if (stated.kind !== 'stated') return stated;
  const sections = privacySections({ stated, specification: { ...problem, target } });
  return { kind: 'stated', sections, stated };
}
