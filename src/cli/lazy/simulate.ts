import { Command } from 'commander';
import type { SimulatedRuns } from '../../lazy/simulate/simulated-runs.ts';
import type { WorstNeighbour } from '../../lazy/simulate/worst-neighbour.ts';
import type { SimulatedConvex } from './simulate-convex.ts';
import type { SearchQuestion, SimulateFlags } from './simulate-question.ts';
import { readOneOf } from '../kit/one-of.ts';
import { commandOf } from '../kit/command.ts';
import type { NeighbourComparison } from '../../lazy/simulate/compare-neighbours.ts';

const EXAMPLES = `
Losses are zero, coins (fair coins), blocks (one coin for each batch: the odd or
the even experts lose all of it), or a file with one line for each round, such
as 0,1,0.5 or [0, 1, 0.5]; - for standard input. A first line may name the
experts; then a line can be {"a": 0, "b": 1}. Files are read as a stream, of any
length.

Of generated losses --instances plays several sequences, each with --runs.

Beside them stands the (epsilon, delta) of a run with these parameters, by exact
accounting.

With --measure convex, losses are linear on a ball around the origin, with
gradients L (+-1, ..., +-1) / sqrt(K), their signs by fair coins: coins in every
round, blocks in every batch, zero none. x and y are sampled exactly.

With --neighbour, a file that differs from the first in one round, the exact law
of the output on both is listed instead, for a few batches: what it tells apart
at each --epsilon, and what exact accounting bounds that by.

With --worst-neighbour, neighbours of the losses are searched for the one that
what is seen tells apart most: exactly where all can be listed, else with --runs
(10000) that choose an event and as many that test it. Beside it stands what
accounting guarantees: how tight that is.

Examples:
  dpcompose lazy simulate --losses coins --rounds 1e4 --experts 10 --batch 5 \\
    --eta 0.01 --p 0.01
  dpcompose lazy simulate --losses a.csv --neighbour b.csv --batch 1 --eta 0.1 \\
    --p 0.3 --epsilon 0:0.3:0.1`;

const MEASURE = {
  flag: '--measure',
  words: ['experts', 'convex'],
  hint: 'Leave it out for multiplicative weights on experts.',
} as const;

/** Many runs, or the exact laws of the outputs on two neighbours. */
type Simulated =
  | { readonly kind: 'runs'; readonly runs: SimulatedRuns }
  | { readonly kind: 'convex'; readonly convex: SimulatedConvex }
  | { readonly kind: 'search'; readonly found: WorstNeighbour; readonly question: SearchQuestion }
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
      .option('--c <C>', 'x is kept with chance e^(-c - eta loss), without y')
      .optionsGroup('Linear losses on a ball:')
      .option('--measure <M>', 'experts (the usual), or convex')
      .option('--dimension <K>', 'of the ball')
      .option('--beta <BETA>', 'beta of the regularised weights')
      .option('--lambda <LAMBDA>', 'lambda of the regularised weights')
      .option('--lipschitz <L>', 'the length of every gradient (1)')
      .option('--diameter <D>', 'the diameter of the ball (1)')
      .optionsGroup('How often:')
      .option('--runs <N>', 'how many runs (100)')
      .option('--instances <N>', 'how many loss sequences (1; generated losses)')
      .option('--seed <S>', 'the seed of all randomness (1)')
      .optionsGroup('Its privacy:')
      .option('--delta <DELTA>', 'where epsilon is stated (1e-6)')
      .option('--worst-neighbour', 'search losses that are told apart most')
      .optionsGroup('Exactly:')
      .option('--neighbour <FILE>', 'losses that differ in one round')
      .option('--epsilon <E>', 'where delta is compared (0:1:0.25)'),
  examples: EXAMPLES,
  forms: {
    async table(found, { layout }) {
      switch (found.kind) {
        case 'runs':
          return (await import('../../report/lazy/simulate/simulate-table.ts')).lazySimulateTable(
            found.runs,
            await layout(),
          );
        case 'convex':
          return (await import('../../report/lazy/simulate/simulate-convex-table.ts')).lazySimulateConvexTable(
            found.convex,
            await layout(),
          );
        case 'search':
          return (await import('../../report/lazy/simulate/worst-neighbour-table.ts')).lazyWorstNeighbourTable(
            found.found,
            found.question,
            await layout(),
          );
        case 'laws':
          return (await import('../../report/lazy/simulate/exact-table.ts')).lazyExactTable(found.laws, await layout());
      }
    },
    async json(found, { version }) {
      switch (found.kind) {
        case 'runs':
          return (await import('../../report/lazy/simulate/simulate-json.ts')).lazySimulateJson(found.runs, version);
        case 'convex':
          return (await import('../../report/lazy/simulate/simulate-convex-json.ts')).lazySimulateConvexJson(
            found.convex,
            version,
          );
        case 'search':
          return (await import('../../report/lazy/simulate/worst-neighbour-json.ts')).lazyWorstNeighbourJson(
            found.found,
            found.question,
            version,
          );
        case 'laws':
          return (await import('../../report/lazy/simulate/exact-json.ts')).lazyExactJson(found.laws, version);
      }
    },
    async csv(found) {
      switch (found.kind) {
        case 'runs':
          return (await import('../../report/lazy/simulate/simulate-csv.ts')).lazySimulateCsv(found.runs);
        case 'convex':
          return (await import('../../report/lazy/simulate/simulate-convex-csv.ts')).lazySimulateConvexCsv(
            found.convex,
          );
        case 'search':
          return (await import('../../report/lazy/simulate/worst-neighbour-csv.ts')).lazyWorstNeighbourCsv(found.found);
        case 'laws':
          return (await import('../../report/lazy/simulate/exact-csv.ts')).lazyExactCsv(found.laws);
      }
    },
  },
  async read({ flags, errors, io }) {
    const { readComparison, readRuns, readSearch } = await import('./simulate-question.ts');
    const measure = readOneOf(flags.measure ?? 'experts', MEASURE, errors);
    if (measure === 'convex') {
      const { readConvex, runConvex } = await import('./simulate-convex.ts');
      const question = readConvex(flags, errors);
      return (report) => {
        const convex = runConvex(
          question,
          report &&
            ((share) => {
              report('rounds', share);
            }),
        );
        return { result: { kind: 'convex', convex } };
      };
    }
    if (flags.worstNeighbour === true) {
      const question = await readSearch(flags, errors, io);
      const { worstNeighbour } = await import('../../lazy/simulate/worst-neighbour.ts');
      return (report) => {
        const found = worstNeighbour(
          question,
          report &&
            ((share) => {
              report('search', share);
            }),
        );
        return { result: { kind: 'search', found, question } };
      };
    }
    if (flags.neighbour === undefined) {
      const question = readRuns(flags, errors);
      const { runSimulation } = await import('./simulate-runs.ts');
      return async (report) => ({ result: { kind: 'runs', runs: await runSimulation(question, io, report) } });
    }
    const { setting, losses, neighbour, epsilons } = await readComparison(flags, errors, io);
    const { compareNeighbours } = await import('../../lazy/simulate/compare-neighbours.ts');
    return () => ({ result: { kind: 'laws', laws: compareNeighbours(setting, losses, neighbour, epsilons) } });
  },
});
