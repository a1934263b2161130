import { Command } from 'commander';
import type { Context } from '../kit/io.ts';
import { anchorCommand } from './anchor.ts';
import { checkCommand } from './check.ts';
import { convertCommand } from './convert.ts';
import { exportCommand } from './export.ts';
import { commitCommand, releaseCommand, reserveCommand, recordCommand } from './reservation.ts';
import { initCommand } from './init.ts';
import { moveCommand } from './move.ts';
import { nestCommand } from './nest.ts';
import { adoptCommand, annotateCommand, recoverCommand } from './annotate.ts';
import { spendCommand } from './spend.ts';
import { statusCommand } from './status.ts';
import { storeCommand } from './store.ts';
import { verifyCommand } from './verify.ts';

const GROUPS = {
  'Spending:': [initCommand, spendCommand, checkCommand, statusCommand],
  'Other ledgers:': [nestCommand, convertCommand],
  'Reservations:': [reserveCommand, commitCommand, releaseCommand],
  'Notes:': [recordCommand, annotateCommand],
  'Audit and recovery:': [verifyCommand, exportCommand, recoverCommand, adoptCommand],
  'Stores:': [storeCommand, moveCommand, anchorCommand],
};

/** The commands of `dpcompose ledger`, in the groups that its help shows. */
const ledgerCommands = (context: Context): Command[] =>
  Object.entries(GROUPS).flatMap(([group, commands]) => commands.map((create) => create(context).helpGroup(group)));

const AFTER = `
A ledger is a privacy filter or odometer, kept in a file or a store (a folder,
SQLite, PostgreSQL) with many concurrent writers. Only "spend" and "commit"
authorize: run a mechanism after one of them has ended with 0, and only then.

Examples:
  dpcompose ledger init b.jsonl --epsilon 1 --delta 1e-6 --rule zcdp-optimal
  dpcompose ledger spend b.jsonl -m dp:epsilon=0.1 --label "visits per region"
  dpcompose ledger status b.jsonl

Exit codes:
  0  done, or granted
  1  denied: not enough budget or mechanisms, or the ledger has ended
  2  error in the command line, or not possible for this ledger
  3  no theorem covers it
  4  the file was changed or damaged, or another process writes to it
  74 a write failed; the message tells whether the record was made. If it was,
     it counts. If the message does not tell, nothing was granted.`;

/** `dpcompose ledger`: a budget that is kept in a file. */
export function ledgerCommand(context: Context): Command {
  const command = new Command('ledger')
    .description(
      'Keeps a privacy budget in a file or a database (privacy filter or odometer): records privacy loss, and denies requests that would exceed the budget.',
    )
    .helpCommand('help [COMMAND]', 'show help for a command')
    .addHelpText('after', AFTER);
  for (const subcommand of ledgerCommands(context)) command.addCommand(subcommand);
  return command;
}
