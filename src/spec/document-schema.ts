import * as z from 'zod/mini';
import { entrySchema } from './entry-schema.ts';
import { targetDelta, targetEpsilon } from './fields.ts';
import { inOneForm, noNumber } from './forms.ts';
import { version } from './version-field.ts';

const target = inOneForm(
  z.strictObject({ delta: z.optional(targetDelta), epsilon: z.optional(targetEpsilon) }),
  [{ needs: ['delta'] }, { needs: ['epsilon'] }],
  {
    what: 'a target',
    conflict: 'two-targets',
    description: 'Solve for epsilon at a given delta, or for delta at a given epsilon.',
  },
);

/** What is asked: `{delta}` or `{epsilon}`. */
export const targetSchema = z.pipe(noNumber('target'), target);

/** A list of mechanisms, as a document or a command line gives it. */
export const entriesSchema = z.array(z.pipe(noNumber('each item'), entrySchema)).check(z.minLength(1));

const order = z._default(z.enum(['any', 'declared']), 'any');

/** In which order mechanisms are run: `{order}`, as a command line gives it. */
export const orderSchema = z.strictObject({ order });

const document = z.strictObject({
  dpcompose: version,
  name: z.optional(z.string()),
  adaptivity: z._default(z.enum(['adaptive', 'nonadaptive', 'parameters']), 'adaptive'),
  order,
  target: z.optional(targetSchema),
  mechanisms: entriesSchema,
});

/** A whole specification document: its type, its validation and, with `published`, its JSON Schema. */
export const documentSchema = z.pipe(noNumber('the document'), document);

/** The keys of a document and of its target. */
export const DOCUMENT_KEYS: readonly string[] = Object.keys(document.shape);
export const TARGET_KEYS: readonly string[] = Object.keys(target.shape);

/** A validated target as it was written. */
export type ParsedTarget = z.infer<typeof target>;
