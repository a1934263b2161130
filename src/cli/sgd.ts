import type { SchemeVerdict } from '../composition/core/sampler-verdict.ts';
import type { BatchLog } from '../composition/sgd/batch-log.ts';
import type { LogVerdicts } from '../composition/sgd/sampler-tests.ts';
import type { SchemeComparison } from '../composition/sgd/scheme-comparison.ts';
import type { SgdAnswer } from '../composition/sgd/sgd.ts';
import type { Rational } from '../numeric/rational.ts';
import type { InputError } from '../document/core/specification.ts';
import type { Output } from '../output/kit/page.ts';
import { commandOf, formsOf, type Invocation } from './kit/command.ts';
import { EXIT, type Io } from './kit/io.ts';
import { covered, refused } from './kit/refusal.ts';
import { EFFORT, effortOf, STRICT } from './kit/shared-options.ts';
import { readSource, unreadableText } from './kit/source.ts';
import { conflict, UsageError } from './kit/usage-error.ts';
import {
  asksForAccount,
  comparedQuestion,
  claimedBatches,
  SGD,
  sgdQuestion,
  strayWeights,
  type SgdFlags,
} from './sgd-question.ts';

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
--tuning adds what a hyperparameter search costs that makes a random number of
such runs and releases only the best. Laws: poisson mean=M, geometric mean=M,
logarithmic gamma=G, negative-binomial shape=S gamma=G,
binomial trials=N rate=P, fixed count=K.
--compare-schemes computes epsilon or delta under every scheme, in one table.
--format plot or svg draws the privacy loss by epoch instead.
--batches tests recorded batches of the claimed size: one size a line, the
indices of one batch a line, [[...], [...]], or a table with a column
batch_size. Without --scheme it prints what they contradict; with a scheme that
they contradict, sgd refuses (exit code 3).
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
    --target-epsilon 2 --delta 1e-5 --scheme poisson
  dpcompose sgd --examples 60000 --batch 250 --epochs 60 \\
    --noise-multiplier 1.1 --delta 1e-5 --compare-schemes
  dpcompose sgd --examples 60000 --batch 250 --batches sizes.txt`;

/** That of a search that was ended by time or found nothing. */
function exitOf({ search, trained }: SgdAnswer): { readonly exit?: number } {
  const isFound = search === null || (search.outcome.kind === 'solved' && trained !== null);
  return isFound ? {} : { exit: EXIT.no };
}

const OPTIONS = { ...SGD, ...EFFORT, ...STRICT };

/** What is printed: an account with what recorded batches say of its scheme, the schemes side by side, or what batches say of each. */
type SgdResult =
  | { readonly kind: 'account'; readonly answer: SgdAnswer; readonly tested: SchemeVerdict | null }
  | { readonly kind: 'schemes'; readonly comparison: SchemeComparison }
  | { readonly kind: 'batches'; readonly result: LogVerdicts };

async function outputOf(result: SgdResult): Promise<Output> {
  switch (result.kind) {
    case 'account':
      return (await import('../output/sgd.ts')).sgdOutput(result.answer, result.tested);
    case 'schemes':
      return (await import('../output/sgd-schemes.ts')).sgdSchemesOutput(result.comparison);
    case 'batches':
      return (await import('../output/sgd-batches.ts')).sgdBatchesOutput(result.result);
  }
}

const WEIGHT_HINTS = { directory: 'Give a file of weights.', large: 'Give a file of fewer weights.' };
const LOG_HINTS = { directory: 'Give a file of batches.', large: 'Give the sizes of batches only, or fewer batches.' };

/** The p-value at which a scheme is contradicted. */
const THRESHOLD = 1e-6;

/** The batches of a file, as they are claimed. */
async function readLog(file: string, flags: SgdFlags, errors: readonly InputError[], io: Io): Promise<BatchLog> {
  const claim = claimedBatches(flags, errors);
  const input = await readSource(file, io, LOG_HINTS);
  const { readBatchLog } = await import('../document/batch-log-read.ts');
  const log = readBatchLog(input, claim);
  if ('problem' in log) throw unreadableText(log, file);
  return log;
}

/** The rate of the heaviest of the examples whose weights are in a file. */
async function readHeaviest(
  file: string,
  { flags, isTyped, errors, io }: Invocation<typeof OPTIONS>,
): Promise<Rational> {
  const stray = strayWeights(isTyped, flags);
  if (stray !== null) throw new UsageError([...errors, stray]);
  const claim = claimedBatches(flags, errors);
  const input = await readSource(file, io, WEIGHT_HINTS);
  const { heaviestRate } = await import('../document/weights-read.ts');
  const rate = heaviestRate(input, claim);
  if ('problem' in rate) throw unreadableText(rate, file);
  return rate;
}

/** What the batches of a file say; refused where they contradict the scheme that is claimed. */
async function examined(file: string, { flags, errors, io }: Invocation<typeof OPTIONS>): Promise<LogVerdicts> {
  const log = await readLog(file, flags, errors, io);
  const { examineAll } = await import('../composition/sgd/sampler-tests.ts');
  const result = examineAll(log, flags.significance?.toNumber() ?? THRESHOLD);
  const claimed = result.verdicts.find(({ scheme }) => scheme === flags.scheme);
  if (claimed !== undefined && claimed.verdict !== 'not-contradicted') {
    const { threshold } = result;
    throw refused({ code: 'contradicted-batches', contradicted: claimed, batch: log.batch, threshold });
  }
  return result;
}

/** `dpcompose sgd`: what training by noisy gradients costs, or may do within a budget. */
export const sgdCommand = commandOf<SgdResult, typeof OPTIONS>({
  name: 'sgd',
  about:
    'Privacy accounting for DP-SGD: epsilon or delta of a training run (and by epoch), the smallest noise multiplier for a target, or the largest number of steps; and tests of recorded batches.',
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(outputOf, 'table', 'json', 'csv', 'plot', 'svg'),
  async read(invocation) {
    const { flags, isTyped, errors, format } = invocation;
    const effort = effortOf(flags);
    const isDrawn = format === 'plot' || format === 'svg';
    if ((format === 'csv' || isDrawn) && isTyped('tuning')) {
      const form = isDrawn ? 'a chart' : 'CSV';
      errors.push(conflict('--tuning', `${form} has the rows of one run only`, 'Use --json, which has both.'));
    }
    if (flags.compareSchemes) {
      const question = { ...comparedQuestion(flags, isTyped, errors), every: isDrawn ? ('usual' as const) : null };
      const { compareSchemes } = await import('../composition/sgd/scheme-comparison.ts');
      return (progress) => ({
        result: { kind: 'schemes', comparison: compareSchemes(question, { ...effort, ...(progress && { progress }) }) },
      });
    }
    if (flags.batches !== undefined && !asksForAccount(isTyped)) {
      if (isDrawn)
        errors.push(conflict('--batches', 'tests of batches have no chart', 'Use the table, --json or csv.'));
      const result = await examined(flags.batches, invocation);
      return () => ({ result: { kind: 'batches', result } });
    }
    const heaviest = flags.weights === undefined ? null : await readHeaviest(flags.weights, invocation);
    const typed = sgdQuestion(flags, isTyped, errors, heaviest);
    const question = isDrawn ? { ...typed, every: typed.every ?? ('usual' as const) } : typed;
    const verdicts = flags.batches === undefined ? [] : (await examined(flags.batches, invocation)).verdicts;
    const tested = verdicts.find(({ scheme }) => scheme === flags.scheme) ?? null;
    const { sgd } = await import('../composition/sgd/sgd.ts');
    return (progress) => {
      const { answer } = covered(sgd(question, { ...effort, ...(progress && { progress }) }));
      return { result: { kind: 'account', answer, tested }, warnings: answer.warnings, ...exitOf(answer) };
    };
  },
});
