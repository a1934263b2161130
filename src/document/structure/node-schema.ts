import * as z from 'zod/mini';
import { ENTRY_SCHEMAS } from '../mechanism/entry-schema.ts';
import { noNumber } from '../core/forms.ts';
import { STRUCTURE_SCHEMAS } from './structure-schema.ts';

const nodeSchema = z.discriminatedUnion('type', [...ENTRY_SCHEMAS, ...STRUCTURE_SCHEMAS]);

/** A validated element: a mechanism, or what holds others, these as they were written. */
export type ParsedNode = z.infer<typeof nodeSchema>;

/** A list of mechanisms and of what holds such, as a document gives it. */
export const nodesSchema = z.array(z.pipe(noNumber('each item'), nodeSchema)).check(z.minLength(1));
