import { Command } from 'commander';
import { attackObliviousCommand } from './oblivious.ts';
import { attackParallelCommand } from './parallel.ts';
import { attackRenyiCommand } from './renyi.ts';
import { attackVerifyCommand } from './verify.ts';
import type { Context } from '../kit/context.ts';

const EXAMPLES = `
Examples:
  dpcompose attack parallel --delta 0.1 --instances 3
  dpcompose attack renyi --alpha 2 --epsilon 1 --target 10
  dpcompose attack oblivious --delta 0.1
  dpcompose attack verify --example asymmetric`;

/** `dpcompose attack`: runs the attacks by which compositions are refused, and all adversaries against a small mechanism. */
export function attackCommand(context: Context): Command {
  const command = new Command('attack')
    .description(
      'Carries out the attacks for which compositions of continual mechanisms are refused, and computes exactly what the best adaptive adversary achieves against a small mechanism.',
    )
    .addHelpText('after', EXAMPLES);
  for (const create of [attackParallelCommand, attackRenyiCommand, attackObliviousCommand, attackVerifyCommand]) {
    command.addCommand(create(context));
  }
  return command;
}
