import * as z from 'zod/mini';
import { issueOf } from './fields.ts';

/** Refuses a list of more than `most` items before any of them is looked into. */
export const atMost = (most: number, name: string, items: string, hint: string) =>
  z.transform((value, context): unknown => {
    if (!Array.isArray(value) || value.length <= most) return value;
    const message = `${name} must hold at most ${most} ${items}, got ${value.length}`;
    context.issues.push(issueOf({ code: 'out-of-range', message, hint }, value));
    return z.NEVER;
  });
