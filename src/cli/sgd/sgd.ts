import { Command, Option } from 'commander';
import type { SgdAnswer } from '../../composition/sgd/sgd.ts';
import { readEffortOptions, type EffortFlags } from '../kit/effort-options.ts';
import { EXIT } from '../kit/exit.ts';
import { offering } from '../kit/offered-values.ts';
import { SHARED } from '../kit/shared-options.ts';
import { RISK_OPTIONS } from '../kit/risk-flags.ts';
import { commandOf, refused } from '../kit/command.ts';
import { readSgdQuestion, SCHEMES, type SgdFlags } from './question.ts';

const EXAMPLES = `
How batches are drawn decides what training costs, so it has no default:
  poisson              every example is in a batch with probability B/N, on its
                       own; neighbours have one example more or less
  without-replacement  exactly B of N, drawn anew for every step; neighbours have
                       one example replaced
  shuffled             the batches of a permuted list: refused, with what they
                       cost at least
What is asked follows from what is given:
  noise and length     what they cost: epsilon at --delta, delta at --epsilon
  length and a target  the smallest noise multiplier
  noise and a target   the largest number of steps
A target is --target-epsilon with --delta, --max-advantage, or one --max-tpr.
The noise multiplier is the deviation of the noise on the sum of gradients over
the norm to which each of them is clipped.

Exit codes: 0 if there is an answer; 1 if no noise or not one step fits, or if
time was up before.

Examples:
  dpcompose sgd --examples 60000 --batch 256 --epochs 60 \\
    --noise-multiplier 1.1 --delta 1e-5 --scheme poisson
  dpcompose sgd --examples 60000 --batch 256 --epochs 60 --target-epsilon 2 \\
    --delta 1e-5 --scheme poisson
  dpcompose sgd --examples 60000 --batch 256 --noise-multiplier 1.1 \\
    --target-epsilon 2 --delta 1e-5 --scheme poisson`;

/** That of a search that was ended by time or found nothing. */
function exitOf({ search, trained }: SgdAnswer): { readonly exit?: number } {
  const isFound = search === null || (search.outcome.kind === 'solved' && trained !== null);
  return isFound ? {} : { exit: EXIT.no };
}

/** `dpcompose sgd`: what training by noisy gradients costs, or may do within a budget. */
export const sgdCommand = commandOf<SgdAnswer, SgdFlags & EffortFlags>({
  command: () =>
    new Command('sgd')
      .description(
        'Accounting for DP-SGD: what training by clipped and noisy gradients of batches costs, along the epochs too, the smallest noise for an epsilon, or how long training may be.',
      )
      .optionsGroup('What is trained:')
      .option('--examples <N>', 'the number of training examples')
      .option('--batch <B>', 'examples in a batch; of Poisson samples on the average')
      .addOption(offering(new Option('--scheme <SCHEME>', SCHEMES.join(', ')), () => SCHEMES))
      .option('--epochs <E>', 'passes over the examples, also parts of them; steps are rounded up')
      .option('--steps <T>', 'batches')
      .option('--noise-multiplier <S>', 'the deviation of the noise over the clipping norm')
      .optionsGroup('What is asked:')
      .option('--delta <D>', 'the smallest epsilon at this delta')
      .option('--epsilon <E>', 'the smallest delta at this epsilon')
      .option('--target-epsilon <E>', 'the smallest noise, or the longest training, for this epsilon at --delta')
      .addOption(RISK_OPTIONS.advantage())
      .addOption(RISK_OPTIONS.rate())
      .option('--every <E>', 'a row for the cost after each E epochs (of a cost by default up to 20)')
      .optionsGroup('How it is computed:')
      .addOption(SHARED.tolerance())
      .addOption(SHARED.maxSeconds()),
  examples: EXAMPLES,
  printing: () => [SHARED.strict()],
  forms: {
    table: async (answer, { layout }) => (await import('../../report/sgd/table.ts')).sgdTable(answer, await layout()),
    json: async (answer, { version }) => (await import('../../report/sgd/json.ts')).sgdJson(answer, version),
    csv: async (answer) => (await import('../../report/sgd/csv.ts')).sgdCsv(answer),
  },
  async read({ flags, errors }) {
    const effort = readEffortOptions(flags, errors);
    const question = readSgdQuestion(flags, errors);
    const { sgd } = await import('../../composition/sgd/sgd.ts');
    return (progress) => {
      const outcome = sgd(question, { ...effort, ...(progress && { progress }) });
      if (outcome.kind === 'refusal') return refused(outcome.refusal);
      const { answer } = outcome;
      return { result: answer, warnings: answer.warnings, ...exitOf(answer) };
    };
  },
});
