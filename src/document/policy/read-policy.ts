import * as z from 'zod/mini';
import type { Limits } from '../../composition/risk/limits.ts';
import {
  advantage,
  delta,
  epsilon,
  falsePositiveRate,
  published,
  truePositiveRate,
  type SchemaFragment,
} from '../core/fields.ts';
import { inOneForm, noNumber } from '../core/forms.ts';
import type { Mistake, Path } from '../core/input-error.ts';
import { quote } from '../core/quote.ts';
import type { InputError } from '../core/specification.ts';
import { Diagnostics, validate } from '../core/validate.ts';
import { version } from '../core/version-field.ts';
import { nameField } from '../design/fields.ts';
import { readDocument, type DocumentOptions } from '../syntax/read-document.ts';

const budget = z
  .strictObject({ epsilon, delta })
  .register(published, { description: 'The privacy budget: the guarantee must be at most (epsilon, delta).' });

const rate = z.strictObject({ at: falsePositiveRate, most: truePositiveRate });

const RATE: SchemaFragment = {
  type: 'object',
  properties: { at: published.get(falsePositiveRate), most: published.get(truePositiveRate) },
  required: ['at', 'most'],
  additionalProperties: false,
};

/** One limit, or several in a list. */
const rates = z
  .pipe(
    // What stands before a transform is published: nothing, beside what is registered.
    z.unknown(),
    z.pipe(
      z.transform((value): unknown => (Array.isArray(value) ? value : [value])),
      z.array(z.pipe(noNumber('each limit of max-tpr'), rate)).check(z.minLength(1)),
    ),
  )
  .register(published, {
    description: 'The largest true-positive rate at a false-positive rate; or a list of such limits.',
    anyOf: [RATE, { type: 'array', minItems: 1, items: RATE }],
  });

const riskKeys = z.strictObject({ 'max-advantage': z.optional(advantage), 'max-tpr': z.optional(rates) });

const risk = inOneForm(riskKeys, [{ needs: ['max-advantage'], allows: ['max-tpr'] }, { needs: ['max-tpr'] }], {
  what: 'a risk',
  example: '"max-advantage": 0.2',
  conflict: 'conflicting-keys',
  description: 'Limits on how well an attacker distinguishes neighboring data sets.',
});

const scopeKeys = z.strictObject({
  name: nameField('the name of a scope', 'dashboards'),
  specs: z.array(nameField('a file or a pattern', 'specs/*.json')).check(z.minLength(1)).register(published, {
    description:
      'The specifications: paths or glob patterns, relative to the policy file; a pattern that begins with ! removes files. Each pattern must match a file.',
  }),
  budget: z.optional(z.pipe(noNumber('budget'), budget)),
  risk: z.optional(z.pipe(noNumber('risk'), risk)),
  together: z._default(z.boolean(), false).register(published, {
    default: false,
    description:
      'Whether all specifications of the scope together must be within the budget (each file once), or each of them alone.',
  }),
});

const scope = inOneForm(scopeKeys, [{ needs: ['budget'], allows: ['risk'] }, { needs: ['risk'] }], {
  what: 'a scope',
  example: '"budget": {"epsilon": 1, "delta": "1e-6"}',
  conflict: 'conflicting-keys',
  description: 'Specifications and their limits: a budget, a risk, or both.',
});

const document = z.strictObject({
  dpcompose: version,
  name: z.optional(z.string()),
  scopes: z.array(z.pipe(noNumber('each item'), scope)).check(z.minLength(1)),
});

/** A whole policy: its type, its validation and, with `published`, its JSON Schema. */
export const policySchema = z.pipe(noNumber('the document'), document);

/** A validated policy as it was written. */
type ParsedPolicy = z.infer<typeof document>;

const KEYS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(document.shape),
  scopes: Object.keys(scopeKeys.shape),
  'scopes.budget': Object.keys(budget.shape),
  'scopes.risk': Object.keys(riskKeys.shape),
  'scopes.risk.max-tpr': Object.keys(rate.shape),
};

/** The keys that an object of a policy may have; `path` leads to it. */
const policyKeys = (path: Path): readonly string[] =>
  KEYS[path.filter((step) => typeof step === 'string').join('.')] ?? [];

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
type PolicyReading =
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
      const message = `${quote(specs[index] ?? '')} is in this scope twice, and each file counts once`;
      const hint = 'Keep one of the two. If it runs twice, set "count" in the specification.';
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
