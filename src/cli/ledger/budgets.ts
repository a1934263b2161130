import { Command } from 'commander';
import type { Context } from '../kit/context.ts';
import { layoutFor, openDestination } from '../kit/destination.ts';
import { EXIT } from '../kit/exit.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { loadBudgets } from './kit/budgets-option.ts';
import { withFormats } from './kit/print-options.ts';

const EXAMPLES = `
Budgets in YAML, of which all hold at the same time:
  dpcompose: 1
  ledgers:
    - { name: all, epsilon: 3 }
    - { name: "analyst/{analyst}", of: people, epsilon: 1 }
    - { name: "day/{day}", of: data, epsilon: 0.5 }
A line has the numbers and the rule of "ledger init", with the same names. Its
ledgers are made when they are first spent from.

Examples:
  dpcompose ledger budgets budgets.yaml
  dpcompose ledger spend --budgets budgets.yaml --for analyst=ann \\
      --for day=2026-03-02 -m dp:epsilon=0.1`;

/** `dpcompose ledger budgets`: what budgets guarantee, and what not. */
export function budgetsCommand(context: Context): Command {
  const command = new Command('budgets')
    .summary('what budgets that hold at the same time guarantee, by which theorem')
    .description(
      'Says of each line of a file of budgets what it guarantees, by which theorem, and what is not guaranteed.',
    )
    .argument('<BUDGETS>', 'JSON or YAML file of budgets');
  return withFormats(command)
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: PrintFlags) => {
      context.ends(await budgets(file, flags, context));
    });
}

async function budgets(file: string, flags: PrintFlags, { io, version }: Context): Promise<number> {
  const read = await loadBudgets(file, [], io);
  const put = await openDestination(flags, io);
  if (put === null) return EXIT.done;
  const { budgetsJson, budgetsText } = await import('../../report/ledger/budgets.ts');
  await put(
    flags.json === true ? budgetsJson(read, file, version) : budgetsText(read, (await layoutFor(flags, io)).width),
  );
  return EXIT.done;
}
