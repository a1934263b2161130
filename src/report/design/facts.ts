import type { DesignCheck, Verdict } from '../../composition/design/check-design.ts';
import type { Design, Times } from '../../composition/design/design.ts';
import type { Exposure } from '../../composition/design/neighbouring-mapping.ts';
import { toDescribe } from '../../composition/design/part.ts';
import { statementsOf, those, type Located } from '../../composition/design/statements.ts';
import { isEntry, type PlanNode } from '../../composition/core/plan-node.ts';
import { withDescendants } from '../../composition/core/walk.ts';
import { chainText, changeText, countText, placeText } from '../refusal/design-reasons.ts';
import { PROPERTY_NAMES } from './violations.ts';
import { givenText } from '../kit/number.ts';
import { grouped, listed } from '../kit/prose.ts';

/** Cells under headings. */
export interface Facts {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)];
const listedOr = (names: readonly string[], otherwise: string): string =>
  names.length === 0 ? otherwise : listed(names);

/** What decides what a design does, and what it outputs: the variables of which the properties speak. */
export interface Deciders {
  readonly destination: readonly string[];
  readonly response: readonly string[];
}

/** The variables on which actions and outputs depend; what is constant decides nothing. */
export function decidersOf(design: Design): Deciders {
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
      return state === 'holds' ? 'neighbours differ in no more than the sub-mechanisms cover, below' : '';
  }
}

/** The verdict on each property of a design that has all of them. */
export function verdictFacts({ verdicts }: DesignCheck, design: Design): Facts {
  const deciders = decidersOf(design);
  return {
    head: ['property', '', 'because'],
    rows: verdicts.map((verdict) => [
      PROPERTY_NAMES[verdict.property].replace(/ property$/, ''),
      verdict.state,
      why(verdict, deciders),
    ]),
  };
}

const numberOf = (times: Times): string => (times === 'unbounded' ? 'any number' : grouped(times));

function differ({ messages, instances }: Exposure): string {
  if (messages === 0) return 'nothing';
  return `${countText(messages, 'message')} to ${countText(instances, 'instance')}`;
}

/** How neighbours may differ in what each sub-mechanism gets, and what its guarantee covers. */
export const exposureFacts = ({ exposures }: DesignCheck): Facts => ({
  head: ['sub-mechanism', 'instances', 'neighbours differ in', 'by (covered)'],
  rows: exposures.map((exposure) => [
    exposure.mechanism,
    numberOf(exposure.created),
    differ(exposure),
    exposure.arguments
      .map(({ name, change, covered }) => `${name} ${changeText(change)} (${changeText(covered)})`)
      .join(', '),
  ]),
});

/** What the input reaches, and by which way. */
export function taintSentence({ taint }: DesignCheck): string {
  const items = [...taint].map(([name, chain]) => (chain.length === 0 ? `${name} (an input)` : chainText(name, chain)));
  return `Tainted: ${items.join('; ')}; nothing else.`;
}

/** The noise that instances draw, as it is described. */
export const noiseFacts = ({ submechanisms }: Design): Facts => ({
  head: ['noise of', 'on', 'distribution'],
  rows: submechanisms.flatMap(({ mechanism, noise }) =>
    noise.map(({ on, distribution, scale }) => [
      mechanism,
      on,
      distribution === 'laplace' ? `Laplace, scale ${givenText(scale)}` : `Gaussian, sigma ${givenText(scale)}`,
    ]),
  ),
});

const at = (located: Located): string => `(${placeText(located)})`;

/** In which norm the sensitivity of noise is, and how much it is at most where so many coordinates change by c each. */
const NORMS = {
  gaussian: { norm: 'l2', most: 'sqrt(m) c' },
  'discrete-gaussian': { norm: 'l2', most: 'sqrt(m) c' },
  laplace: { norm: 'l1', most: 'm c' },
  'discrete-laplace': { norm: 'l1', most: 'm c' },
} as const;

/** What a change per coordinate is to noise whose sensitivity is in another norm. */
function sensitivityFacts({ submechanisms }: Design, nodes: readonly PlanNode[]): string[] {
  const named = new Set(submechanisms.map(({ mechanism }) => mechanism));
  return toDescribe(nodes, named).flatMap(({ node }) => {
    const inside = withDescendants(node).filter(isEntry);
    return inside.flatMap(({ mechanism }) => {
      if (!(mechanism.type in NORMS) || !('sensitivity' in mechanism)) return [];
      const { norm, most } = NORMS[mechanism.type];
      return [
        `the sensitivity of ${node.label ?? mechanism.type}, ${givenText(mechanism.sensitivity)}, covers in ${norm} what it adds noise to: a change is measured per coordinate, and where m coordinates change by c each it is up to ${most} in ${norm}`,
      ];
    });
  });
}

/** What the description, and the mechanisms it names, say and the program cannot check. */
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
    'neighbouring inputs have equally many values, which arrive at the same times',
    ...guarantees,
    ...distinct(sensitivityFacts(design, nodes)),
    ...functions,
    ...limits,
  ];
}
