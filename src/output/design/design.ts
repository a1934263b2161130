import type { DesignCheck, Verdict } from '../../composition/design/check-design.ts';
import type { Design, Times, Noise } from '../../composition/design/design.ts';
import type { Exposure } from '../../composition/design/neighbouring-mapping.ts';
import { toDescribe } from '../../composition/design/part.ts';
import {
  statementsOf,
  those,
  type Located,
  definitionsIn,
  type Link,
  type Taint,
} from '../../composition/design/data-flow.ts';
import { isEntry, withDescendants, type PlanNode } from '../../composition/core/plan-node.ts';
import { recordOf } from '../../privacy/mechanisms/records.ts';
import { chainText, changeText, countText, placeText } from '../refusal/design-reasons.ts';
import { PROPERTY_NAMES } from './violations.ts';
import { givenText, lowerText, meet, pairText, queryText } from '../kit/number.ts';
import { type Block, heading, label, list, paragraph, stack, type Output } from '../kit/page.ts';
import { grouped, listed, printable } from '../kit/prose.ts';
import { table } from '../kit/table.ts';
import type { ErrorShape } from '../../composition/design/algorithms.ts';
import type { PricedPlan } from '../../composition/plan/price-plan.ts';
import type { Query } from '../../privacy/curve.ts';
import type { Specification } from '../../document/core/specification.ts';
import { ofSubmechanisms } from '../../composition/theorems/design.ts';
import { exactForm } from '../../document/structure/normal-form.ts';
import { ANSWER, PLAN_TOTALS, THEOREM } from '../compose/json.ts';
import { COUNT, FINITE, FLAG, GIVEN, INPUT, NEAREST, QUERY, TEXT } from '../kit/codecs.ts';
import { NODE, NODE_REFERENCE, notes, pricedTree, totals, treeBlock } from '../plan/plan.ts';
import { WARNING, DESIGN_PROPERTIES, LINK } from '../refusal/refusal.ts';
import * as json from '../kit/codec.ts';

const distinct = (names: readonly string[]): string[] => [...new Set(names)];
const listedOr = (names: readonly string[], otherwise: string): string =>
  names.length === 0 ? otherwise : listed(names);

/** The variables of which the properties speak: those that decide the actions of a design, and those it outputs. */
export interface Deciders {
  readonly destination: readonly string[];
  readonly response: readonly string[];
}

/** The variables on which actions and outputs depend; what is constant decides nothing. */
function decidersOf(design: Design): Deciders {
  const statements = statementsOf(design);
  const variable = (name: string): boolean => !design.constants.includes(name);
  return {
    destination: distinct([
      ...those(statements, 'if').flatMap(({ statement }) => statement.on),
      ...those(statements, 'create').flatMap(({ statement }) => statement.from),
      ...those(statements, 'send').flatMap(({ statement }) => statement.which),
    ]).filter(variable),
    response: distinct(those(statements, 'output').flatMap(({ statement }) => statement.values)).filter(variable),
  };
}

function why({ property, state }: Verdict, { destination, response }: Deciders): string {
  switch (property) {
    case 'destination':
      return destination.length === 0
        ? 'what is created, sent and output is the same for all inputs'
        : `what is created, sent and output is decided by ${listed(destination)}, which the input does not reach`;
    case 'response':
      return response.length === 0
        ? 'nothing is output'
        : `the output is ${listed(response)}, which the input does not reach`;
    case 'neighbouring-mapping':
      return state === 'holds' ? 'neighbors differ in no more than the sub-mechanisms cover, below' : '';
  }
}

/** The verdict on each property of a design that has all of them. */
function verdictTable({ verdicts }: DesignCheck, design: Design): Block {
  const deciders = decidersOf(design);
  return table(verdicts, [
    ['property', ({ property }) => PROPERTY_NAMES[property].replace(/ property$/, '')],
    ['', ({ state }) => state],
    ['because', (verdict) => why(verdict, deciders)],
  ]);
}

const numberOf = (times: Times): string => (times === 'unbounded' ? 'any number' : grouped(times));

function differ({ messages, instances }: Exposure): string {
  if (messages === 0) return 'nothing';
  return `${countText(messages, 'message')} to ${countText(instances, 'instance')}`;
}

/** How neighbours may differ in what each sub-mechanism gets, and what its guarantee covers. */
const exposureTable = ({ exposures }: DesignCheck): Block =>
  table(exposures, [
    ['sub-mechanism', ({ mechanism }) => mechanism],
    ['instances', ({ created }) => numberOf(created)],
    ['neighbors differ in', differ],
    [
      'by (covered)',
      (exposure) =>
        exposure.arguments
          .map(({ name, change, covered }) => `${name} ${changeText(change)} (${changeText(covered)})`)
          .join(', '),
    ],
  ]);

/** The tainted variables, each with the chain by which the input reaches it. */
function taintSentence({ taint }: DesignCheck): string {
  const items = [...taint].map(([name, chain]) => (chain.length === 0 ? `${name} (an input)` : chainText(name, chain)));
  return `Tainted: ${items.join('; ')}; nothing else.`;
}

/** The noise that instances draw, as it is described. */
const noiseTable = ({ submechanisms }: Design): Block =>
  table(
    submechanisms.flatMap(({ mechanism, noise }) => noise.map((item) => ({ mechanism, ...item }))),
    [
      ['noise of', ({ mechanism }) => mechanism],
      ['on', ({ on }) => on],
      [
        'distribution',
        ({ distribution, scale }) =>
          distribution === 'laplace' ? `Laplace, scale ${givenText(scale)}` : `Gaussian, sigma ${givenText(scale)}`,
      ],
    ],
  );

const at = (located: Located): string => `(${placeText(located)})`;

/** How much a change of c in each of m coordinates is at most, by the norm. */
const MOST = { l1: 'm c', l2: 'sqrt(m) c' } as const;

/** The size of a change, measured per coordinate, in the norm in which noise has its sensitivity. */
function sensitivityFacts({ submechanisms }: Design, nodes: readonly PlanNode[]): string[] {
  const labels = new Set(submechanisms.map(({ mechanism }) => mechanism));
  return toDescribe(nodes, labels).flatMap(({ node }) => {
    const inside = withDescendants(node).filter(isEntry);
    return inside.flatMap(({ mechanism }) => {
      const { noise } = recordOf(mechanism);
      if (noise === undefined || !('sensitivity' in mechanism)) return [];
      return [
        `the sensitivity of ${node.label ?? mechanism.type}, ${givenText(mechanism.sensitivity)}, covers in ${noise.norm} what it adds noise to: a change is measured per coordinate, and where m coordinates change by c each it is up to ${MOST[noise.norm]} in ${noise.norm}`,
      ];
    });
  });
}

/** The premises taken on trust: declared by the description and the mechanisms it names, not checked by the program. */
function trusted(design: Design, nodes: readonly PlanNode[]): string[] {
  const statements = statementsOf(design);
  const functions = those(statements, 'set').flatMap((located) => {
    const { variable, from, sensitivity, declared } = located.statement;
    if (declared !== null) {
      return [
        `${variable} differs by at most ${changeText(declared.change)}, in ${countText(declared.differing, 'value')} ${at(located)}`,
      ];
    }
    if (sensitivity === null) return [];
    return [
      `${variable} changes by at most ${givenText(sensitivity)} where ${listed(from)} ${from.length === 1 ? 'changes' : 'change'} by at most 1 ${at(located)}`,
    ];
  });
  const limits = those(statements, 'if').flatMap((located) => {
    const { atMost } = located.statement;
    return atMost === 'unbounded' ? [] : [`the condition holds at most ${countText(atMost, 'time')} ${at(located)}`];
  });
  const guarantees = design.submechanisms.map(({ mechanism, data, receives, differing }) => {
    const parts = [...data, ...receives];
    const covered = parts
      .filter(({ change }) => change === 'any' || !change.isZero())
      .map(({ name, change }) => (change === 'any' ? name : `${name} by at most ${givenText(change)}`));
    return `the guarantee of ${mechanism} is for neighbors that differ in ${listedOr(covered, 'nothing')}, in ${countText(differing, 'message')} to an instance`;
  });
  return [
    'the description leaves out nothing that reads the input',
    'neighboring inputs have equally many values, which arrive at the same times',
    ...guarantees,
    ...distinct(sensitivityFacts(design, nodes)),
    ...functions,
    ...limits,
  ];
}

/** A design that has its properties, and what it costs. */
export interface Designed {
  readonly check: DesignCheck;
  readonly plan: PricedPlan;
  readonly design: Design;
  readonly specification: Specification & { readonly target: Query };
  /** Of a ready design. */
  readonly errorShape: ErrorShape | null;
}

/** Which inputs are neighbouring: in the user's words, and as the design was checked. */
function neighbours({ design: { inputs }, specification }: Designed): string {
  const differ = inputs.map(
    ({ name, differing, change }) =>
      `${differing === 'unbounded' ? '' : 'at most '}${countText(differing, 'value')} of ${name}${change === 'any' ? '' : `, by at most ${changeText(change)}`}`,
  );
  const words =
    specification.neighbours === null ? '' : `${printable(specification.neighbours).replace(/[.\s]+$/, '')}: `;
  return `Neighboring inputs: ${words}they differ in ${listed(differ)}.`;
}

/** The same guarantee in the local model, where users hold the data; else nothing. */
const inLocalModel = ({ specification: { entries } }: Designed): string =>
  entries.some((node) => !isEntry(node) && node.node === 'local')
    ? ' Its output being all that the server sees, the protocol has that guarantee in the local model.'
    : '';

/** The guarantee of the mechanism in plain words. */
function designStatement(report: Designed): string {
  const { answer } = report.plan;
  const { query } = answer;
  const value = answer[query.solveFor];
  const about = neighbours(report);
  const against = 'against adversaries who choose each input after seeing the outputs so far';
  if (query.solveFor === 'epsilon' && value.upper === Infinity) {
    return `The mechanism has no finite ${queryText(query)} by the bounds that apply. ${about}`;
  }
  const claim = `The mechanism is ${pairText(query, value)}-differentially private, ${against}`;
  if (query.solveFor === 'delta' && value.upper >= 1) return `${claim}, which is no guarantee at all. ${about}`;
  const floor =
    value.lower === null || meet(value.lower, value.upper)
      ? ''
      : ` No ${query.solveFor} below ${lowerText(value.lower)} holds for sub-mechanisms with these guarantees.`;
  return `${claim}.${floor}${inLocalModel(report)} ${about}`;
}

/** How the error grows; nothing is promised. */
function errorShapeText({ order, where, value }: ErrorShape): string {
  const size = value === null ? '' : `, here ${Number(value.toPrecision(4))}`;
  return `The error grows in the order of ${order}${size}, with ${where}, up to constants that are not known: no bound on the error is claimed.`;
}

/** A number of times; unbounded: without an end that is known in advance. */
const TIMES = json.orWord(COUNT, 'unbounded');

const CHANGE = json.described('A number with all its digits, or "any".', json.orWord(GIVEN, 'any'));

const VARIABLE = json.object({
  name: TEXT,
  tainted: FLAG,
  reached: json.described(
    'The last link of a shortest path from an input; null for an input, or if no path exists.',
    json.orNull(json.from(json.object(LINK), (link: Link) => ({ ...link, path: placeText(link.at) }))),
  ),
});

const NOISE = json.from(
  json.object({ on: TEXT, distribution: json.choice('laplace', 'gaussian'), scale: NEAREST, exact: TEXT }),
  (noise: Noise) => ({ ...noise, exact: noise.scale.toString() }),
);

const SUBMECHANISM = json.from(
  json.object({
    mechanism: TEXT,
    kind: json.choice('noninteractive', 'interactive', 'continual'),
    instances: json.described('The largest number of instances.', TIMES),
    differing: json.described(
      'The number of messages in which neighbors may differ, and of instances that receive them.',
      json.object({ messages: TIMES, instances: TIMES }),
    ),
    arguments: json.list(json.object({ name: TEXT, change: CHANGE, covered: CHANGE })),
    noise: json.list(NOISE),
  }),
  ({ exposure, noise }: { readonly exposure: Exposure; readonly noise: readonly Noise[] }) => ({
    ...exposure,
    instances: exposure.created,
    differing: exposure,
    noise,
  }),
);

/** A design that has its properties. */
export const DESIGN = json.document(
  'design',
  'A mechanism that runs sub-mechanisms, the proof that it is as private as their composition, and its privacy loss: the output of design --json.',
  {
    input: INPUT,
    query: QUERY,
    properties: DESIGN_PROPERTIES,
    variables: json.list(VARIABLE),
    submechanisms: json.list(SUBMECHANISM),
    theorem: THEOREM,
    answer: ANSWER,
    plan: json.optional(PLAN_TOTALS),
    tree: NODE_REFERENCE,
    trusted: json.described('What the description states and the program cannot check.', json.list(TEXT)),
    errorShape: json.described(
      'For a built-in design: the growth rate of its error, up to unknown constants. Not a bound on the error.',
      json.orNull(json.object({ order: TEXT, where: TEXT, value: json.orNull(FINITE) })),
    ),
    warnings: json.list(WARNING),
  },
  { node: NODE.schema },
);

/** Every name of a design, and from where the input reaches it, if it does. */
function variablesOf(design: Design, taint: Taint): readonly json.ValueOf<typeof VARIABLE>[] {
  const names = new Set([
    ...design.inputs.map(({ name }) => name),
    ...design.constants,
    ...definitionsIn(statementsOf(design)).map(({ variable }) => variable),
  ]);
  return [...names].map((name) => {
    const chain = taint.get(name);
    return { name, tainted: chain !== undefined, reached: chain?.[0] ?? null };
  });
}

/**
 * A design that has its properties: why it has them, what reaches each sub-mechanism, what those cost as a tree of
 * theorems, and the guarantee of the mechanism.
 */
export function designOutput(report: Designed): Output {
  const { check, design, plan, specification, errorShape } = report;
  const { answer, tree } = plan;
  const premises = trusted(design, specification.entries);
  const noiseOf = (mechanism: string): readonly Noise[] =>
    design.submechanisms.find((submechanism) => submechanism.mechanism === mechanism)?.noise ?? [];
  const hasNoise = design.submechanisms.some(({ noise }) => noise.length > 0);
  const properties = [verdictTable(check, design), paragraph(taintSentence(check)), exposureTable(check)];
  const growth = paragraph(errorShape && errorShapeText(errorShape));
  return {
    page: () => [
      heading(specification.name),
      ...properties,
      noiseTable(design),
      treeBlock(plan),
      paragraph(designStatement(report)),
      ...notes(plan),
      stack([label('Taken on trust:'), list(premises)]),
      growth,
    ],
    markdown: () => [
      heading(specification.name ?? 'Design'),
      paragraph(designStatement(report)),
      totals(plan),
      heading('Properties', 2),
      ...properties,
      paragraph(
        `With these properties the mechanism is as private as its sub-mechanisms are together (${ofSubmechanisms.reference}).`,
      ),
      heading(hasNoise ? 'Noise' : null, 2),
      noiseTable(design),
      heading('Price', 2),
      ...pricedTree(plan),
      heading('Taken on trust', 2),
      list(premises),
      growth,
    ],
    json: (version) =>
      json.documentText(DESIGN, {
        ...answer,
        version,
        input: exactForm(specification),
        properties: check.verdicts,
        variables: variablesOf(design, check.taint),
        submechanisms: check.exposures.map((exposure) => ({ exposure, noise: noiseOf(exposure.mechanism) })),
        theorem: ofSubmechanisms,
        answer,
        tree,
        trusted: premises,
        errorShape,
      }),
  };
}
