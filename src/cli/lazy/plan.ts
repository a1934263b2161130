import { Command } from 'commander';
import type { PlanProblem, Plan } from '../../lazy/planning/plan.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { NumberReader, readConvexProblem, readExpertsProblem, type NumberFlags } from './options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { commandOf } from '../kit/command.ts';

const EXAMPLES = `
Examples:
  dpcompose lazy plan ope --rounds 1e6 --experts 1000 --epsilon 0.1 --delta 1e-8
  dpcompose lazy plan oco --rounds 1e6 --dimension 10 --epsilon 1 --delta 1e-6`;

function readProblem(name: string, flags: NumberFlags, errors: InputError[]): PlanProblem {
  const reader = new NumberReader(flags, errors);
  if (name !== 'ope' && name !== 'oco') {
    const message = `must be ope or oco, got ${quote(name)}`;
    const hint = 'ope is prediction from experts, oco is convex optimisation.';
    throw new UsageError([{ code: 'unknown-value', path: 'PROBLEM', message, hint }, ...errors]);
  }
  const problem = name === 'ope' ? readExpertsProblem(reader) : readConvexProblem(reader);
  if (errors.length > 0 || problem === undefined) throw new UsageError(errors);
  return problem;
}

/** `dpcompose lazy plan`: parameters of L2P for a target. */
export const lazyPlanCommand = commandOf<Plan, NumberFlags, readonly [string]>({
  command: () =>
    new Command('plan')
      .summary('parameters for a target: printed, repaired, and the best found')
      .description(
        'Parameters of L2P for (epsilon, delta)-differential privacy, each with its audit and its regret: those the paper prints, those repaired to satisfy its theorem, and the best found under exact accounting; beside them, other learners with the same privacy.',
      )
      .argument('<PROBLEM>', 'ope (prediction from experts) or oco (convex optimisation)')
      .optionsGroup('What is asked:')
      .option('--rounds <T>', 'the number of rounds')
      .option('--experts <D>', 'the number of experts (ope)')
      .option('--dimension <D>', 'the dimension (oco)')
      .option('--lipschitz <L>', 'Lipschitz constant of the losses (oco; default 1)')
      .option('--diameter <D>', 'diameter of the set, around the origin (oco; default 1)')
      .option('--epsilon <E>', 'the target epsilon')
      .option('--delta <D>', 'the target delta'),
  examples: EXAMPLES,
  forms: {
    table: async (plan, { layout }) =>
      (await import('../../report/lazy/plan-table.ts')).lazyPlanTable(plan, await layout()),
    json: async (plan, { version }) => (await import('../../report/lazy/plan-json.ts')).lazyPlanJson(plan, version),
    csv: async (plan) => (await import('../../report/lazy/plan-csv.ts')).lazyPlanCsv(plan),
  },
  async read({ operands: [name], flags, errors }) {
    const problem = readProblem(name, flags, errors);
    const { planForConvex, planForExperts } = await import('../../lazy/planning/plan.ts');
    return (progress) => ({
      result: problem.problem === 'ope' ? planForExperts(problem, progress) : planForConvex(problem, progress),
    });
  },
});
