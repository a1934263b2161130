import { Command } from 'commander';
import { charactersFor } from '../kit/characters.ts';
import type { Context } from '../kit/context.ts';
import { layoutFor } from '../kit/destination.ts';
import { EXIT } from '../kit/exit.ts';
import type { Io } from '../kit/io.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { named, openBeside, succeeded } from './named-ledger.ts';
import { withPrintOptions } from './print-options.ts';

const EXAMPLES = `
Examples:
  dpcompose ledger status budget.jsonl
  dpcompose ledger status budget.jsonl --json | jq .left`;

/** `dpcompose ledger status`: where a ledger stands. */
export function statusCommand(context: Context): Command {
  const command = new Command('status')
    .summary('the budget, what was spent on what, and what is left')
    .description('Shows the budget as a bar, what was spent on what, and what is left, in words.')
    .argument('<FILE>', 'the ledger');
  return withPrintOptions(command)
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: PrintFlags) => {
      context.ends(await status(file, flags, context));
    });
}

/** Whether block characters are shown: on a terminal whose locale is in UTF-8. */
function showsBlocks({ stdout, env }: Io, { output }: PrintFlags): boolean {
  const toTerminal = stdout.isTTY === true && (output === undefined || output === '-');
  return toTerminal && charactersFor(env) === 'unicode';
}

async function status(file: string, flags: PrintFlags, { io, version }: Context): Promise<number> {
  const ledger = named(file, io);
  const [{ readHistory }, { presentAfter, stateAtStart }, { totalsOf }] = await Promise.all([
    import('../../ledger/file/history.ts'),
    import('../../ledger/file/present.ts'),
    import('../../ledger/core/state.ts'),
  ]);
  const history = succeeded(readHistory(ledger.path), ledger);
  const present = succeeded(presentAfter(history), ledger);
  const begun = stateAtStart(history.header);
  const start = begun === null ? { launched: 0, spent: {}, halted: null } : totalsOf(begun);
  const put = await openBeside([ledger], flags, io);
  if (put === null) return EXIT.done;
  const { statusJson, statusReport } = await import('../../report/ledger/status.ts');
  if (flags.json === true) {
    await put(statusJson(present, history.records, start, file, version));
  } else {
    const layout = { ...(await layoutFor(flags, io)), blocks: showsBlocks(io, flags) };
    await put(statusReport(present, history.records, start, file, layout));
  }
  return EXIT.done;
}
