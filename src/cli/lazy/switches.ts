import { Command } from 'commander';
import type { InputError } from '../../document/core/specification.ts';
import type { Switches, SwitchQuestion } from '../../lazy/accounting/switches.ts';
import { LEAST_BEYOND, transitions } from '../../lazy/core/setting.ts';
import { grouped } from '../../report/kit/prose.ts';
import { commandOf } from '../kit/command.ts';
import { formsOf } from '../kit/forms.ts';
import { readSeriesOption, type SeriesRange } from '../kit/series-option.ts';
import { UsageError } from '../kit/usage-error.ts';
import {
  NumberReader,
  RANGES,
  readMeasure,
  readSetting,
  withMeasure,
  withNumbers,
  type NumberFlags,
} from './options.ts';

interface Flags extends NumberFlags {
  readonly measure?: string;
  readonly beyond: string;
}

const BEYOND: SeriesRange = {
  flag: '--beyond',
  allowed: `a number from ${String(LEAST_BEYOND)}, down to which the laws are listed, and below 1`,
  example: '0.5,0.01,1e-6',
  contains: (value) => value.gte(LEAST_BEYOND) && value.lt(1),
  step: 'tenfold',
};

const EXAMPLES = `
With --epsilon and --delta it also finds caps: a run that is stopped from making
more resamplings than that is within the budget whatever the losses do to the
chance of a switch.

Examples:
  dpcompose lazy switches --rounds 1e6 --batch 10 --eta 6.68e-5 --p 6.68e-3
  dpcompose lazy switches --rounds 1e6 --batch 10 --eta 6.68e-5 --p 6.68e-3 \\
    --epsilon 0.1 --delta 1e-8`;

/** The law of more switches takes too long to list. */
const MOST_TRANSITIONS = 1e11;

function readQuestion(flags: Flags, errors: InputError[]): SwitchQuestion {
  const reader = new NumberReader(flags, errors);
  const setting = readSetting(reader);
  const measure = readMeasure(flags.measure, reader);
  const beyond = readSeriesOption(flags.beyond, BEYOND, errors);
  const wantsCaps = flags.epsilon !== undefined || flags.delta !== undefined;
  const epsilon = wantsCaps ? reader.required('epsilon', 'the epsilon of the budget') : undefined;
  const delta = wantsCaps ? reader.required('delta', 'the delta of the budget') : undefined;
  if (setting !== undefined && transitions(setting) > MOST_TRANSITIONS) {
    const [rounds, batch] = [grouped(setting.rounds), grouped(setting.batch)];
    const message = `${rounds} rounds in batches of ${batch} are too many to list the switches of`;
    const hint = `Take at most ${grouped(MOST_TRANSITIONS)} batches.`;
    errors.push({ code: 'too-large', path: RANGES.rounds.flag, message, hint });
  }
  if (errors.length > 0 || setting === undefined || measure === undefined) throw new UsageError(errors);
  const budget = epsilon !== undefined && delta !== undefined ? { epsilon, delta } : null;
  return { setting, measure, beyond, budget };
}

/** `dpcompose lazy switches`: how often L2P switches, and the caps that keep it within a budget. */
export const lazySwitchesCommand = commandOf<Switches, Flags>({
  command() {
    const command = new Command('switches')
      .summary('how often L2P switches, and what may be capped')
      .description(
        'The number of fake and of real switches of L2P: mean and quantiles by exact binomials; and caps on the resamplings that keep a run within a budget.',
      );
    withNumbers(command, 'What is run:', 'rounds', 'batch', 'eta', 'p', 'c');
    withNumbers(withMeasure(command), 'What is run:', 'beta', 'lambda', 'lipschitz', 'diameter')
      .optionsGroup('What is asked:')
      .option('--beyond <Q>', 'quantiles that are exceeded with at most these chances', '0.5,0.01,1e-6');
    const budget = 'the budget of the caps';
    return withNumbers(command, 'What is asked:', ['epsilon', budget], ['delta', budget]);
  },
  examples: EXAMPLES,
  forms: formsOf(
    async (switches) => (await import('../../report/lazy/switches.ts')).lazySwitchesOutput(switches),
    'table',
    'json',
  ),
  async read({ flags, errors }) {
    const question = readQuestion(flags, errors);
    const { switches } = await import('../../lazy/accounting/switches.ts');
    return () => ({ result: switches(question) });
  },
});
