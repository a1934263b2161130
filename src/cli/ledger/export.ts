import { Command } from 'commander';
import { UsageError } from '../kit/usage-error.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { EXIT } from '../kit/exit.ts';
import { readFormat } from '../kit/format.ts';
import { printOptions } from '../kit/print-options.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { faultFailure } from './failure.ts';
import { named, openBeside, succeeded } from './named-ledger.ts';

const FORMATS = ['markdown', 'csv', 'json'] as const;

const EXAMPLES = `
In the CSV, text that a spreadsheet would take for a formula has an apostrophe
before it.

Examples:
  dpcompose ledger export budget.jsonl > budget.md
  dpcompose ledger export budget.jsonl --format csv -o budget.csv`;

/** `dpcompose ledger export`: all records for other programs and for people. */
export function exportCommand(context: Context): Command {
  const command = new Command('export')
    .summary('all records as Markdown, CSV or JSON')
    .description('Writes all records of a ledger as a Markdown document, as comma-separated values, or as JSON.')
    .argument('<FILE>', 'the ledger');
  return printOptions(command, FORMATS)
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: PrintFlags) => {
      context.ends(await exported(file, flags, context));
    });
}

async function exported(file: string, flags: PrintFlags, { io, version }: Context): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(flags, FORMATS, errors);
  if (errors.length > 0) throw new UsageError(errors);
  const ledger = named(file, io);
  const [{ readHistory }, { presentAfter, stateAtStart }] = await Promise.all([
    import('../../ledger/file/history.ts'),
    import('../../ledger/file/present.ts'),
  ]);
  const history = succeeded(readHistory(ledger.path), ledger);
  const present = succeeded(presentAfter(history), ledger);
  const start = stateAtStart(history.header);
  if (start === null) throw faultFailure({ code: 'malformed-record', line: 1, record: 0, path: 'terms' }, file);
  const put = await openBeside([ledger], flags, io);
  switch (format) {
    case 'markdown': {
      const { exportMarkdown } = await import('../../report/ledger/export-markdown.ts');
      await put?.(exportMarkdown(present, history, start, file));
      break;
    }
    case 'csv': {
      const { exportCsv } = await import('../../report/ledger/export-csv.ts');
      await put?.(exportCsv(history, start));
      break;
    }
    case 'json': {
      const { exportJson } = await import('../../report/ledger/export-json.ts');
      await put?.(exportJson(present, history, file, version));
    }
  }
  return EXIT.done;
}
