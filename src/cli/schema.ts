import { Argument, Command } from 'commander';
import { quote } from '../document/core/quote.ts';
import { didYouMean } from '../document/core/suggest.ts';
import { SCHEMA_NAMES, type SchemaName } from '../report/schema/names.ts';
import type { Context } from './kit/context.ts';
import { openDestination } from './kit/destination.ts';
import { EXIT } from './kit/exit.ts';
import { offering } from './kit/option.ts';
import { SHARED, type PrintFlags } from './kit/shared-options.ts';
import { UsageError } from './kit/usage-error.ts';

const names = Object.keys(SCHEMA_NAMES);
const isName = (name: string): name is SchemaName => Object.hasOwn(SCHEMA_NAMES, name);

/** `dpcompose schema`: the JSON Schemas of all input and output. */
export function schemaCommand({ io, ends }: Context): Command {
  return new Command('schema')
    .description('Prints a JSON Schema (draft 2020-12); without NAME, lists those there are.')
    .addArgument(offering(new Argument('[NAME]', names.join(', ')), () => names))
    .addOption(SHARED.json())
    .addOption(SHARED.output())
    .addOption(SHARED.quiet())
    .addOption(SHARED.noColor())
    .addOption(SHARED.debug())
    .addHelpText('after', '\nExample:\n  dpcompose schema spec -o spec.schema.json')
    .action(async (name: string | undefined, flags: PrintFlags) => {
      const text = name === undefined ? list(flags) : await schema(name);
      const put = await openDestination(flags, io);
      if (put !== null) await put(text);
      ends(EXIT.done);
    });
}

function list({ json = false }: PrintFlags): string {
  if (json) return `${JSON.stringify(SCHEMA_NAMES, null, 2)}\n`;
  const width = Math.max(...names.map((name) => name.length)) + 2;
  return Object.entries(SCHEMA_NAMES)
    .map(([name, what]) => `${name.padEnd(width)}${what}\n`)
    .join('');
}

async function schema(name: string): Promise<string> {
  if (!isName(name)) {
    const message = `there is no schema ${quote(name)}`;
    const hint = `${didYouMean(name, names)}The schemas are ${names.join(', ')}.`;
    throw new UsageError([{ code: 'unknown-schema', path: 'NAME', message, hint }]);
  }
  const { schemas } = await import('../report/schema/all.ts');
  return `${JSON.stringify(schemas()[name], null, 2)}\n`;
}
