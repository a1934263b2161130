import * as z from 'zod/mini';
import { alpha, count, delta, distance, epsilon, issueOf, mu, published, rho } from '../../document/core/fields.ts';
import { noNumber } from '../../document/core/forms.ts';
import type { Path } from '../../document/core/input-error.ts';
import { describe } from '../../document/core/quote.ts';
import { version } from '../../document/core/version-field.ts';
import { RULE_IDS } from '../core/terms.ts';
import { readTemplate, type Template } from './template.ts';

const template = z
  .pipe(
    z.unknown(),
    z.transform((value, context): Template => {
      const read = typeof value === 'string' ? readTemplate(value) : 'it must be text';
      if (typeof read !== 'string') return read;
      const missing = value === undefined;
      const message = missing
        ? 'name is missing; it must be the name of a ledger'
        : `name must be the name of a ledger, got ${describe(value)}: ${read}`;
      const hint = 'Write a name such as "all", or "day/{day}" for one ledger for each day.';
      context.issues.push(issueOf({ code: missing ? 'missing-key' : 'wrong-type', message, hint }, value));
      return z.NEVER;
    }),
  )
  .register(published, {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    description:
      'The name of the ledger in the store; with {key} in it, of one for each value of the key, which is made when it is first spent from.',
  });

/** The rules that a line may name: those whose budget is written in numbers. */
export const LINE_RULES = RULE_IDS.filter((id) => id !== 'rdp-curve');

const described = <S extends z.ZodMiniType>(schema: S, description: string): S => {
  published.add(schema, { description });
  return schema;
};

const lineKeys = z.strictObject({
  name: template,
  of: z.optional(
    described(
      z.enum(['data', 'people']),
      'data: each value of the key is a part of the data of its own; people: each is a person, or a group, who asks.',
    ),
  ),
  rule: z.optional(
    described(z.enum(LINE_RULES), 'How losses add up; left out where the kind of budget says it: see "ledger init".'),
  ),
  epsilon: z.optional(epsilon),
  delta: z.optional(delta),
  rho: z.optional(rho),
  mu: z.optional(mu),
  alpha: z.optional(alpha),
  'delta-prime': z.optional(delta),
  deltas: z.optional(described(z.enum(['sum', 'product']), "How the mechanisms' own deltas add up.")),
  'on-excess': z.optional(
    described(
      z.enum(['refuse', 'halt']),
      'Whether a request that does not fit is refused, or ends the ledger for good.',
    ),
  ),
  concurrency: z.optional(
    described(z.enum(['concurrent', 'sequential']), 'Whether interactive mechanisms may be asked in turns.'),
  ),
  'max-mechanisms': z.optional(count),
  distance: z.optional(distance),
  neighbours: z.optional(described(z.string(), 'Which data are neighbouring: add-remove, replace-one, or in words.')),
  'require-evidence': z.optional(
    described(
      z.boolean(),
      'Whether mechanisms are launched only with the hash of what their guarantee was verified by.',
    ),
  ),
  'record-refusals': z.optional(described(z.boolean(), 'Whether what is refused is recorded too.')),
  'fixed-budget': z.optional(
    described(z.boolean(), 'Whether the ledger never becomes an odometer, from which its budget could be raised.'),
  ),
});

published.add(lineKeys, { description: 'A budget: of one ledger, or of one for each value of a key.' });

const document = z.strictObject({
  dpcompose: version,
  name: z.optional(z.string()),
  ledgers: z.array(z.pipe(noNumber('each item'), lineKeys)).check(z.minLength(1)),
});

/** A whole document of budgets: its type, its validation and, with `published`, its JSON Schema. */
export const budgetsSchema = z.pipe(noNumber('the document'), document);

/** Validated budgets as they were written. */
export type ParsedBudgets = z.infer<typeof document>;
export type ParsedLine = ParsedBudgets['ledgers'][number];

const KEYS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(document.shape),
  ledgers: Object.keys(lineKeys.shape),
};

/** The keys that an object of budgets may have; `path` leads to it. */
export const budgetsKeys = (path: Path): readonly string[] =>
  KEYS[path.filter((step) => typeof step === 'string').join('.')] ?? [];
