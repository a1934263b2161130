import { BOUND_IDS } from '../bounds/core/bound.ts';
import { Session } from '../bounds/core/session.ts';
import type { Budget } from '../composition/compose/compose.ts';
import type { ComposeOptions, Problem } from '../composition/compose/compose.ts';
import type { Group, Local, LocalUsers, Parallel, Partition, Structure } from '../composition/core/plan-node.ts';
import { USUAL_SETTING, type Setting } from '../composition/core/setting.ts';
import type { DesignProblem } from '../composition/design/check-design.ts';
import { budgetOf, type Limits, type RiskLimit } from '../composition/risk/limits.ts';
import type { Specification } from '../document/core/specification.ts';
import type { Query } from '../privacy/query.ts';
import { ANY_NUMBER, PROPER_FRACTION } from '../document/core/ranges.ts';
import {
  byWord,
  callback,
  decimal,
  flag,
  listOf,
  made,
  number,
  oneOf,
  optional,
  orNull,
  record,
  text,
  whole,
  type Fields,
  type Reader,
} from './arguments.ts';
import { atLeastZero, entry, probability } from './read-mechanism.ts';

/** An element of a list of mechanisms, whatever it holds. */
const node: Reader = (value, at) =>
  typeof value === 'object' && value !== null && 'node' in value ? structure(value, at) : entry(value, at);

export const nodes = listOf(node, 'mechanisms and parts');
const nodeKind = (name: Structure['node']): Reader => oneOf([name]);
const label = orNull(text);

const counted = oneOf(['parts', 'instances']);

const instances: Reader = (value, at) => (value === 'unbounded' ? value : whole(1)(value, at));

const alike = record<Extract<LocalUsers, { kind: 'alike' }>>(
  'users who all run the same',
  { kind: oneOf(['alike']), count: instances, of: node },
  "{ kind: 'alike', count: 'unbounded', of: {...} }",
);

const different = record<Extract<LocalUsers, { kind: 'different' }>>(
  'what each user runs',
  { kind: oneOf(['different']), each: nodes },
  "{ kind: 'different', each: [...] }",
);

const partition = record<Partition>(
  'a partition',
  {
    node: nodeKind('partition'),
    label,
    sparsity: whole(0),
    impliedSparsity: optional(flag),
    counted,
    of: nodes,
    parts: optional(whole(1)),
  },
  "{ node: 'partition', label: null, sparsity: 1, counted: 'parts', of: [...] }",
);

const STRUCTURES: Readonly<Record<Structure['node'], Reader>> = {
  group: record<Group>(
    'a group',
    { node: nodeKind('group'), label, nodes },
    "{ node: 'group', label: null, nodes: [...] }",
  ),
  parallel: record<Parallel>(
    'parallel instances',
    {
      node: nodeKind('parallel'),
      label,
      sparsity: whole(0),
      instances,
      deltaCap: orNull(probability),
      firstPairConsistent: flag,
      of: node,
    },
    "{ node: 'parallel', label: null, sparsity: 1, instances: 'unbounded', deltaCap: null, firstPairConsistent: false, of: {...} }",
  ),
  partition: (value, at) => {
    const read = partition(value, at) as Partition;
    if (read.parts === undefined || (read.of.length === 1 && read.counted === 'parts')) return read;
    const remedy = 'Parts that all run the same are counted by parts, and have one element in of.';
    throw at.key('parts').outOfRange('left out here', read.parts, remedy);
  },
  local: record<Local>(
    'users of the local model',
    {
      node: nodeKind('local'),
      label,
      differing: whole(0),
      users: byWord('kind', { alike, different }, 'users', "{ kind: 'alike', count: 'unbounded', of: {...} }"),
    },
    "{ node: 'local', label: null, differing: 1, users: {...} }",
  ),
};

const structure = byWord('node', STRUCTURES, 'a part', "{ node: 'group', label: null, nodes: [...] }");

const standing = oneOf(['stated', 'assumed', 'denied']);

export const setting = record<Setting>(
  'a setting',
  {
    discrete: standing,
    adaptiveAdversary: standing,
    symmetric: standing,
    finiteCommunication: standing,
  },
  '{ ...USUAL_SETTING }',
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

export const anyDecimal = decimal(ANY_NUMBER);

/** A query: for the smallest epsilon at a delta, or the smallest delta at an epsilon. */
export const query = byWord(
  'solveFor',
  {
    epsilon: record<Extract<Query, { solveFor: 'epsilon' }>>(
      'a query for epsilon',
      { solveFor: oneOf(['epsilon']), delta: probability },
      "{ solveFor: 'epsilon', delta: new Decimal('1e-6') }",
    ),
    delta: record<Extract<Query, { solveFor: 'delta' }>>(
      'a query for delta',
      { solveFor: oneOf(['delta']), epsilon: anyDecimal },
      "{ solveFor: 'delta', epsilon: new Decimal('1') }",
    ),
  },
  'a query',
  "{ solveFor: 'epsilon', delta: new Decimal('1e-6') }",
);

export const budget = record<Budget>(
  'a budget',
  { epsilon: atLeastZero, delta: probability },
  "{ epsilon: new Decimal('1'), delta: new Decimal('1e-6') }",
);

const riskLimit = byWord(
  'measure',
  {
    advantage: record<Extract<RiskLimit, { measure: 'advantage' }>>(
      'a limit of the advantage',
      { measure: oneOf(['advantage']), most: probability },
      "{ measure: 'advantage', most: new Decimal('0.2') }",
    ),
    'true-positive-rate': record<Extract<RiskLimit, { measure: 'true-positive-rate' }>>(
      'a limit of the true-positive rate',
      { measure: oneOf(['true-positive-rate']), at: decimal(PROPER_FRACTION, '0.01'), most: probability },
      "{ measure: 'true-positive-rate', at: new Decimal('0.01'), most: new Decimal('0.05') }",
    ),
  },
  'a limit of a risk',
  "{ measure: 'advantage', most: new Decimal('0.2') }",
);

/** A budget, or a limit of a risk that some budget keeps. */
export const budgetOrRisk: Reader = (value, at) => {
  if (typeof value !== 'object' || value === null || !('measure' in value)) return budget(value, at);
  const limit = riskLimit(value, at) as RiskLimit;
  if (budgetOf(limit) !== null) return limit;
  throw at.key('most').outOfRange('above the false-positive rate and below 1', limit.most, 'Guessing attains that.');
};

const severalLimits = record<Limits>(
  'limits',
  { budget: orNull(budget), risks: listOf(riskLimit, 'limits of risks', 0) },
  "{ budget: null, risks: [{ measure: 'advantage', most: new Decimal('0.2') }] }",
);

/** A budget; or that, or none, with limits of risks, of which there is at least one limit. */
export const limits: Reader = (value, at) => {
  if (typeof value !== 'object' || value === null || !('risks' in value || 'budget' in value)) return budget(value, at);
  const read = severalLimits(value, at) as Limits;
  if (read.budget !== null || read.risks.length > 0) return read;
  throw at.outOfRange('at least one limit', value, 'Give a budget, or put a limit into risks.');
};

const design = made(
  'a design',
  'Take it from what readSpecification found in a document.',
  (value) => 'inputs' in value && 'submechanisms' in value && 'procedure' in value,
);

/** A problem whose design is read too. */
export const designProblem = record<DesignProblem>(
  'a problem with a design',
  { ...PROBLEM, design },
  A_PROBLEM,
  BESIDE,
);

const BESIDE_FIELDS = {
  name: orNull(text),
  target: orNull(query),
  neighbours: orNull(text),
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

export const tolerance = number('a number above 0 and below 1', '1e-6', (value) => value > 0 && value < 1);
export const session = made('a session', 'Write createSession().', (value) => value instanceof Session);

export const COMPOSE_OPTIONS: Fields<ComposeOptions> = {
  directions: optional(flag),
  claimOnly: optional(flag),
  bounds: optional(listOf(oneOf(BOUND_IDS), 'bounds')),
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
