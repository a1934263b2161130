import * as z from 'zod/mini';
import { nameField } from '../design/fields.ts';
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
import type { Path } from '../core/input-error.ts';
import { version } from '../core/version-field.ts';

const budget = z
  .strictObject({ epsilon, delta })
  .register(published, { description: 'What may be spent: the claim must be at most (epsilon, delta).' });

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
    description: 'The true-positive rate of a test at most this, at a false-positive rate; or a list of such limits.',
    anyOf: [RATE, { type: 'array', minItems: 1, items: RATE }],
  });

const riskKeys = z.strictObject({ 'max-advantage': z.optional(advantage), 'max-tpr': z.optional(rates) });

const risk = inOneForm(riskKeys, [{ needs: ['max-advantage'], allows: ['max-tpr'] }, { needs: ['max-tpr'] }], {
  what: 'a risk',
  example: '"max-advantage": 0.2',
  conflict: 'conflicting-keys',
  description: 'How well two neighbouring data sets may be told apart.',
});

const scopeKeys = z.strictObject({
  name: nameField('the name of a scope', 'dashboards'),
  specs: z.array(nameField('a file or a pattern', 'specs/*.json')).check(z.minLength(1)).register(published, {
    description:
      'The specifications: paths or glob patterns, relative to the policy file; a pattern that begins with ! takes files away. Each pattern must match a file.',
  }),
  budget: z.optional(z.pipe(noNumber('budget'), budget)),
  risk: z.optional(z.pipe(noNumber('risk'), risk)),
  together: z._default(z.boolean(), false).register(published, {
    default: false,
    description:
      'Whether all specifications of the scope run on the same data, and must be within the budget composed together (each file once), or each of them alone.',
  }),
});

const scope = inOneForm(scopeKeys, [{ needs: ['budget'], allows: ['risk'] }, { needs: ['risk'] }], {
  what: 'a scope',
  example: '"budget": {"epsilon": 1, "delta": "1e-6"}',
  conflict: 'conflicting-keys',
  description: 'Specifications and what they may spend: a budget, a risk, or both.',
});

const document = z.strictObject({
  dpcompose: version,
  name: z.optional(z.string()),
  scopes: z.array(z.pipe(noNumber('each item'), scope)).check(z.minLength(1)),
});

/** A whole policy: its type, its validation and, with `published`, its JSON Schema. */
export const policySchema = z.pipe(noNumber('the document'), document);

/** A validated policy as it was written. */
export type ParsedPolicy = z.infer<typeof document>;

const KEYS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(document.shape),
  scopes: Object.keys(scopeKeys.shape),
  'scopes.budget': Object.keys(budget.shape),
  'scopes.risk': Object.keys(riskKeys.shape),
  'scopes.risk.max-tpr': Object.keys(rate.shape),
};

/** The keys that an object of a policy may have; `path` leads to it. */
export const policyKeys = (path: Path): readonly string[] =>
  KEYS[path.filter((step) => typeof step === 'string').join('.')] ?? [];
