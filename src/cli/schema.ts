import { Argument } from 'commander';
import { quote } from '../document/core/quote.ts';
import { didYouMean } from '../document/core/suggest.ts';
import { SCHEMA_NAMES, type SchemaName } from '../output/schema/names.ts';
import { commandOf } from './kit/command.ts';
import { offering } from './kit/option.ts';
import { UsageError } from './kit/usage-error.ts';

const names = Object.keys(SCHEMA_NAMES);
const isName = (name: string): name is SchemaName => Object.hasOwn(SCHEMA_NAMES, name);

/** The names of the schemas, each with what it describes. */
function list(): string {
  const width = Math.max(...names.map((name) => name.length)) + 2;
  return Object.entries(SCHEMA_NAMES)
    .map(([name, what]) => `${name.padEnd(width)}${what}\n`)
    .join('');
}

/** `dpcompose schema`: the JSON Schemas of all input and output. */
export const schemaCommand = commandOf<object | null>({
  name: 'schema',
  about: 'Prints a JSON Schema (draft 2020-12). Without NAME, lists the schemas.',
  operands: [offering(new Argument('[NAME]', names.join(', ')), () => names)],
  examples: '\nExample:\n  dpcompose schema spec -o spec.schema.json',
  forms: {
    text: (schema) => (schema === null ? list() : `${JSON.stringify(schema, null, 2)}\n`),
    // A schema says itself what it is.
    json: async (schema, { version }) =>
      schema === null
        ? (await import('../output/schema/names.ts')).schemasJson(version)
        : `${JSON.stringify(schema, null, 2)}\n`,
  },
  async read({ operands: [name] }) {
    if (name === undefined) return () => ({ result: null });
    if (!isName(name)) {
      const message = `unknown schema ${quote(name)}`;
      const hint = `${didYouMean(name, names)}The schemas are ${names.join(', ')}.`;
      throw new UsageError([{ code: 'unknown-schema', path: 'NAME', message, hint }]);
    }
    const { schemas } = await import('../output/schema/schemas.ts');
    return () => ({ result: schemas()[name] });
  },
});
