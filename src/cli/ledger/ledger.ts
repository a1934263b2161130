import { Command } from 'commander';
import type { Context } from '../kit/context.ts';
import { ledgerCommands } from './commands.ts';

const AFTER = `
A ledger is a file, or one of many in a store, that many may write to at once.
Only "spend" and "commit" authorise: run a mechanism after one of them ended with
0, and only then.

Examples:
  dpcompose ledger init b.jsonl --epsilon 1 --delta 1e-6 --rule zcdp-optimal
  dpcompose ledger spend b.jsonl -m dp:epsilon=0.1 --label "visits per region"
  dpcompose ledger status b.jsonl

Exit codes:
  0  done, or granted
  1  no: the budget or the number does not suffice, or the ledger has ended
  2  the command line is wrong, or makes no sense for this ledger
  3  no theorem covers it
  4  the file was changed or damaged, or others write to it
  74 something could not be written: what is said tells whether it was recorded.
     It counts if it was; where nothing is said of it, nothing was granted.`;

/** `dpcompose ledger`: a budget that is kept in a file. */
export function ledgerCommand(context: Context): Command {
  const command = new Command('ledger')
    .description(
      'Keeps a privacy budget in a file or a database: records what is spent, and refuses what would exceed it.',
    )
    .helpCommand('help [COMMAND]', 'show help for a command')
    .addHelpText('after', AFTER);
  for (const each of ledgerCommands(context)) command.addCommand(each);
  return command;
}
