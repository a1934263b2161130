import { Command } from 'commander';
import { NumberReader, type NumberFlags } from './options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { commandOf } from '../kit/command.ts';
import type { LowerBound42 } from '../../lazy/theorems/theorem-4-2.ts';

const EXAMPLES = `
Example:
  dpcompose lazy lower-bound --rounds 1e6 --experts 1000 --epsilon 0.01`;

/** `dpcompose lazy lower-bound`: the lower bound on regret with limited switching, and its conditions. */
export const lazyLowerBoundCommand = commandOf<LowerBound42, NumberFlags>({
  command: () =>
    new Command('lower-bound')
      .summary('the lower bound on the regret of lazy algorithms')
      .description(
        'What Theorem 4.2 claims for epsilon^2-concentrated DP prediction from experts with limited switching: its stated condition, those its proof needs, its construction and the bound with a constant.',
      )
      .optionsGroup('What is asked:')
      .option('--rounds <T>', 'the number of rounds')
      .option('--experts <D>', 'the number of experts')
      .option('--epsilon <E>', 'the algorithm is epsilon^2-concentrated DP'),
  examples: EXAMPLES,
  forms: {
    table: async (bound, { layout }) =>
      (await import('../../report/lazy/lower-bound-table.ts')).lazyLowerBoundTable(bound, await layout()),
    json: async (bound, { version }) =>
      (await import('../../report/lazy/lower-bound-json.ts')).lazyLowerBoundJson(bound, version),
    csv: async (bound) => (await import('../../report/lazy/lower-bound-csv.ts')).lazyLowerBoundCsv(bound),
  },
  async read({ flags, errors }) {
    const reader = new NumberReader(flags, errors);
    const rounds = reader.required('rounds', 'the number of rounds T')?.toNumber();
    const experts = reader.required('experts', 'the number of experts d')?.toNumber();
    const epsilon = reader.required('epsilon', 'epsilon');
    if (errors.length > 0 || rounds === undefined || experts === undefined || epsilon === undefined) {
      throw new UsageError(errors);
    }
    const { theorem42 } = await import('../../lazy/theorems/theorem-4-2.ts');
    return () => ({ result: theorem42({ rounds, experts, epsilon }) });
  },
});
