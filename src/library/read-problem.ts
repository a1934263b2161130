import { BOUND_IDS, boundNamed, type BoundId } from '../bounds/core/bound.ts';
import { Session } from '../bounds/core/session.ts';
import type { Budget, ComposeOptions, Problem } from '../composition/compose/compose.ts';
import type { LocalUsers, Partition, Structure } from '../composition/core/plan-node.ts';
import { USUAL_SETTING, type Setting } from '../composition/core/setting.ts';
import type { DesignProblem } from '../composition/design/check-design.ts';
import { budgetOf, type Limits, type RiskLimit } from '../composition/risk/limits.ts';
import type { Specification } from '../document/core/specification.ts';
import { ANY_NUMBER, PROPER_FRACTION } from '../privacy/mechanisms/parameters.ts';
import type { Query } from '../privacy/curve.ts';
import * as take from './arguments.ts';
import { callback, flag, listOf, oneOf, optional, orNull, record, refined, whole, type Fields } from './arguments.ts';
import { atLeastZero, entry, probability } from './read-mechanism.ts';

/** An element of a list of mechanisms, whatever it holds. */
const node = take.reader('{...}', (value, at) => {
  (take.has(value, 'node') ? structure : entry)(value, at);
});

export const nodes = listOf(node, 'mechanisms and parts');
const label = orNull(take.text);
const instances = take.orWord('unbounded', whole(1));

const users = take.kinds<LocalUsers, 'kind'>('kind', 'users', {
  alike: ['users who all run the same', { count: instances, of: node }],
  different: ['what each user runs', { each: nodes }],
});

const structure = refined(
  take.kinds<Structure, 'node'>('node', 'a part', {
    group: ['a group', { label, nodes }],
    parallel: [
      'parallel instances',
      {
        label,
        sparsity: whole(0),
        instances,
        deltaCap: orNull(probability),
        firstPairConsistent: flag,
        of: node,
      },
    ],
    partition: [
      'a partition',
      {
        label,
        sparsity: whole(0),
        impliedSparsity: optional(flag),
        counted: oneOf(['parts', 'instances'] satisfies Partition['counted'][]),
        of: nodes,
        parts: optional(whole(1)),
      },
    ],
    local: ['users of the local model', { label, differing: whole(0), users }],
  }),
  (node: Structure, at) => {
    if (node.node !== 'partition' || node.parts === undefined) return;
    if (node.of.length === 1 && node.counted === 'parts') return;
    const remedy = 'Parts that all run the same are counted by parts, and have one element in of.';
    throw at.key('parts').outOfRange('left out here', node.parts, remedy);
  },
);

const standing = oneOf(['stated', 'assumed', 'denied']);

export const setting = record<Setting>(
  'a setting',
  {
    discrete: standing,
    adaptiveAdversary: standing,
    symmetric: standing,
    finiteCommunication: standing,
  },
  'USUAL_SETTING',
);

export const adaptivity = oneOf(['adaptive', 'nonadaptive', 'parameters']);
export const order = oneOf(['any', 'declared']);

const PROBLEM: Fields<Problem> = {
  entries: nodes,
  adaptivity,
  order: optional(order),
  setting: optional(setting),
};

/** The keys of a specification beside those of its problem. */
const BESIDE: readonly Exclude<keyof Specification, keyof Problem>[] = ['name', 'target', 'neighbours', 'design'];

const A_PROBLEM = "{ entries: [...], adaptivity: 'adaptive' }, or what readSpecification found in a document";

/** A problem, or a specification. */
export const problem = record<Problem>('a problem', PROBLEM, A_PROBLEM, BESIDE);

export const anyDecimal = take.decimal(ANY_NUMBER);

/** A query: for the smallest epsilon at a delta, or the smallest delta at an epsilon. */
export const query = take.kinds<Query, 'solveFor'>('solveFor', 'a query', {
  epsilon: ['a query for epsilon', { delta: probability }],
  delta: ['a query for delta', { epsilon: anyDecimal }],
});

export const budget = record<Budget>('a budget', { epsilon: atLeastZero, delta: probability });

const riskLimit = take.kinds<RiskLimit, 'measure'>('measure', 'a limit of a risk', {
  advantage: ['a limit of the advantage', { most: probability }],
  'true-positive-rate': [
    'a limit of the true-positive rate',
    { at: take.decimal({ ...PROPER_FRACTION, example: '0.01' }), most: probability },
  ],
});

/** A budget, or a limit of a risk that some budget keeps. */
export const budgetOrRisk = take.whereKey(
  ['measure'],
  refined(riskLimit, (limit: RiskLimit, at) => {
    if (budgetOf(limit) !== null) return;
    throw at.key('most').outOfRange('above the false-positive rate and below 1', limit.most, 'Guessing attains that.');
  }),
  budget,
);

const severalLimits = record<Limits>('limits', {
  budget: orNull(budget),
  risks: listOf(riskLimit, 'limits of risks', 0),
});

/** A budget; or that, or none, with limits of risks, of which there is at least one limit. */
export const limits = take.whereKey(
  ['risks', 'budget'],
  refined(severalLimits, (value: Limits, at) => {
    if (value.budget !== null || value.risks.length > 0) return;
    throw at.outOfRange('at least one limit', value, 'Give a budget, or put a limit into risks.');
  }),
  budget,
);

const design = take.typed('a design', 'Take it from what readSpecification found in a document.', (value) =>
  ['inputs', 'submechanisms', 'procedure'].every((key) => take.has(value, key)),
);

/** A problem whose design is read too. */
export const designProblem = record<DesignProblem>(
  'a problem with a design',
  { ...PROBLEM, design },
  A_PROBLEM,
  BESIDE,
);

const BESIDE_FIELDS = {
  name: orNull(take.text),
  target: orNull(query),
  neighbours: orNull(take.text),
  design: orNull(design),
};

/** A problem with any of the other keys of a specification. */
export const describedProblem = record<DescribedProblem>(
  'a specification',
  {
    ...PROBLEM,
    name: optional(BESIDE_FIELDS.name),
    target: optional(BESIDE_FIELDS.target),
    neighbours: optional(BESIDE_FIELDS.neighbours),
    design: optional(BESIDE_FIELDS.design),
  },
  A_PROBLEM,
);

/** A whole specification. */
export const specification = record<Specification>(
  'a specification',
  { ...PROBLEM, order, setting, ...BESIDE_FIELDS },
  'what readSpecification found in a document',
);

/** A problem with any of the other keys of a specification: a specification is one. */
export type DescribedProblem = Problem & Partial<Omit<Specification, keyof Problem>>;

/** The specification of a problem, with default values for the keys it leaves out. */
export const described = ({
  name = null,
  neighbours = null,
  design = null,
  target = null,
  order = 'any',
  setting = USUAL_SETTING,
  ...problem
}: DescribedProblem): Specification => ({ ...problem, name, neighbours, design, target, order, setting });

export const tolerance = take.number('a number above 0 and below 1', '1e-6', (value) => value > 0 && value < 1);
export const session = take.typed('a session', 'Write createSession().', (value) => value instanceof Session);

const bound = take.reader("'rdp'", (value, at) => {
  if (typeof value !== 'string' || boundNamed(value) === null) oneOf(BOUND_IDS)(value, at);
});

export const COMPOSE_OPTIONS: Fields<ComposeOptions> = {
  directions: optional(flag),
  claimOnly: optional(flag),
  bounds: optional(listOf(bound, 'bounds')),
  quick: optional(flag),
  tolerance: optional(tolerance),
  sparing: optional(flag),
  exhausted: optional(callback),
  interrupted: optional(callback),
  progress: optional(callback),
  session: optional(session),
};

/** How to compose. */
export const composeOptions = record<ComposeOptions>('options', COMPOSE_OPTIONS, '{ tolerance: 1e-6 }');

/** The options of a call; bounds may be named as other accountants call them. */
export function optionsOf<Value extends { readonly bounds?: readonly BoundId[] }>(
  args: take.Arguments,
  options: Value,
  check: take.Reader,
): Value {
  const own = args.read('options', options, check);
  if (own.bounds === undefined) return own;
  return { ...own, bounds: [...new Set(own.bounds.map((name) => boundNamed(name)!))] };
}
