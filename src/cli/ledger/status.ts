import { Command } from 'commander';
import { charactersFor } from '../kit/characters.ts';
import type { Context } from '../kit/context.ts';
import { layoutFor } from '../kit/destination.ts';
import { EXIT } from '../kit/exit.ts';
import type { Io } from '../kit/io.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import type { InputError } from '../../document/core/specification.ts';
import { readFormat } from '../kit/format.ts';
import { printOptions } from '../kit/print-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { isCopy } from './kit/is-copy.ts';
import { openBeside, succeeded, type Named } from './kit/named-ledger.ts';
import { ALL_OF_STORE, openStoreOf, requireLedgers, withStoreOption, type StoreFlags } from './kit/store-option.ts';

const FORMATS = ['text', 'json', 'markdown', 'svg'] as const;

const EXAMPLES = `
Of several ledgers, or of all of a store, one line each, those that were paid
for by another one under it; markdown also of one. svg draws the spending of
one ledger over time.

Examples:
  dpcompose ledger status budget.jsonl
  dpcompose ledger status budget.jsonl --json | jq .left
  dpcompose ledger status budget.jsonl --format svg -o spending.svg
  dpcompose ledger status --store budgets`;

/** `dpcompose ledger status`: where a ledger stands. */
export function statusCommand(context: Context): Command {
  const command = new Command('status')
    .summary('the budget, what was spent on what, and what is left')
    .description('Shows the budget as a bar, what was spent on what, and what is left, in words.')
    .argument('[FILE...]', ALL_OF_STORE);
  return printOptions(withStoreOption(command), FORMATS)
    .addHelpText('after', EXAMPLES)
    .action(async (files: readonly string[], flags: PrintFlags & StoreFlags) => {
      context.ends(await status(files, flags, context));
    });
}

async function status(files: readonly string[], flags: PrintFlags & StoreFlags, context: Context): Promise<number> {
  const { io } = context;
  const errors: InputError[] = [];
  const format = readFormat(flags, FORMATS, errors);
  const [file] = files;
  const isOne = file !== undefined && files.length === 1;
  if (format === 'svg' && !isOne) {
    const hint = 'Name one ledger.';
    errors.push({ code: 'conflicting-options', path: '--format', message: 'svg draws one ledger', hint });
  }
  requireLedgers(files, flags, io, errors);
  if (errors.length > 0) throw new UsageError(errors);
  await using desk = await openStoreOf(flags, io);
  if (isOne && (format === 'text' || format === 'json' || format === 'svg')) {
    return await statusOfOne(desk.named(file), format, flags, context);
  }
  const { statusOfAll } = await import('./status-all.ts');
  const shown = format === 'svg' ? 'text' : format;
  return await statusOfAll(desk, files.length === 0 ? null : files, { format: shown, flags }, context);
}

/** Whether block characters are shown: on a terminal whose locale is in UTF-8. */
function showsBlocks({ stdout, env }: Io, { output }: PrintFlags): boolean {
  const toTerminal = stdout.isTTY === true && (output === undefined || output === '-');
  return toTerminal && charactersFor(env) === 'unicode';
}

/** Draws the spending of a ledger. */
async function drawn(ledger: Named): Promise<string> {
  const { file } = ledger;
  const [{ readHistory }, { readPresent, stateAtStart }, { spendingChart }, { chartSvg }] = await Promise.all([
    import('../../ledger/journal/history.ts'),
    import('../../ledger/journal/present.ts'),
    import('../../report/ledger/spending-chart.ts'),
    import('../../report/chart/svg.ts'),
  ]);
  const history = succeeded(await readHistory(ledger.store, file), ledger);
  const present = succeeded(await readPresent(ledger.store, file), ledger);
  return chartSvg(spendingChart(file, present, history.records, stateAtStart(history.header) ?? present.state));
}

async function statusOfOne(
  ledger: Named,
  format: 'text' | 'json' | 'svg',
  flags: PrintFlags,
  { io, version, now }: Context,
): Promise<number> {
  const { file } = ledger;
  if (format === 'svg') {
    const picture = await drawn(ledger);
    await (
      await openBeside([ledger], flags, io)
    )?.(picture);
    return EXIT.done;
  }
  const [{ foldOf }, { presentAt }, { ITEMS }] = await Promise.all([
    import('../../ledger/journal/fold.ts'),
    import('../../ledger/journal/present.ts'),
    import('../../report/ledger/items.ts'),
  ]);
  const found = succeeded(await foldOf(ledger.store, file, ITEMS), ledger);
  const folded = { ...found, present: presentAt(found.present, now().toISOString()) };
  const put = await openBeside([ledger], flags, io);
  if (put === null) return EXIT.done;
  const { statusJson, statusReport } = await import('../../report/ledger/status.ts');
  if (format === 'json') {
    await put(statusJson(folded, file, version));
  } else {
    const layout = { ...(await layoutFor(flags, io)), blocks: showsBlocks(io, flags) };
    await put(statusReport(folded, file, layout, await isCopy(ledger)));
  }
  return EXIT.done;
}
