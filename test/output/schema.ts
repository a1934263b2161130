import { Ajv2020 } from 'ajv/dist/2020.js';
import { OUTPUTS, type OutputName } from '../../src/output/schema/schemas.ts';

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });

/** What is wrong with a text as an output of this kind; empty where nothing is. */
export function violations(kind: OutputName, text: string): string[] {
  const valid = ajv.validate(OUTPUTS[kind].schema, JSON.parse(text));
  return valid ? [] : (ajv.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`);
}
