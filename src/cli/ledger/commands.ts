import type { Command } from 'commander';
import type { Context } from '../kit/context.ts';
import { anchorCommand } from './anchor.ts';
import { budgetsCommand } from './budgets.ts';
import { checkCommand } from './check.ts';
import { toFilterCommand, toOdometerCommand } from './convert.ts';
import { closeCommand, queryCommand } from './converse.ts';
import { copyCommand, moveCommand } from './copy.ts';
import { exportCommand } from './export.ts';
import { initCommand } from './init.ts';
import { lossCommand } from './loss.ts';
import { nestCommand } from './nest.ts';
import { commitCommand, releaseCommand, reserveCommand } from './hold.ts';
import { approveCommand } from './approve.ts';
import { recordCommand } from './record.ts';
import { requestCommand } from './request.ts';
import { adoptCommand, noteCommand, recoverCommand, voidCommand } from './remark.ts';
import { remainingCommand } from './remaining.ts';
import { replayCommand } from './replay.ts';
import { spendCommand } from './spend.ts';
import { statusCommand } from './status.ts';
import { storeCommand } from './store.ts';
import { verifyCommand } from './verify.ts';

const GROUPS = {
  'Every day:': [initCommand, spendCommand, checkCommand, statusCommand, remainingCommand, lossCommand],
  'Several ledgers:': [budgetsCommand],
  'Interactive mechanisms and other ledgers:': [
    queryCommand,
    closeCommand,
    nestCommand,
    toFilterCommand,
    toOdometerCommand,
  ],
  'Reservations and approvals:': [reserveCommand, commitCommand, releaseCommand, requestCommand, approveCommand],
  'What happened:': [recordCommand, voidCommand, noteCommand],
  'The file:': [verifyCommand, replayCommand, exportCommand, recoverCommand, adoptCommand],
  'Several places:': [storeCommand, copyCommand, moveCommand, anchorCommand],
};

/** The commands of `dpcompose ledger`, in the groups that its help shows. */
export const ledgerCommands = (context: Context): Command[] =>
  Object.entries(GROUPS).flatMap(([group, commands]) => commands.map((create) => create(context).helpGroup(group)));
