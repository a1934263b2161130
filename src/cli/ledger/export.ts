import { Command } from 'commander';
import { UsageError } from '../kit/usage-error.ts';
import type { Fault } from '../../ledger/records/fault.ts';
import type { Folded } from '../../ledger/journal/store.ts';
import type { Kept } from '../../ledger/journal/history.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { EXIT } from '../kit/exit.ts';
import { readFormat } from '../kit/format.ts';
import { printOptions } from '../kit/print-options.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { faultFailure, openBeside, succeeded } from './kit/named-ledger.ts';
import { openStoreOf, withStoreOption, type StoreFlags } from './kit/store-option.ts';

const FORMATS = ['csv', 'json'] as const;

const EXAMPLES = `
In the CSV, text that a spreadsheet would take for a formula has an apostrophe
before it.

Examples:
  dpcompose ledger export budget.jsonl > budget.csv
  dpcompose ledger export budget.jsonl --json -o budget.json`;

/** `dpcompose ledger export`: all records for other programs and for people. */
export function exportCommand(context: Context): Command {
  const command = new Command('export')
    .summary('all records as CSV or JSON')
    .description('Writes all records of a ledger as comma-separated values, or as JSON.')
    .argument('<FILE>', 'the ledger');
  return printOptions(withStoreOption(command), FORMATS)
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: PrintFlags & StoreFlags) => {
      context.ends(await exported(file, flags, context));
    });
}

async function exported(file: string, flags: PrintFlags & StoreFlags, { io, version }: Context): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(flags, FORMATS, errors);
  if (errors.length > 0) throw new UsageError(errors);
  await using desk = await openStoreOf(flags, io);
  const ledger = desk.named(file);
  const [{ foldOf }, { recordsOf }, { ITEMS }] = await Promise.all([
    import('../../ledger/journal/fold.ts'),
    import('../../ledger/journal/history.ts'),
    import('../../report/ledger/items.ts'),
  ]);
  // Read twice, so that nothing is written of a ledger that has a flaw, and not all of it is in memory at once.
  const folded = succeeded(await foldOf(ledger.store, file, ITEMS), ledger);
  const { present } = folded;
  const put = await openBeside([ledger], flags, io);
  if (put === null) return EXIT.done;
  const changed: { fault?: Fault } = {};
  const records = recordsOf(ledger.store, file, present, (fault) => {
    changed.fault = fault;
  });
  try {
    await put(await pieces(format, folded, records, file, version));
  } catch (error) {
    if (changed.fault !== undefined) throw faultFailure(changed.fault, file);
    throw error;
  }
  return EXIT.done;
}

async function pieces(
  format: (typeof FORMATS)[number],
  folded: Folded<unknown>,
  records: AsyncIterable<readonly Kept[]>,
  file: string,
  version: string,
): Promise<AsyncIterable<string>> {
  switch (format) {
    case 'csv': {
      const { exportCsv } = await import('../../report/ledger/export.ts');
      return exportCsv(folded, records);
    }
    case 'json': {
      const { exportJson } = await import('../../report/ledger/export.ts');
      return exportJson(folded, records, file, version);
    }
  }
}
