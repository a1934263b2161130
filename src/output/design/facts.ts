import type { DesignCheck, Verdict } from '../../composition/design/check-design.ts';
import type { Design, Times } from '../../composition/design/design.ts';
import type { Exposure } from '../../composition/design/neighbouring-mapping.ts';
import { toDescribe } from '../../composition/design/part.ts';
import { statementsOf, those, type Located } from '../../composition/design/data-flow.ts';
import { isEntry, withDescendants, type PlanNode } from '../../composition/core/plan-node.ts';
import { recordOf } from '../../privacy/mechanisms/records.ts';
import { chainText, changeText, countText, placeText } from '../refusal/design-reasons.ts';
import { PROPERTY_NAMES } from './violations.ts';
import { givenText } from '../kit/number.ts';
import type { Block } from '../kit/page.ts';
import { grouped, listed } from '../kit/prose.ts';
import { table } from '../kit/table.ts';

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
export function verdictTable({ verdicts }: DesignCheck, design: Design): Block {
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
export const exposureTable = ({ exposures }: DesignCheck): Block =>
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
export function taintSentence({ taint }: DesignCheck): string {
  const items = [...taint].map(([name, chain]) => (chain.length === 0 ? `${name} (an input)` : chainText(name, chain)));
  return `Tainted: ${items.join('; ')}; nothing else.`;
}

/** The noise that instances draw, as it is described. */
export const noiseTable = ({ submechanisms }: Design): Block =>
  table(
    submechanisms.flatMap(({ mechanism, noise }) => noise.map((each) => ({ mechanism, ...each }))),
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
  const named = new Set(submechanisms.map(({ mechanism }) => mechanism));
  return toDescribe(nodes, named).flatMap(({ node }) => {
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
export function trusted(design: Design, nodes: readonly PlanNode[]): string[] {
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
    return `the guarantee of ${mechanism} is for neighbours that differ in ${listedOr(covered, 'nothing')}, in ${countText(differing, 'message')} to an instance`;
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
