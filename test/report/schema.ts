import { Ajv2020 } from 'ajv/dist/2020.js';
import { OUTPUT_SCHEMAS } from '../../src/report/schema/outputs.ts';

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });

/** What is wrong with a text as an output of this kind; empty where nothing is. */
export function violations(kind: keyof typeof OUTPUT_SCHEMAS, text: string): string[] {
  const valid = ajv.validate(OUTPUT_SCHEMAS[kind], JSON.parse(text));
  return valid ? [] : (ajv.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`);
}
