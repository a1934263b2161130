import * as z from 'zod/mini';
import { LEDGER_SCHEMA } from '../../ledger/chain.ts';
import { headerCodec, recordCodec } from '../../ledger/record.ts';
import { published } from '../../document/core/fields.ts';
import { HASH } from '../ledger/facts-json.ts';
import { jsonSchema, policyJsonSchema, specJsonSchema } from '../../document/published-schema.ts';
import { budgetsSchema } from '../../ledger/budgets/read-budgets.ts';
import type { SchemaName } from './names.ts';
import type { JsonSchema } from '../kit/codec.ts';
import { OUTPUTS, type OutputName } from './outputs.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A line is a record and its hash. */
function sealed(record: Schema): Schema {
  if (Array.isArray(record.oneOf)) return { ...record, oneOf: (record.oneOf as Schema[]).map(sealed) };
  const hash = { ...HASH.schema, description: 'SHA-256 of the bytes of the line that stand before ,"hash":' };
  return {
    ...record,
    properties: { ...(record.properties as Schema), hash },
    required: [...(record.required as string[]), 'hash'],
  };
}

const written = (schema: z.ZodMiniType): Schema =>
  z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    reused: 'ref',
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, published.get(zodSchema));
    },
  });

/** The JSON Schema (draft 2020-12) of the lines of a ledger file. */
export function ledgerFileSchema(): Schema {
  const { anyOf, ...schema } = written(z.union([headerCodec.schema, recordCodec.schema]));
  return {
    ...schema,
    title: LEDGER_SCHEMA,
    description:
      'A line of a ledger file: the header first, then one record after the other. ledger is the hash of the header, prev that of the line before; numbers are exact decimals in text.',
    anyOf: (anyOf as Schema[]).map(sealed),
  };
}

/** The JSON Schema (draft 2020-12) of budgets. */
export const budgetsJsonSchema = (): Record<string, unknown> => ({
  ...jsonSchema(budgetsSchema),
  title: 'dpcompose budgets',
  description: 'Budgets that hold at the same time: the input of dpcompose ledger spend --budgets.',
});

/** Every published JSON Schema, by name. */
export function schemas(): Readonly<Record<SchemaName, Readonly<Record<string, unknown>>>> {
  const outputs = Object.entries(OUTPUTS).map(([name, { schema }]) => [name, schema]);
  return {
    spec: { $id: 'urn:dpcompose:spec:1', ...specJsonSchema() },
    ledger: { $id: 'urn:dpcompose:ledger:1', ...ledgerFileSchema() },
    budgets: { $id: 'urn:dpcompose:budgets:1', ...budgetsJsonSchema() },
    policy: { $id: 'urn:dpcompose:policy:1', ...policyJsonSchema() },
    ...(Object.fromEntries(outputs) as Record<OutputName, JsonSchema>),
  };
}
