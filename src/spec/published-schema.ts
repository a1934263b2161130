import * as z from 'zod/mini';
import { documentSchema } from './document-schema.ts';
import { published } from './fields.ts';

/** The JSON Schema (draft 2020-12) of specification documents. */
export function specJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(documentSchema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, published.get(zodSchema));
    },
  });
  return {
    ...schema,
    title: 'dpcompose specification',
    description: 'What a set of differentially private mechanisms costs together: the input of dpcompose.',
  };
}
