import { Command } from 'commander';
import type { SgdAnswer } from '../../composition/sgd/sgd.ts';
import { EFFORT, effortOf } from '../kit/effort-options.ts';
import { EXIT } from '../kit/exit.ts';
import { inGroup, PRINTED, type ValuesOf } from '../kit/option.ts';
import { STRICT } from '../kit/shared-options.ts';
import { commandOf, refused } from '../kit/command.ts';
import { formsOf } from '../kit/forms.ts';
import { SGD, sgdQuestion } from './question.ts';

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

const OPTIONS = { ...SGD, ...EFFORT, ...inGroup(PRINTED, STRICT) };

/** `dpcompose sgd`: what training by noisy gradients costs, or may do within a budget. */
export const sgdCommand = commandOf<SgdAnswer, ValuesOf<typeof OPTIONS>>({
  command: () =>
    new Command('sgd').description(
      'Accounting for DP-SGD: what training by clipped and noisy gradients of batches costs, along the epochs too, the smallest noise for an epsilon, or how long training may be.',
    ),
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(async (answer) => (await import('../../report/sgd.ts')).sgdOutput(answer), 'table', 'json', 'csv'),
  async read({ flags, isTyped, errors }) {
    const effort = effortOf(flags);
    const question = sgdQuestion(flags, isTyped, errors);
    const { sgd } = await import('../../composition/sgd/sgd.ts');
    return (progress) => {
      const outcome = sgd(question, { ...effort, ...(progress && { progress }) });
      if (outcome.kind === 'refusal') return refused(outcome.refusal);
      const { answer } = outcome;
      return { result: answer, warnings: answer.warnings, ...exitOf(answer) };
    };
  },
});
