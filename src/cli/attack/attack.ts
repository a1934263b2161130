import { Command } from 'commander';
import { attackObliviousCommand } from './oblivious.ts';
import { attackParallelCommand } from './parallel.ts';
import { attackRenyiCommand } from './renyi.ts';
import type { Context } from '../kit/context.ts';

const EXAMPLES = `
Examples:
  dpcompose attack parallel --delta 0.1 --instances 3
  dpcompose attack renyi --alpha 2 --epsilon 1 --target 10
  dpcompose attack oblivious --delta 0.1`;

/** `dpcompose attack`: runs the attacks by which compositions are refused. */
export function attackCommand(context: Context): Command {
  const command = new Command('attack')
    .description('Carries out the attacks for which compositions of continual mechanisms are refused.')
    .addHelpText('after', EXAMPLES);
  for (const create of [attackParallelCommand, attackRenyiCommand, attackObliviousCommand]) {
    command.addCommand(create(context));
  }
  return command;
}
