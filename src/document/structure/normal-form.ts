import { isEntry, type Local, type PlanNode, type Structure } from '../../composition/core/plan-node.ts';
import type { Setting } from '../../composition/core/setting.ts';
import type { Entry, Mechanism } from '../../privacy/mechanism.ts';
import { recordOf } from '../../privacy/mechanisms/records.ts';
import type { Query } from '../../privacy/curve.ts';
import { exactDesign } from '../design/normal-form.ts';
import { wordingOf } from '../mechanism/entry-schema.ts';
import { runsForm } from '../mechanism/run-law.ts';
import { samplingForm } from '../mechanism/sampling.ts';
import { inTexts, type ExactValue, type NormalValue } from '../core/exact-value.ts';
import type { Specification } from '../core/specification.ts';

/** A mechanism in normal form, or what holds others. */
export type NormalNode = Readonly<Record<string, NormalValue>>;

/** The preconditions of theorems that a document states or denies. */
export type NormalFacts = { readonly [Fact in keyof Setting]?: boolean };

/**
 * A specification as a document in normal form: exact decimals as text, aliases resolved, defaults filled in. Gaussian noise
 * that is written by its noise multiplier, its variance or its guarantee stays so.
 */
export interface NormalForm extends NormalFacts {
  readonly dpcompose: 1;
  readonly name?: string;
  readonly adaptivity: string;
  readonly order: string;
  readonly neighbours?: string;
  readonly target?: { readonly delta: string } | { readonly epsilon: string };
  readonly mechanisms: readonly NormalNode[];
  readonly design?: NormalNode;
}

/** An object whose numbers are exact. */
export type ExactForm = Readonly<Record<string, ExactValue>>;

/** The parameters of a mechanism in normal form. */
function parameters(mechanism: Mechanism): ExactForm {
  if (mechanism.type === 'sampled') return { ...parameters(mechanism.of), ...samplingForm(mechanism) };
  if (mechanism.type === 'selection') return { of: mechanism.of.map(exactEntry), runs: runsForm(mechanism) };
  const own = mechanism as unknown as ExactForm;
  const names = Object.keys(recordOf(mechanism).parameters);
  return wordingOf(mechanism).normal?.(mechanism) ?? Object.fromEntries(names.map((name) => [name, own[name]!]));
}

/** The parameters of a mechanism in the form in which it was written. */
function writtenParameters(mechanism: Mechanism): ExactForm {
  if (mechanism.type === 'sampled') return { ...writtenParameters(mechanism.of), ...samplingForm(mechanism) };
  if (mechanism.type === 'selection') return { of: mechanism.of.map(exactNode), runs: runsForm(mechanism) };
  return wordingOf(mechanism).written?.(mechanism) ?? parameters(mechanism);
}

const formOf = ({ mechanism, count, kind, label, neighbours }: Entry, parameters: ExactForm): ExactForm => ({
  type: mechanism.type === 'sampled' ? mechanism.of.type : mechanism.type,
  ...parameters,
  ...(neighbours === undefined ? {} : { neighbours }),
  count,
  kind,
  ...(label === null ? {} : { label }),
});

/** An entry in normal form with exact numbers, whatever computed them. */
export const exactEntry = (entry: Entry): ExactForm => formOf(entry, parameters(entry.mechanism));

/** The normal form of an entry: one that, read again, gives the same entry. */
export const entryForm = (entry: Entry): NormalNode => inTexts(exactEntry(entry)) as NormalNode;

const exactUsers = ({ users }: Local): ExactForm =>
  users.kind === 'different' ? { each: users.each.map(exactNode) } : { users: users.count, of: exactNode(users.of) };

function exactStructure(node: Structure): ExactForm {
  switch (node.node) {
    case 'group':
      return { mechanisms: node.nodes.map(exactNode) };
    case 'parallel':
      return {
        sparsity: node.sparsity,
        instances: node.instances,
        ...(node.deltaCap === null ? {} : { deltaCap: node.deltaCap }),
        firstPairConsistent: node.firstPairConsistent,
        of: exactNode(node.of),
      };
    case 'partition':
      return {
        sparsity: node.sparsity,
        ...(node.counted === 'parts' ? {} : { counted: node.counted }),
        ...(node.parts === undefined ? {} : { parts: node.parts }),
        of: node.of.map(exactNode),
      };
    case 'local':
      return { differing: node.differing, ...exactUsers(node) };
  }
}

/** A mechanism, or what holds others, as an element of a document with exact numbers; noise in the form in which it was written. */
export function exactNode(node: PlanNode): ExactForm {
  if (isEntry(node)) {
    return formOf(node, writtenParameters(node.mechanism));
  }
  return { type: node.node, ...exactStructure(node), ...(node.label === null ? {} : { label: node.label }) };
}

/** The preconditions that a document states or denies. */
const factsForm = (setting: Setting): Readonly<Record<string, boolean>> =>
  Object.fromEntries(
    Object.entries(setting).flatMap(([fact, standing]) =>
      standing === 'assumed' ? [] : [[fact, standing === 'stated']],
    ),
  );

const exactTarget = (query: Query): ExactForm =>
  query.solveFor === 'epsilon' ? { delta: query.delta } : { epsilon: query.epsilon };

/** The normal form of a specification with exact numbers. */
export function exactForm(specification: Specification): ExactForm {
  const { name, adaptivity, order, neighbours, setting, target, entries, design } = specification;
  return {
    dpcompose: 1,
    ...(name === null ? {} : { name }),
    adaptivity,
    order,
    ...(neighbours === null ? {} : { neighbours }),
    ...factsForm(setting),
    ...(target === null ? {} : { target: exactTarget(target) }),
    mechanisms: entries.map(exactNode),
    ...(design === null ? {} : { design: exactDesign(design) }),
  };
}

/**
 * The normal form of a specification: a document that, read again, gives the same specification.
 */
export function normalForm(specification: Specification): NormalForm {
  return inTexts(exactForm(specification)) as unknown as NormalForm;
}
