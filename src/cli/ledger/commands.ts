import type { Command } from 'commander';
import type { Context } from '../kit/context.ts';
import { checkCommand } from './check.ts';
import { toFilterCommand, toOdometerCommand } from './convert.ts';
import { closeCommand, queryCommand } from './converse.ts';
import { exportCommand } from './export.ts';
import { initCommand } from './init.ts';
import { lossCommand } from './loss.ts';
import { nestCommand } from './nest.ts';
import { remainingCommand } from './remaining.ts';
import { replayCommand } from './replay.ts';
import { spendCommand } from './spend.ts';
import { statusCommand } from './status.ts';
import { verifyCommand } from './verify.ts';

const GROUPS = {
  'Every day:': [initCommand, spendCommand, checkCommand, statusCommand, remainingCommand, lossCommand],
  'Interactive mechanisms and other ledgers:': [
    queryCommand,
    closeCommand,
    nestCommand,
    toFilterCommand,
    toOdometerCommand,
  ],
  'The file:': [verifyCommand, replayCommand, exportCommand],
};

/** The commands of `dpcompose ledger`, in the groups that its help shows. */
export const ledgerCommands = (context: Context): Command[] =>
  Object.entries(GROUPS).flatMap(([group, commands]) => commands.map((create) => create(context).helpGroup(group)));
