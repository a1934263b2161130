import * as z from 'zod/mini';
import { targetDelta, targetEpsilon } from './fields.ts';
import { inOneForm, noNumber } from './forms.ts';

const target = inOneForm(
  z.strictObject({ delta: z.optional(targetDelta), epsilon: z.optional(targetEpsilon) }),
  [{ needs: ['delta'] }, { needs: ['epsilon'] }],
  {
    what: 'a target',
    conflict: 'two-targets',
    description: 'Solve for epsilon at a given delta, or for delta at a given epsilon.',
  },
);

/** The question: `{delta}` or `{epsilon}`. */
export const targetSchema = z.pipe(noNumber('target'), target);

/** In which order mechanisms are run: the key `order`. */
export const orderField = z._default(z.enum(['any', 'declared']), 'any');

/** In which order mechanisms are run: `{order}`, as a command line gives it. */
export const orderSchema = z.strictObject({ order: orderField });

/** The keys of a target. */
export const TARGET_KEYS: readonly string[] = Object.keys(target.shape);

/** A validated target as it was written. */
export type ParsedTarget = z.infer<typeof target>;
