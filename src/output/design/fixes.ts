import type { Exposure } from '../../composition/design/neighbouring-mapping.ts';
import type { Design } from '../../composition/design/design.ts';
import { toDescribe } from '../../composition/design/part.ts';
import { isEntry, type PlanNode, childrenAt } from '../../composition/core/plan-node.ts';
import { formatPath } from '../../document/core/quote.ts';
import { printable, grouped, listed } from '../kit/prose.ts';
import type { Violation } from '../../composition/design/violation.ts';
import { creationLimit, countText, placeText } from '../refusal/design-reasons.ts';
import { lateMechanisms } from '../refusal/refused-document.ts';
import {
  definitionsIn,
  type Definition,
  statementsOf,
  actsUnder,
  fullTaint,
} from '../../composition/design/data-flow.ts';
import type { Difference, Unending } from '../../composition/design/difference.ts';

/** A violation in words: where it is and what is wrong, and its fix. */
export interface ViolationText {
  readonly message: string;
  readonly remedy: string;
}

/** A design with the mechanisms that it runs, as far as its fix depends on them. */
export interface DesignedDocument {
  readonly design: Design;
  readonly entries: readonly PlanNode[];
  readonly exposures: readonly Exposure[];
}

/** A mechanism that a design runs, at its place in the document. */
interface Run {
  readonly node: PlanNode;
  readonly path: string;
  /** `mechanisms[2] ("svt")`. */
  readonly name: string;
}

/** The mechanism that goes by a label. */
export function runOf({ design, entries }: DesignedDocument, label: string): Run {
  const labels = new Set(design.submechanisms.map(({ mechanism }) => mechanism));
  const described = toDescribe(entries, labels).find(({ node }) => node.label === label);
  if (described === undefined) throw new RangeError(`The design runs "${label}", which is no part of the plan.`);
  const path = formatPath(described.path);
  return { node: described.node, path, name: `${path} ("${printable(label)}")` };
}

/** The keys of an element that say how many instances there are, and how many differ; null where it has none. */
export function countKeys(node: PlanNode): { readonly instances: string | null; readonly differing: string | null } {
  if (isEntry(node)) return { instances: 'count', differing: null };
  switch (node.node) {
    case 'parallel':
      return { instances: 'instances', differing: 'sparsity' };
    case 'local':
      return { instances: 'users', differing: 'differing' };
    case 'partition':
      return { instances: null, differing: 'sparsity' };
    case 'group':
      return { instances: null, differing: null };
  }
}

/** The place where a sub-mechanism is described. */
export const descriptionOf = ({ design }: DesignedDocument, label: string): string =>
  formatPath(['design', 'submechanisms', design.submechanisms.findIndex(({ mechanism }) => mechanism === label)]);

/** The places of all mechanisms in an element. */
export const mechanismPlaces = (node: PlanNode, path: string): string[] =>
  isEntry(node) ? [path] : childrenAt({ node, path }).flatMap((child) => mechanismPlaces(child.node, child.path));

/** The place where an argument of a sub-mechanism is described. */
export function argumentPlace(document: DesignedDocument, label: string, argument: string): string {
  const submechanism = document.design.submechanisms.find(({ mechanism }) => mechanism === label);
  const place = descriptionOf(document, label);
  const received = submechanism?.receives.findIndex(({ name }) => name === argument) ?? -1;
  if (received >= 0) return `${place}.receives[${received}]`;
  return `${place}.data[${submechanism?.data.findIndex(({ name }) => name === argument) ?? 0}]`;
}

type MoreCreated = Extract<Violation, { code: 'more-created' }>;

/** How many the document says there are, and where. */
function declaredText({ node, name }: Run, declared: number): string {
  const key = countKeys(node).instances;
  if (key === null) return `${name} is a group, of which there is one`;
  return isEntry(node) && declared === 1 ? `${name} is there once` : `"${key}" is ${grouped(declared)} at ${name}`;
}

const keptWithout = (node: PlanNode): string => (isEntry(node) ? 'without "label" and "count"' : 'without "label"');

/** An element that has any number of instances of what stands there. */
function replacement({ mechanism }: MoreCreated, { node, path }: Run, { exposures }: DesignedDocument): string {
  const messages = exposures.find((exposure) => exposure.mechanism === mechanism)?.messages ?? 1;
  const sparsity = messages === 'unbounded' ? 1 : Math.max(1, messages);
  return `replace ${path} by {"type": "parallel", "label": ${JSON.stringify(mechanism)}, "sparsity": ${sparsity}, "of": ...}, where "of" is the present element, ${keptWithout(node)}`;
}

const sentence = (clauses: readonly string[]): string => {
  const text = clauses.join('; or ');
  return `${(text[0] ?? '').toUpperCase()}${text.slice(1)}.`;
};

/** More instances than the document has, and what would limit them or allow for them. */
export function moreCreated(violation: MoreCreated, document: DesignedDocument): ViolationText {
  const { mechanism, created, declared, at } = violation;
  const run = runOf(document, mechanism);
  const key = countKeys(run.node).instances;
  const does = at.statement.does === 'send' ? 'send' : 'create';
  const limit = creationLimit({ design: document.design, mechanism, does }, declared);
  const limited = limit === null || limit.texts.length === 0 ? [] : [listed(limit.texts)];
  // Without an end of their number, some mechanisms have no theorem.
  const endless = lateMechanisms({ ...run, above: [] }).length === 0;
  const without =
    key === null || isEntry(run.node)
      ? replacement(violation, run, document)
      : `set "${key}" to "unbounded" at ${run.path}`;
  const allowed =
    key !== null && created !== 'unbounded'
      ? [`set "${key}" to ${created} at ${run.path}`]
      : endless || limited.length === 0
        ? [without]
        : [];
  return {
    message: `${countText(created, 'instance')} of ${mechanism} may be created, but ${declaredText(run, declared)}.`,
    remedy: sentence([...limited, ...allowed]),
  };
}

const definitionsOf = (design: Design, variable: string): Definition[] =>
  definitionsIn(statementsOf(design)).filter((definition) => definition.variable === variable);

/** The places that say that any number of the values behind a variable may differ. */
function unlimitedPlaces(design: Design, variable: string, visitedVariables = new Set<string>()): string[] {
  if (visitedVariables.has(variable)) return [];
  visitedVariables.add(variable);
  const input = design.inputs.findIndex(({ name, differing }) => name === variable && differing === 'unbounded');
  const own = input < 0 ? [] : [`${formatPath(['design', 'inputs', input])} ("${variable}")`];
  const others = definitionsOf(design, variable).flatMap(({ from, at }) => {
    const { statement } = at;
    const declared = statement.does === 'set' ? statement.declared : null;
    if (declared !== null) return declared.differing === 'unbounded' ? [placeText(at)] : [];
    return from.flatMap((source) => unlimitedPlaces(design, source, visitedVariables));
  });
  return [...own, ...others];
}

/** Where the number of differing values is to be written that limits a variable. */
function limitedNumber(design: Design, variable: string): string {
  const places = unlimitedPlaces(design, variable);
  if (places.length === 0) return `Limit how many of the values in ${variable} may differ ("differing").`;
  return `Write a number as "differing", which is "unbounded" now, at ${listed([...new Set(places)])}: how many of its values may differ between neighbors (for event-level privacy, 1).`;
}

/** That an add to a variable stands under a condition on the input, and what to write instead; null where none does. */
function decidedAdd(design: Design, variable: string): string | null {
  const taint = fullTaint(design);
  for (const { how, from, at } of definitionsOf(design, variable)) {
    const condition = at.under.find((block) => !actsUnder(block) && block.statement.on.some((name) => taint.has(name)));
    if (how !== 'added' || condition === undefined) continue;
    const deciding = condition.statement.on.filter((name) => taint.has(name));
    const sources = [...new Set([...from, ...deciding])].map((name) => JSON.stringify(name)).join(', ');
    return `Whether ${listed(from)} is added to ${variable} is decided by ${listed(deciding)}: take the add at ${placeText(at)} out of the "if", and add a value that is 0 where the condition does not hold: {"set": "added", "from": [${sources}], "sensitivity": 1}, {"add": ["added"], "to": ${JSON.stringify(variable)}} (1: the most that it changes where those change by at most 1).`;
  }
  return null;
}

/** That a variable is set under a condition on the input, and where; null where it is not. */
function decidedSet(design: Design, variable: string): string | null {
  const taint = fullTaint(design);
  const definition = definitionsOf(design, variable).find(({ how, at }) => {
    const decided = at.under.some((block) => !actsUnder(block) && block.statement.on.some((name) => taint.has(name)));
    return how !== 'added' && decided;
  });
  if (definition === undefined) return null;
  return `Set ${variable} for every input: move the set at ${placeText(definition.at)} out of the "if". Compute it also from the variables of the condition ("from", with the "sensitivity" of the whole).`;
}

/** A fix for an unbounded difference: the bound to declare, or the step that would bound it. */
export function limitText({ reasons }: Difference, design: Design): string {
  const first = reasons.findLast(({ change }) => change === 'any');
  const name = first?.variable ?? '';
  const [place = ''] = definitionsOf(design, name).map(({ at }) => ` (set at ${placeText(at)})`);
  switch (first?.because) {
    case 'input':
      return `Limit by how much ${name} can differ, as by clipping it, and write that as its "change", such as "change": 1 at ${formatPath(['design', 'inputs', design.inputs.findIndex((input) => input.name === name)])}.`;
    case 'computed':
      return `Write how closely ${name}${place} follows what it is computed from, such as "sensitivity": 1: the most that it changes where those change by at most 1.`;
    case 'sum':
      return limitedNumber(design, name);
    case 'decided':
      return decidedSet(design, name) ?? `Set ${name}${place} whatever the input is, under no condition on it.`;
    case 'declared':
      return `Declare a smaller "change" of ${name}${place}, if it has one.`;
    case 'kept':
    case undefined:
      return decidedAdd(design, name) ?? `Compute ${name} in the step in which it is sent, or as a sum ("add").`;
  }
}

/** A fix for neighbours that differ again and again. */
export function endingText({ why, variable }: Unending, design: Design): string {
  switch (why) {
    case 'sum-not-reset':
      return `Reset ${variable} in the step in which it is sent: add {"set": "${variable}", "from": []} behind that; if ${variable} should go on counting, send the new value that is added to it instead, to a continual mechanism that keeps the sum itself.`;
    case 'kept':
      return (
        decidedAdd(design, variable) ??
        decidedSet(design, variable) ??
        `Compute ${variable} in the step in which it is sent, or as a sum ("add").`
      );
    case 'any-value':
      return limitedNumber(design, variable);
  }
}
