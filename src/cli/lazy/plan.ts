import { Argument } from 'commander';
import type { Plan, PlanProblem } from '../../learning/planning/plan.ts';
import { commandOf, formsOf, type Invocation } from '../kit/command.ts';
import { UsageError } from '../kit/usage-error.ts';
import { NumberReader, numberOptions, readConvexProblem, readExpertsProblem, readProblemName } from './options.ts';

const OPTIONS = numberOptions(
  'Target:',
  'rounds',
  ['experts', 'the number of experts (ope)'],
  ['dimension', 'the dimension (oco)'],
  'lipschitz',
  'diameter',
  ['epsilon', 'the target epsilon'],
  ['delta', 'the target delta'],
);

const EXAMPLES = `
Examples:
  dpcompose lazy plan ope --rounds 1e6 --experts 1000 --epsilon 0.1 --delta 1e-8
  dpcompose lazy plan oco --rounds 1e6 --dimension 10 --epsilon 1 --delta 1e-6`;

function readProblem({ operands: [name], ...invocation }: Invocation<typeof OPTIONS, readonly [string]>): PlanProblem {
  const { errors } = invocation;
  const reader = new NumberReader(invocation);
  const kind = readProblemName(name, errors);
  if (kind === undefined) throw new UsageError(errors);
  const problem = kind === 'ope' ? readExpertsProblem(reader) : readConvexProblem(reader);
  if (errors.length > 0 || problem === undefined) throw new UsageError(errors);
  return problem;
}

/** `dpcompose lazy plan`: parameters of L2P for a target. */
export const lazyPlanCommand = commandOf<Plan, typeof OPTIONS, readonly [string]>({
  name: 'plan',
  summary: 'parameters for a target: as published, repaired and best',
  about:
    'Parameters of L2P for a target (epsilon, delta), with audit and regret: those of the paper, those repaired to satisfy its theorem, and the best under exact accounting. Lists other learners with the same privacy.',
  operands: [new Argument('<PROBLEM>', 'ope (prediction from experts) or oco (convex optimization)')],
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(async (plan) => (await import('../../output/lazy/plan.ts')).lazyPlanOutput(plan), 'table', 'json'),
  async read(invocation) {
    const problem = readProblem(invocation);
    const { planForConvex, planForExperts } = await import('../../learning/planning/plan.ts');
    return (progress) => ({
      result: problem.problem === 'ope' ? planForExperts(problem, progress) : planForConvex(problem, progress),
    });
  },
});
