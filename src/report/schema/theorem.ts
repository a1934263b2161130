import { record, TEXT, type JsonSchema } from './common.ts';

/** A theorem on which a plan rests; `number` is its place in the paper, or "derived". */
export const THEOREM: JsonSchema = record({ id: TEXT, number: TEXT, name: TEXT, reference: TEXT });
