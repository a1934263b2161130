import { policyJsonSchema, specJsonSchema, verifyJsonSchema } from '../../document/published-schema.ts';
import { ledgerFileSchema } from './ledger-file.ts';
import type { SchemaName } from './names.ts';
import type { JsonSchema } from '../kit/codec.ts';
import { OUTPUTS, type OutputName } from './outputs.ts';

/** Every published JSON Schema, by name. */
export function schemas(): Readonly<Record<SchemaName, Readonly<Record<string, unknown>>>> {
  const outputs = Object.entries(OUTPUTS).map(([name, { schema }]) => [name, schema]);
  return {
    spec: { $id: 'urn:dpcompose:spec:1', ...specJsonSchema() },
    ledger: { $id: 'urn:dpcompose:ledger:1', ...ledgerFileSchema() },
    verify: { $id: 'urn:dpcompose:verify:1', ...verifyJsonSchema() },
    policy: { $id: 'urn:dpcompose:policy:1', ...policyJsonSchema() },
    ...(Object.fromEntries(outputs) as Record<OutputName, JsonSchema>),
  };
}
