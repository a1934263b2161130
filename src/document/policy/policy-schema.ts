import * as z from 'zod/mini';
import { nameField } from '../design/fields.ts';
import { delta, epsilon, published } from '../core/fields.ts';
import { noNumber } from '../core/forms.ts';
import type { Path } from '../core/input-error.ts';
import { version } from '../core/version-field.ts';

const budget = z
  .strictObject({ epsilon, delta })
  .register(published, { description: 'What may be spent: the claim must be at most (epsilon, delta).' });

const scope = z
  .strictObject({
    name: nameField('the name of a scope', 'dashboards'),
    specs: z.array(nameField('a file or a pattern', 'specs/*.json')).check(z.minLength(1)).register(published, {
      description:
        'The specifications: paths or glob patterns, relative to the policy file; a pattern that begins with ! takes files away. Each pattern must match a file.',
    }),
    budget: z.pipe(noNumber('budget'), budget),
    together: z._default(z.boolean(), false).register(published, {
      default: false,
      description:
        'Whether all specifications of the scope run on the same data, and must be within the budget composed together (each file once), or each of them alone.',
    }),
  })
  .register(published, { description: 'Specifications and their budget.' });

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
  scopes: Object.keys(scope.shape),
  'scopes.budget': Object.keys(budget.shape),
};

/** The keys that an object of a policy may have; `path` leads to it. */
export const policyKeys = (path: Path): readonly string[] =>
  KEYS[path.filter((step) => typeof step === 'string').join('.')] ?? [];
