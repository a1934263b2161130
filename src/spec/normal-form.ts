import type { Entry, Mechanism } from '../privacy/mechanism.ts';
import type { Query } from '../privacy/query.ts';
import type { Specification } from './specification.ts';

/** A specification as a document in normal form: exact decimals as text, aliases resolved, defaults filled in. */
export interface NormalForm {
  readonly dpcompose: 1;
  readonly name?: string;
  readonly adaptivity: string;
  readonly order: string;
  readonly target?: { readonly delta: string } | { readonly epsilon: string };
  readonly mechanisms: readonly Readonly<
    Record<string, string | number | readonly string[] | readonly (readonly string[])[]>
  >[];
}

function parameters(mechanism: Mechanism): Record<string, string | string[] | string[][]> {
  switch (mechanism.type) {
    case 'dp':
      return { epsilon: mechanism.epsilon.toString(), delta: mechanism.delta.toString() };
    case 'bounded-range':
      return { epsilon: mechanism.epsilon.toString() };
    case 'laplace':
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

const entryForm = ({ mechanism, count, kind, label }: Entry): NormalForm['mechanisms'][number] => ({
  type: mechanism.type,
  ...parameters(mechanism),
  count,
  kind,
  ...(label === null ? {} : { label }),
});

const targetForm = (query: Query): { delta: string } | { epsilon: string } =>
  query.solveFor === 'epsilon' ? { delta: query.delta.toString() } : { epsilon: query.epsilon.toString() };

/** The normal form of a specification: a document that, read again, gives the same specification. */
export function normalForm({ name, adaptivity, order, target, entries }: Specification): NormalForm {
  return {
    dpcompose: 1,
    ...(name === null ? {} : { name }),
    adaptivity,
    order,
    ...(target === null ? {} : { target: targetForm(target) }),
    mechanisms: entries.map(entryForm),
  };
}
