import * as z from 'zod/mini';
import { named, published } from './core/fields.ts';
import { ELEMENT } from './mechanism/selection.ts';
import { policySchema } from './policy/read-policy.ts';
import { documentSchema } from './structure/document-schema.ts';

/** Definitions to which a schema refers: what stands in place of items leaves theirs without use. */
const used = (schema: Record<string, unknown>): Record<string, unknown> => {
  const text = JSON.stringify(schema);
  const all = Object.entries(schema.$defs ?? {}) as [string, unknown][];
  return { ...schema, $defs: Object.fromEntries(all.filter(([name]) => text.includes(`"#/$defs/${name}"`))) };
};

/** The JSON Schema (draft 2020-12) of what a schema reads; inside a document, elements of `mechanisms` refer to it. */
export const jsonSchema = (schema: z.ZodMiniType, isInDocument = false): Record<string, unknown> =>
  used(
    z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      io: 'input',
      unrepresentable: 'any',
      reused: 'ref',
      metadata: named,
      override: ({ zodSchema, jsonSchema }) => {
        const { items = jsonSchema.items, ...fragment } = published.get(zodSchema) ?? {};
        const isShown = items !== undefined && (isInDocument || items !== ELEMENT);
        Object.assign(jsonSchema, fragment, isShown && { items });
      },
    }),
  );

/** The JSON Schema (draft 2020-12) of specification documents. */
export function specJsonSchema(): Record<string, unknown> {
  return {
    ...jsonSchema(documentSchema, true),
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
