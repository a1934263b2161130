import { jsonSchema, policyJsonSchema, specJsonSchema } from '../../document/published-schema.ts';
import { budgetsSchema } from '../../ledger/budgets/read-budgets.ts';
import { ledgerFileSchema } from './ledger-file.ts';
import type { SchemaName } from './names.ts';
import type { JsonSchema } from '../kit/codec.ts';
import { OUTPUTS, type OutputName } from './outputs.ts';

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
