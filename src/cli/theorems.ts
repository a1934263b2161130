import { Command } from 'commander';
import type { InputError } from '../document/core/specification.ts';
import type { Context } from './kit/context.ts';
import { layoutFor, openDestination } from './kit/destination.ts';
import { EXIT } from './kit/exit.ts';
import { readFormat } from './kit/format.ts';
import type { PrintFlags } from './kit/shared-options.ts';
import { UsageError } from './kit/usage-error.ts';
import { printOptions } from './kit/print-options.ts';

const FORMATS = ['table', 'json', 'markdown'] as const;

const EXAMPLES = `
Examples:
  dpcompose theorems
  dpcompose theorems --format markdown > theorems.md
  dpcompose theorems --json | jq -r '.theorems[] | select(.kind == "bound").id'
  dpcompose explain br-adaptive`;

/** `dpcompose theorems`: every bound, every theorem that plans rest on and every rule of ledgers. */
export function theoremsCommand(context: Context): Command {
  return printOptions(
    new Command('theorems').description(
      'Lists every bound, every theorem that plans rest on and every rule of ledgers, with their sources; in full as JSON or Markdown.',
    ),
    FORMATS,
  )
    .addHelpText('after', EXAMPLES)
    .action(async (flags: PrintFlags) => {
      context.ends(await theorems(flags, context));
    });
}

async function theorems(flags: PrintFlags, { io, version }: Context): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(flags, FORMATS, errors);
  if (errors.length > 0) throw new UsageError(errors);
  const put = await openDestination(flags, io);
  if (put === null) return EXIT.done;
  const { ruleFacts, theoremFacts } = await import('../report/theorems/theorem-facts.ts');
  const facts = [...theoremFacts(), ...ruleFacts()];
  switch (format) {
    case 'json':
      await put((await import('../report/theorems/theorem-json.ts')).theoremsJson(facts, version));
      break;
    case 'markdown':
      await put((await import('../report/theorems/theorems-page.ts')).theoremsMarkdown(facts));
      break;
    case 'table':
      await put((await import('../report/theorems/theorems-page.ts')).theoremsTable(facts, await layoutFor(flags, io)));
  }
  return EXIT.done;
}
