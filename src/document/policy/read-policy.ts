import type { Limits } from '../../composition/risk/limits.ts';
import type { Mistake } from '../core/input-error.ts';
import { policyKeys, policySchema, type ParsedPolicy } from './policy-schema.ts';
import { quote } from '../core/quote.ts';
import { readDocument, type DocumentOptions } from '../syntax/read-document.ts';
import type { InputError } from '../core/specification.ts';
import { Diagnostics, validate } from '../core/validate.ts';

/** Specifications and what they may spend. */
export interface Scope extends Limits {
  readonly name: string;
  /** Paths and glob patterns, as written. */
  readonly specs: readonly string[];
  /** Whether they must be within the budget composed together, or each alone. */
  readonly together: boolean;
}

/** Budgets, scope by scope. */
export interface Policy {
  readonly name: string | null;
  /** At least one; no two of one name. */
  readonly scopes: readonly Scope[];
}

/** A policy; or everything that is wrong with the document. */
export type PolicyReading =
  | { readonly kind: 'policy'; readonly policy: Policy }
  | { readonly kind: 'errors'; readonly errors: readonly InputError[]; readonly more: number };

/** The indices of items that stand twice in a list. */
const repeated = (items: readonly string[]): number[] =>
  items.flatMap((item, index) => (items.indexOf(item) < index ? [index] : []));

function duplicates({ scopes }: ParsedPolicy): Mistake[] {
  const names = repeated(scopes.map(({ name }) => name)).map((index): Mistake => {
    const message = `two scopes have the name ${quote(scopes[index]?.name ?? '')}`;
    const problem = { code: 'duplicate-name', message, hint: 'Rename one of the two.' } as const;
    return { path: ['scopes', index, 'name'], anchor: 'value', problem };
  });
  const files = scopes.flatMap(({ specs }, scope) =>
    repeated(specs).map((index): Mistake => {
      const message = `${quote(specs[index] ?? '')} stands twice in this scope, and each file counts once`;
      const hint = 'Keep one of the two; what runs twice is told by "count" in its specification.';
      return {
        path: ['scopes', scope, 'specs', index],
        anchor: 'value',
        problem: { code: 'duplicate-name', message, hint },
      };
    }),
  );
  return [...names, ...files];
}

/** The limits of a scope as they are written, in their order. */
function limitsOf({ budget, risk = {} }: Pick<ParsedPolicy['scopes'][number], 'budget' | 'risk'>): Limits {
  const { 'max-advantage': advantage, 'max-tpr': rates = [] } = risk;
  return {
    budget: budget ?? null,
    risks: [
      ...(advantage === undefined ? [] : [{ measure: 'advantage', most: advantage } as const]),
      ...rates.map(({ at, most }) => ({ measure: 'true-positive-rate', at, most }) as const),
    ],
  };
}

/** Reads a policy (in UTF-8; JSON unless another syntax is given); all mistakes are reported together, each with its place. */
export function readPolicy(input: string | Uint8Array, options: DocumentOptions = {}): PolicyReading {
  const diagnostics = new Diagnostics({ keysOf: policyKeys, types: [] });
  const check = (value: unknown): Policy | null => {
    const parsed = validate(policySchema, value, diagnostics);
    if (parsed === undefined) return null;
    for (const mistake of duplicates(parsed)) diagnostics.note(mistake);
    return {
      name: parsed.name ?? null,
      scopes: parsed.scopes.map(({ name, specs, together, ...rest }) => ({ name, specs, together, ...limitsOf(rest) })),
    };
  };
  const { document, errors, more } = readDocument(input, diagnostics, check, options);
  return document === null ? { kind: 'errors', errors, more } : { kind: 'policy', policy: document };
}
