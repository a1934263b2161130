import { Command } from 'commander';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { EXIT } from '../kit/exit.ts';
import { readFormat } from '../kit/format.ts';
import { printed, type Forms } from './print.ts';
import type { SimulationTask } from '../../lazy/simulate/simulate.ts';
import type { ComparisonTask, SimulateFlags } from './simulate-question.ts';
import { withProgress } from '../kit/progress.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { printOptions } from '../kit/print-options.ts';

type Flags = SimulateFlags & PrintFlags;

const FORMATS = ['table', 'json', 'csv'] as const;

const EXAMPLES = `
Losses are zero, coins (fair coins), blocks (one coin for each batch: the odd or
the even experts lose all of it), or a file with one line for each round and
commas between the experts; - for standard input.

With --neighbour, a file that differs from the first in one round, the exact law
of the output on both is listed instead, for a few batches: what it tells apart
at each --epsilon, and what exact accounting bounds that by.

Examples:
  dpcompose lazy simulate --losses coins --rounds 1e4 --experts 10 --batch 5 \\
    --eta 0.01 --p 0.01
  dpcompose lazy simulate --losses a.csv --neighbour b.csv --batch 1 --eta 0.1 \\
    --p 0.3 --epsilon 0:0.3:0.1`;

/** `dpcompose lazy simulate`: L2P itself, many times or exactly. */
export function lazySimulateCommand(context: Context): Command {
  return printOptions(
    new Command('simulate')
      .summary('run L2P, or list its exact output distribution')
      .description(
        'Runs L2P with multiplicative weights on given or generated losses: regret and switches with 95% intervals, beside their exact means and bounds. With two neighbouring loss files, the exact output distribution and delta.',
      )
      .optionsGroup('What is run:')
      .option('--losses <L>', 'zero, coins, blocks, or a file')
      .option('--rounds <T>', 'the number of rounds (generated losses)')
      .option('--experts <D>', 'the number of experts (generated losses)')
      .option('--batch <B>', 'rounds in a batch')
      .option('--eta <ETA>', 'the learning rate')
      .option('--p <P>', 'the probability of a fake switch')
      .optionsGroup('How often:')
      .option('--runs <N>', 'how many runs (100)')
      .option('--seed <S>', 'the seed of all randomness (1)')
      .optionsGroup('Exactly:')
      .option('--neighbour <FILE>', 'losses that differ in one round')
      .option('--epsilon <E>', 'where delta is compared (0:1:0.25)'),
    FORMATS,
  )
    .addHelpText('after', EXAMPLES)
    .action(async (flags: Flags) => {
      context.ends(await lazySimulate(flags, context));
    });
}

async function lazySimulate(flags: Flags, context: Context): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(flags, FORMATS, errors);
  const { readComparison, readSimulation } = await import('./simulate-question.ts');
  if (flags.neighbour === undefined) {
    await simulated(await readSimulation(flags, errors, context.io), format, flags, context);
  } else {
    await compared(await readComparison(flags, errors, context.io), format, flags, context);
  }
  return EXIT.done;
}

async function simulated(
  task: SimulationTask,
  format: keyof Forms,
  flags: Flags,
  { io, version }: Context,
): Promise<void> {
  const { simulate } = await import('../../lazy/simulate/simulate.ts');
  await printed(
    flags,
    io,
    format,
    () =>
      withProgress(flags, io, (report) =>
        simulate(
          task,
          report &&
            ((share) => {
              report('rounds', share);
            }),
        ),
      ),
    (found) => ({
      json: async () => (await import('../../report/lazy/simulate-json.ts')).lazySimulateJson(found, task, version),
      csv: async () => (await import('../../report/lazy/simulate-csv.ts')).lazySimulateCsv(found),
      table: async (layout) =>
        (await import('../../report/lazy/simulate-table.ts')).lazySimulateTable(found, task, layout),
    }),
  );
}

async function compared(
  task: ComparisonTask,
  format: keyof Forms,
  flags: Flags,
  { io, version }: Context,
): Promise<void> {
  const { compareNeighbours } = await import('../../lazy/simulate/compare-neighbours.ts');
  await printed(
    flags,
    io,
    format,
    () => compareNeighbours(task.setting, task.losses, task.neighbour, task.epsilons),
    (found) => ({
      json: async () => (await import('../../report/lazy/exact-json.ts')).lazyExactJson(found, version),
      csv: async () => (await import('../../report/lazy/exact-csv.ts')).lazyExactCsv(found),
      table: async (layout) => (await import('../../report/lazy/exact-table.ts')).lazyExactTable(found, layout),
    }),
  );
}
