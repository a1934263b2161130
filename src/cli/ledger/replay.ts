import { Command } from 'commander';
import type { Context } from '../kit/context.ts';
import { layoutFor } from '../kit/destination.ts';
import { EXIT } from '../kit/exit.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import type { Step } from '../../report/ledger/replay.ts';
import { openBeside, succeeded } from './kit/named-ledger.ts';
import { withPrintOptions } from './kit/print-options.ts';
import { openStoreOf, type StoreFlags } from './kit/store-option.ts';

interface ReplayFlags extends PrintFlags, StoreFlags {
  readonly all?: boolean;
}

const EXAMPLES = `
Examples:
  dpcompose ledger replay budget.jsonl
  dpcompose ledger replay budget.jsonl --all`;

/** `dpcompose ledger replay`: every decision made again. */
export function replayCommand(context: Context): Command {
  const command = new Command('replay')
    .summary('make every decision again, from the beginning')
    .description('Makes every decision again, from the beginning, and compares each with what is recorded.')
    .argument('<FILE>', 'the ledger')
    .optionsGroup('What is shown:')
    .option('--all', 'every record, with the loss after it');
  return withPrintOptions(command)
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: ReplayFlags) => {
      context.ends(await replayed(file, flags, context));
    });
}

async function replayed(file: string, flags: ReplayFlags, { io, version }: Context): Promise<number> {
  await using desk = await openStoreOf(flags, io);
  const ledger = desk.named(file);
  const { replayOf } = await import('../../ledger/journal/replay.ts');
  const steps: Step[] = [];
  const onStep =
    flags.all === true ? (kept: Step['kept'], after: Step['after']) => steps.push({ kept, after }) : undefined;
  const { scanned, replay } = succeeded(await replayOf(ledger.store, file, onStep), ledger);
  const put = await openBeside([ledger], flags, io);
  if (put === null) return EXIT.done;
  const { replayJson, replayText } = await import('../../report/ledger/replay.ts');
  const report = { file, scanned, end: replay.state, steps: flags.all === true ? steps : null };
  await put(flags.json === true ? replayJson(report, version) : replayText(report, await layoutFor(flags, io)));
  return EXIT.done;
}
