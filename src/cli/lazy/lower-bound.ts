import { Command } from 'commander';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { EXIT } from '../kit/exit.ts';
import { readFormat } from '../kit/format.ts';
import { NumberReader, type NumberFlags } from './options.ts';
import { printed } from './print.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { printOptions } from '../kit/print-options.ts';

type Flags = NumberFlags & PrintFlags;

const FORMATS = ['table', 'json', 'csv'] as const;

const EXAMPLES = `
Example:
  dpcompose lazy lower-bound --rounds 1e6 --experts 1000 --epsilon 0.01`;

/** `dpcompose lazy lower-bound`: the lower bound on regret with limited switching, and its conditions. */
export function lazyLowerBoundCommand(context: Context): Command {
  return printOptions(
    new Command('lower-bound')
      .summary('the lower bound on the regret of lazy algorithms')
      .description(
        'What Theorem 4.2 claims for epsilon^2-concentrated DP prediction from experts with limited switching: its stated condition, those its proof needs, its construction and the bound with a constant.',
      )
      .optionsGroup('What is asked:')
      .option('--rounds <T>', 'the number of rounds')
      .option('--experts <D>', 'the number of experts')
      .option('--epsilon <E>', 'the algorithm is epsilon^2-concentrated DP'),
    FORMATS,
  )
    .addHelpText('after', EXAMPLES)
    .action(async (flags: Flags) => {
      context.ends(await lazyLowerBound(flags, context));
    });
}

async function lazyLowerBound(flags: Flags, { io, version }: Context): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(flags, FORMATS, errors);
  const reader = new NumberReader(flags, errors);
  const rounds = reader.required('rounds', 'the number of rounds T')?.toNumber();
  const experts = reader.required('experts', 'the number of experts d')?.toNumber();
  const epsilon = reader.required('epsilon', 'epsilon');
  if (errors.length > 0 || rounds === undefined || experts === undefined || epsilon === undefined) {
    throw new UsageError(errors);
  }
  const { theorem42 } = await import('../../lazy/theorems/theorem-4-2.ts');
  await printed(
    flags,
    io,
    format,
    () => theorem42({ rounds, experts, epsilon }),
    (bound) => ({
      json: async () => (await import('../../report/lazy/lower-bound-json.ts')).lazyLowerBoundJson(bound, version),
      csv: async () => (await import('../../report/lazy/lower-bound-csv.ts')).lazyLowerBoundCsv(bound),
      table: async (layout) =>
        (await import('../../report/lazy/lower-bound-table.ts')).lazyLowerBoundTable(bound, layout),
    }),
  );
  return EXIT.done;
}
