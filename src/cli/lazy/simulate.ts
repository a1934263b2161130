import { Command } from 'commander';
import type { SimulationTask, Simulation } from '../../lazy/simulate/simulate.ts';
import type { SimulateFlags } from './simulate-question.ts';
import { commandOf } from '../kit/command.ts';
import type { NeighbourComparison } from '../../lazy/simulate/compare-neighbours.ts';

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

/** Many runs, or the exact laws of the outputs on two neighbours. */
type Simulated =
  | { readonly kind: 'runs'; readonly runs: Simulation; readonly task: SimulationTask }
  | { readonly kind: 'laws'; readonly laws: NeighbourComparison };

/** `dpcompose lazy simulate`: L2P itself, many times or exactly. */
export const lazySimulateCommand = commandOf<Simulated, SimulateFlags>({
  command: () =>
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
  examples: EXAMPLES,
  forms: {
    table: async (found, { layout }) =>
      found.kind === 'runs'
        ? (await import('../../report/lazy/simulate-table.ts')).lazySimulateTable(
            found.runs,
            found.task,
            await layout(),
          )
        : (await import('../../report/lazy/exact-table.ts')).lazyExactTable(found.laws, await layout()),
    json: async (found, { version }) =>
      found.kind === 'runs'
        ? (await import('../../report/lazy/simulate-json.ts')).lazySimulateJson(found.runs, found.task, version)
        : (await import('../../report/lazy/exact-json.ts')).lazyExactJson(found.laws, version),
    csv: async (found) =>
      found.kind === 'runs'
        ? (await import('../../report/lazy/simulate-csv.ts')).lazySimulateCsv(found.runs)
        : (await import('../../report/lazy/exact-csv.ts')).lazyExactCsv(found.laws),
  },
  async read({ flags, errors, io }) {
    const { readComparison, readSimulation } = await import('./simulate-question.ts');
    if (flags.neighbour === undefined) {
      const task = await readSimulation(flags, errors, io);
      const { simulate } = await import('../../lazy/simulate/simulate.ts');
      return (report) => {
        const runs = simulate(
          task,
          report &&
            ((share) => {
              report('rounds', share);
            }),
        );
        return { result: { kind: 'runs', runs, task } };
      };
    }
    const { setting, losses, neighbour, epsilons } = await readComparison(flags, errors, io);
    const { compareNeighbours } = await import('../../lazy/simulate/compare-neighbours.ts');
    return () => ({ result: { kind: 'laws', laws: compareNeighbours(setting, losses, neighbour, epsilons) } });
  },
});
