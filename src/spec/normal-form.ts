import { isEntry, type Local, type PlanNode, type Structure } from '../composition/plan-node.ts';
import type { Setting } from '../composition/setting.ts';
import type { Entry, Mechanism } from '../privacy/mechanism.ts';
import type { Query } from '../privacy/query.ts';
import { designForm } from './design-normal-form.ts';
import type { NormalValue } from './normal-value.ts';
import type { Specification } from './specification.ts';

/** A mechanism in normal form, or what holds others. */
export type NormalNode = Readonly<Record<string, NormalValue>>;

/** What a document says of the preconditions of theorems, where it says something. */
export type NormalFacts = { readonly [Fact in keyof Setting]?: boolean };

/** A specification as a document in normal form: exact decimals as text, aliases resolved, defaults filled in. */
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

/** An entry in normal form. */
export type EntryForm = Readonly<Record<string, string | number | readonly string[] | readonly (readonly string[])[]>>;

function parameters(mechanism: Mechanism): Record<string, string | string[] | string[][]> {
  switch (mechanism.type) {
    case 'dp':
      return { epsilon: mechanism.epsilon.toString(), delta: mechanism.delta.toString() };
    case 'bounded-range':
      return { epsilon: mechanism.epsilon.toString() };
    case 'laplace':
      if (mechanism.byEpsilon === true) return { epsilon: mechanism.sensitivity.toString() };
      return { scale: mechanism.scale.toString(), sensitivity: mechanism.sensitivity.toString() };
    case 'discrete-laplace':
      return { scale: mechanism.scale.toString(), sensitivity: mechanism.sensitivity.toString() };
    case 'gaussian':
    case 'discrete-gaussian':
      return { sigma: mechanism.sigma.toString(), sensitivity: mechanism.sensitivity.toString() };
    case 'zcdp':
      return { rho: mechanism.rho.toString() };
    case 'rdp':
      return { orders: mechanism.orders.map(({ alpha, epsilon }) => [alpha.toString(), epsilon.toString()]) };
    case 'finite-pair':
      return { p: mechanism.p.map(String), q: mechanism.q.map(String), direction: mechanism.direction };
    case 'gdp':
      return { mu: mechanism.mu.toString() };
  }
}

/** The normal form of an entry: one that, read again, gives the same entry. */
export const entryForm = ({ mechanism, count, kind, label }: Entry): EntryForm => ({
  type: mechanism.type,
  ...parameters(mechanism),
  count,
  kind,
  ...(label === null ? {} : { label }),
});

const usersForm = ({ users }: Local): NormalNode =>
  users.kind === 'different' ? { each: users.each.map(nodeForm) } : { users: users.count, of: nodeForm(users.of) };

function structureForm(node: Structure): NormalNode {
  switch (node.node) {
    case 'group':
      return { mechanisms: node.nodes.map(nodeForm) };
    case 'parallel':
      return {
        sparsity: node.sparsity,
        instances: node.instances,
        ...(node.deltaCap === null ? {} : { deltaCap: node.deltaCap.toString() }),
        firstPairConsistent: node.firstPairConsistent,
        of: nodeForm(node.of),
      };
    case 'partition':
      return { sparsity: node.sparsity, of: node.of.map(nodeForm) };
    case 'local':
      return { differing: node.differing, ...usersForm(node) };
  }
}

/** A mechanism, or what holds others, as an element of a document. */
export function nodeForm(node: PlanNode): NormalNode {
  if (isEntry(node)) return entryForm(node);
  return { type: node.node, ...structureForm(node), ...(node.label === null ? {} : { label: node.label }) };
}

function factsForm({ discrete, adaptiveAdversary, symmetric, finiteCommunication }: Setting): NormalFacts {
  return {
    ...(discrete === 'assumed' ? {} : { discrete: discrete === 'stated' }),
    ...(adaptiveAdversary === 'assumed' ? {} : { adaptiveAdversary: adaptiveAdversary === 'stated' }),
    ...(symmetric === 'assumed' ? {} : { symmetric: symmetric === 'stated' }),
    ...(finiteCommunication === 'denied' ? {} : { finiteCommunication: true }),
  };
}

const targetForm = (query: Query): { delta: string } | { epsilon: string } =>
  query.solveFor === 'epsilon' ? { delta: query.delta.toString() } : { epsilon: query.epsilon.toString() };

/**
 * The normal form of a specification: a document that, read again, gives the same specification.
 *
 * @example
 * ```js
 * import { normalForm, readSpecification } from 'dpcompose';
 *
 * const { specification } = readSpecification('{"dpcompose": 1, "mechanisms": [{"type": "laplace", "epsilon": 0.1}]}');
 * console.log(normalForm(specification).mechanisms[0].type); // laplace
 * ```
 */
export function normalForm(specification: Specification): NormalForm {
  const { name, adaptivity, order, neighbours, setting, target, entries, design } = specification;
  return {
    dpcompose: 1,
    ...(name === null ? {} : { name }),
    adaptivity,
    order,
    ...(neighbours === null ? {} : { neighbours }),
    ...factsForm(setting),
    ...(target === null ? {} : { target: targetForm(target) }),
    mechanisms: entries.map(nodeForm),
    ...(design === null ? {} : { design: designForm(design) }),
  };
}
