import * as z from 'zod/mini';
import { Decimal } from '../../numeric/decimal.ts';
import { count, published } from '../core/fields.ts';

/** The keys that every mechanism may have. */
export const common = {
  count: z._default(count, new Decimal(1)).register(published, { default: 1 }),
  label: z.optional(z.string()),
  kind: z._default(z.enum(['noninteractive', 'interactive', 'continual']), 'noninteractive'),
};
