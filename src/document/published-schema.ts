import * as z from 'zod/mini';
import { published } from './core/fields.ts';
import { policySchema } from './policy/read-policy.ts';
import { documentSchema } from './structure/document-schema.ts';

/** The JSON Schema (draft 2020-12) of what a schema reads. */
export const jsonSchema = (schema: z.ZodMiniType): Record<string, unknown> =>
  z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, published.get(zodSchema));
    },
  });

/** The JSON Schema (draft 2020-12) of specification documents. */
export function specJsonSchema(): Record<string, unknown> {
  return {
    ...jsonSchema(documentSchema),
    title: 'dpcompose specification',
    description: 'A specification: differentially private mechanisms to compose. The input of dpcompose.',
  };
}

/** The JSON Schema (draft 2020-12) of policies. */
export function policyJsonSchema(): Record<string, unknown> {
  return {
    ...jsonSchema(policySchema),
    title: 'dpcompose policy',
    description: 'The budgets of specifications: the input of dpcompose check --policy.',
  };
}
