import { Command } from 'commander';
import type { Context } from '../kit/context.ts';
import { anchorCommand } from './anchor.ts';
import { checkCommand } from './check.ts';
import { convertCommand } from './convert.ts';
import { exportCommand } from './export.ts';
import { commitCommand, releaseCommand, reserveCommand, recordCommand } from './hold.ts';
import { initCommand } from './init.ts';
import { moveCommand } from './move.ts';
import { nestCommand } from './nest.ts';
import { adoptCommand, annotateCommand, recoverCommand } from './remark.ts';
import { spendCommand } from './spend.ts';
import { statusCommand } from './status.ts';
import { storeCommand } from './store.ts';
import { verifyCommand } from './verify.ts';

const GROUPS = {
  'Every day:': [initCommand, spendCommand, checkCommand, statusCommand],
  'Other ledgers:': [nestCommand, convertCommand],
  'Reservations:': [reserveCommand, commitCommand, releaseCommand],
  'What happened:': [recordCommand, annotateCommand],
  'What is kept:': [verifyCommand, exportCommand, recoverCommand, adoptCommand],
  'Several places:': [storeCommand, moveCommand, anchorCommand],
};

/** The commands of `dpcompose ledger`, in the groups that its help shows. */
export const ledgerCommands = (context: Context): Command[] =>
  Object.entries(GROUPS).flatMap(([group, commands]) => commands.map((create) => create(context).helpGroup(group)));

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
