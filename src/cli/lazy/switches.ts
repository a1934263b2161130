import type { Switches, SwitchQuestion } from '../../learning/accounting/switches.ts';
import { LEAST_BEYOND, transitions } from '../../learning/core/setting.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { grouped } from '../../output/kit/prose.ts';
import { commandOf, formsOf, type Invocation } from '../kit/command.ts';
import { inGroup, seriesOption } from '../kit/option.ts';
import { ranged } from '../kit/number-option.ts';
import { UsageError } from '../kit/usage-error.ts';
import { MEASURE, NumberReader, numberOptions, readMeasure, readSetting } from './options.ts';

const BEYOND = ranged({
  allowed: `a number from ${String(LEAST_BEYOND)}, down to which the laws are listed, and below 1`,
  contains: (value) => value.gte(LEAST_BEYOND) && value.lt(1),
});
const USUAL_BEYOND = ['0.5', '0.01', '1e-6'].map((chance) => new Decimal(chance));

const BUDGET = 'budget of the caps';

const OPTIONS = {
  ...numberOptions('Algorithm:', 'rounds', 'batch', 'eta', 'p', 'c'),
  ...inGroup('Algorithm:', { measure: MEASURE }),
  ...numberOptions('Algorithm:', 'beta', 'lambda', 'lipschitz', 'diameter'),
  ...inGroup('Target:', {
    beyond: seriesOption('--beyond <Q>', 'upper tail probabilities of the quantiles (default: 0.5,0.01,1e-6)', BEYOND, {
      example: '0.5,0.01,1e-6',
      step: 'tenfold',
    }),
  }),
  ...numberOptions('Target:', ['epsilon', BUDGET], ['delta', BUDGET]),
};

const EXAMPLES = `
With --epsilon and --delta, it also finds caps. A run that never resamples more
often than its cap is within the budget, whatever the losses.

Examples:
  dpcompose lazy switches --rounds 1e6 --batch 10 --eta 6.68e-5 --p 6.68e-3
  dpcompose lazy switches --rounds 1e6 --batch 10 --eta 6.68e-5 --p 6.68e-3 \\
    --epsilon 0.1 --delta 1e-8`;

/** The law of more switches takes too long to list. */
const MOST_TRANSITIONS = 1e11;

function readQuestion(invocation: Invocation<typeof OPTIONS>): SwitchQuestion {
  const { flags, isTyped, errors } = invocation;
  const reader = new NumberReader(invocation);
  const setting = readSetting(reader);
  const measure = readMeasure(flags.measure, reader);
  const { beyond = USUAL_BEYOND } = flags;
  const wantsCaps = isTyped('epsilon') || isTyped('delta');
  const epsilon = wantsCaps ? reader.required('epsilon', 'epsilon of the budget') : undefined;
  const delta = wantsCaps ? reader.required('delta', 'delta of the budget') : undefined;
  if (setting !== undefined && transitions(setting) > MOST_TRANSITIONS) {
    const [rounds, batch] = [grouped(setting.rounds), grouped(setting.batch)];
    const message = `${rounds} rounds in batches of ${batch} are too many to list the switches of`;
    const hint = `Take at most ${grouped(MOST_TRANSITIONS)} batches.`;
    errors.push({ code: 'too-large', path: '--rounds', message, hint });
  }
  if (errors.length > 0 || setting === undefined || measure === undefined) throw new UsageError(errors);
  const budget = epsilon !== undefined && delta !== undefined ? { epsilon, delta } : null;
  return { setting, measure, beyond, budget };
}

/** `dpcompose lazy switches`: how often L2P switches, and the caps that keep it within a budget. */
export const lazySwitchesCommand = commandOf<Switches, typeof OPTIONS>({
  name: 'switches',
  summary: 'number of switches of L2P, and caps for a budget',
  about:
    'Number of fake and real switches of L2P: mean and quantiles by exact binomials, and caps on resamplings that keep a run within a budget.',
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(
    async (switches) => (await import('../../output/lazy/switches.ts')).lazySwitchesOutput(switches),
    'table',
    'json',
  ),
  async read(invocation) {
    const question = readQuestion(invocation);
    const { switches } = await import('../../learning/accounting/switches.ts');
    return () => ({ result: switches(question) });
  },
});
