import type { ComposeOptions, Problem } from '../composition/compose/compose.ts';
import { parameterNames } from '../composition/solve/largest-parameter.ts';
import { mechanismsIn, nodesIn } from '../composition/solve/mechanisms.ts';
import {
  solve as solveWithin,
  solveTotal as solveForTotal,
  type SolveOptions,
  type SolveOutcome,
  type SolveQuestion,
} from '../composition/solve/solve.ts';
import { structureNumber } from '../composition/solve/largest-count.ts';
import type { Query } from '../privacy/curve.ts';
import { Arguments, callback, kinds, listOf, optional, record, refined, text, whole } from './arguments.ts';
import { COMPOSE_OPTIONS, composeOptions } from './read-problem.ts';
import * as read from './read-problem.ts';

const commonFields = { problem: read.problem, budget: read.budgetOrRisk };
const ofMechanisms = [
  'a question about mechanisms',
  { ...commonFields, varied: listOf(whole(0), 'the places of mechanisms, from 0') },
] as const;
const ofNode = ['a question about a part', { ...commonFields, path: text }] as const;

const byUnknown = kinds<SolveQuestion, 'unknown'>(
  'unknown',
  'a question',
  {
    count: ofMechanisms,
    parameter: ofMechanisms,
    reports: ofMechanisms,
    instances: ofNode,
    sparsity: ofNode,
    users: ofNode,
    differing: ofNode,
  },
  "{ problem, budget, unknown: 'count', varied: [0] }",
);

const readQuestion = refined(byUnknown, (question: SolveQuestion, at) => {
  const { entries } = question.problem;
  if ('path' in question) {
    const { path, unknown } = question;
    const having = nodesIn(entries).filter(({ node }) => structureNumber(node, unknown) !== null);
    if (having.some((placed) => placed.path === path)) return;
    const places = having.map((placed) => placed.path).join(', ');
    const remedy = places === '' ? `Nothing in the problem has ${unknown}.` : `Write one of ${places}.`;
    throw at.key('path').outOfRange(`the place of a part that has ${unknown}`, path, remedy);
  }
  const all = mechanismsIn(entries);
  question.varied.forEach((index, item) => {
    const place = at.key('varied').item(item);
    whole(0, all.length - 1)(index, place);
    if (question.varied.indexOf(index) < item) throw place.outOfRange('another place', index, 'Write each once.');
  });
  const varied = question.varied.map((index) => all[index]!.entry.mechanism);
  if (question.unknown === 'reports' && !varied.every(({ type }) => type === 'shuffled-reports')) {
    throw at.key('varied').outOfRange('of shuffled reports', 'another mechanism', "Ask for unknown: 'parameter'.");
  }
  if (question.unknown === 'parameter' && parameterNames(varied) === null) {
    const remedy = "Omit it, or ask for unknown: 'count'.";
    throw at.key('varied').outOfRange('of mechanisms that have a parameter', 'a finite pair', remedy);
  }
});

const readOptions = record<SolveOptions>(
  'options',
  { ...COMPOSE_OPTIONS, attempted: optional(callback), digits: optional(whole(1, 12)) },
  '{ digits: 3 }',
);

/**
 * The largest count or the least private parameter of some mechanisms (of several a common multiple, or a common factor),
 * or the largest number of a node, with which a composition is within a budget, all others held.
 *
 * A value is shown to be within by upper ends, and to exceed by lower ends. Between the two it is open.
 *
 * @example
 * ```js
 * import { Decimal, readSpecification, solve } from 'dpcompose';
 *
 * const { specification } = readSpecification('{"dpcompose": 1, "mechanisms": [{"type": "dp", "epsilon": "0.1"}]}');
 * const budget = { epsilon: new Decimal(1), delta: new Decimal('1e-6') };
 * const found = solve({ problem: specification, budget, unknown: 'count', varied: [0] });
 * console.log(found.kind, found.name, found.value.toString(), found.next); // solved count 10 exceeds
 * ```
 */
export function solve(question: SolveQuestion, options: SolveOptions = {}): SolveOutcome {
  const args = new Arguments('solve');
  return solveWithin(args.read('question', question, readQuestion), read.optionsOf(args, options, readOptions));
}

/**
 * The cost of all mechanisms together, as an outcome like that of {@link solve}: the smallest epsilon at a delta, or
 * the smallest delta at an epsilon.
 *
 * @example
 * ```js
 * import { Decimal, readSpecification, solveTotal } from 'dpcompose';
 *
 * const { specification } = readSpecification('{"dpcompose": 1, "mechanisms": [{"type": "dp", "epsilon": "0.1"}]}');
 * const found = solveTotal(specification, { solveFor: 'epsilon', delta: new Decimal(0) });
 * console.log(found.kind, found.name, found.value.toString()); // solved total-epsilon 0.1
 * ```
 */
export function solveTotal(problem: Problem, query: Query, options: ComposeOptions = {}): SolveOutcome {
  const args = new Arguments('solveTotal');
  return solveForTotal(
    args.read('problem', problem, read.problem),
    args.read('query', query, read.query),
    read.optionsOf(args, options, composeOptions),
  );
}
