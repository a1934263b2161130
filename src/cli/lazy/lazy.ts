import { Command } from 'commander';
import type { Context } from '../kit/io.ts';
import { lazyAuditCommand } from './audit.ts';
import { lazyPlanCommand } from './plan.ts';
import { lazyRatesCommand } from './rates.ts';
import { lazyRunCommand } from './run.ts';
import { lazySwitchesCommand } from './switches.ts';

const AFTER = `
L2P turns lazy online learners into private ones: Asi, Koren, Liu, Talwar,
"Private Online Learning via Lazy Algorithms", NeurIPS 2024.

Examples:
  dpcompose lazy plan ope --rounds 1e6 --experts 1000 --epsilon 0.1 --delta 1e-8
  dpcompose lazy audit --rounds 1e5 --batch 4 --eta 1e-4 --p 0.01 --delta1 1e-12
  echo 0,1,0.5 | dpcompose lazy run ads.run`;

const COMMANDS = [lazyAuditCommand, lazyPlanCommand, lazyRatesCommand, lazySwitchesCommand, lazyRunCommand];

/** `dpcompose lazy`: private online learning by lazy algorithms. */
export function lazyCommand(context: Context): Command {
  const command = new Command('lazy')
    .description(
      'Privacy accounting and tuning of L2P, private online learning by lazy algorithms: prediction from experts (ope) and convex optimization (oco).',
    )
    .addHelpText('after', AFTER);
  for (const create of COMMANDS) command.addCommand(create(context));
  return command;
}
