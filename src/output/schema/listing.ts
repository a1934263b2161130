import * as json from '../kit/codec.ts';
import { TEXT } from '../kit/codecs.ts';
import { SCHEMA_NAMES } from './names.ts';

/** The published JSON Schemas. */
export const SCHEMAS = json.document('schemas', 'The JSON Schemas that there are, as schema --json lists them.', {
  schemas: json.list(json.object({ name: TEXT, about: TEXT })),
});

/** The names of all schemas, each with what it describes. */
export const schemasJson = (version: string): string =>
  json.documentText(SCHEMAS, {
    version,
    schemas: Object.entries(SCHEMA_NAMES).map(([name, about]) => ({ name, about })),
  });

/** What a shell reads to complete command lines. */
export const COMPLETE = json.document('complete', 'A script for a shell, or the words that it asked for.', {
  text: TEXT,
});

export const completeJson = (text: string, version: string): string => json.documentText(COMPLETE, { version, text });
