import type { SgdAnswer } from '../composition/sgd/sgd.ts';
import { commandOf, formsOf } from './kit/command.ts';
import { EXIT } from './kit/io.ts';
import { covered } from './kit/refusal.ts';
import { EFFORT, effortOf, STRICT } from './kit/shared-options.ts';
import { SGD, sgdQuestion } from './sgd-question.ts';

const EXAMPLES = `
The sampling scheme changes epsilon, so it has no default:
  poisson              Poisson subsampling: each example is in the batch with
                       probability B/N, independently; add/remove neighbors
  without-replacement  fixed-size subsampling: exactly B of N, drawn anew for
                       each step; replace-one neighbors
  random-allocation    each example is in exactly one of the N/B batches of an
                       epoch, drawn anew for every epoch; whole epochs;
                       add/remove neighbors
  shuffled             batches of a shuffled list: refused, with a lower bound
The options decide what sgd computes:
  noise and length     epsilon at --delta, or delta at --epsilon
  length and a target  smallest noise multiplier
  noise and a target   largest number of steps
A target is --target-epsilon with --delta, --max-advantage, or one --max-tpr.
The noise multiplier is the standard deviation of the noise on the sum of
clipped gradients, divided by the clipping norm.

Exit codes: 0 if there is an answer; 1 if no noise or no step meets the target,
or if time ran out.

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

const OPTIONS = { ...SGD, ...EFFORT, ...STRICT };

/** `dpcompose sgd`: what training by noisy gradients costs, or may do within a budget. */
export const sgdCommand = commandOf<SgdAnswer, typeof OPTIONS>({
  name: 'sgd',
  about:
    'Privacy accounting for DP-SGD: epsilon or delta of a training run (and by epoch), the smallest noise multiplier for a target, or the largest number of steps.',
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(async (answer) => (await import('../output/sgd.ts')).sgdOutput(answer), 'table', 'json', 'csv'),
  async read({ flags, isTyped, errors }) {
    const effort = effortOf(flags);
    const question = sgdQuestion(flags, isTyped, errors);
    const { sgd } = await import('../composition/sgd/sgd.ts');
    return (progress) => {
      const { answer } = covered(sgd(question, { ...effort, ...(progress && { progress }) }));
      return { result: answer, warnings: answer.warnings, ...exitOf(answer) };
    };
  },
});
