import { Command } from 'commander';
import { LEAST_BEYOND, transitions, type L2pSetting } from '../../lazy/core/setting.ts';
import type { SwitchQuestion, Switches } from '../../lazy/accounting/switches.ts';
import { grouped } from '../../report/kit/prose.ts';
import type { InputError } from '../../document/core/specification.ts';
import { NumberReader, RANGES, readMeasure, readSetting, type NumberFlags } from './options.ts';
import { readSeriesOption, type SeriesRange } from '../kit/series-option.ts';
import { UsageError } from '../kit/usage-error.ts';
import { commandOf } from '../kit/command.ts';

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
    --delta1 5e-15 --epsilon 0.1 --delta 1e-8`;

/** The law of more switches takes too long to list. */
const MOST_TRANSITIONS = 1e11;

const tooMany = ({ rounds, batch }: L2pSetting): InputError => ({
  code: 'too-large',
  path: RANGES.rounds.flag,
  message: `${grouped(rounds)} rounds in batches of ${grouped(batch)} are too many to list the switches of`,
  hint: `Take at most ${grouped(MOST_TRANSITIONS)} batches.`,
});

function readQuestion(flags: Flags, errors: InputError[]): SwitchQuestion {
  const reader = new NumberReader(flags, errors);
  const setting = readSetting(reader, errors);
  const measure = readMeasure(flags.measure, reader, errors);
  const beyond = readSeriesOption(flags.beyond, BEYOND, errors);
  const delta1 = reader.optional('delta1') ?? null;
  const wantsCaps = flags.epsilon !== undefined || flags.delta !== undefined;
  const epsilon = wantsCaps ? reader.required('epsilon', 'the epsilon of the budget') : undefined;
  const delta = wantsCaps ? reader.required('delta', 'the delta of the budget') : undefined;
  if (setting !== undefined && transitions(setting) > MOST_TRANSITIONS) errors.push(tooMany(setting));
  if (errors.length > 0 || setting === undefined || measure === undefined) throw new UsageError(errors);
  const budget = epsilon !== undefined && delta !== undefined ? { epsilon, delta } : null;
  return { setting, measure, beyond, delta1, budget };
}

/** `dpcompose lazy switches`: how often L2P switches, and the caps that keep it within a budget. */
export const lazySwitchesCommand = commandOf<Switches, Flags>({
  command: () =>
    new Command('switches')
      .summary('how often L2P switches, and what may be capped')
      .description(
        'The number of fake and of real switches of L2P: mean and quantiles by exact binomials, beside the bounds that the paper uses; and caps on the resamplings that keep a run within a budget.',
      )
      .optionsGroup('What is run:')
      .option('--rounds <T>', 'the number of rounds')
      .option('--batch <B>', 'rounds in a batch')
      .option('--eta <ETA>', 'the learning rate of experts; the switching parameter')
      .option('--p <P>', 'the probability of a fake switch')
      .option('--c <C>', 'x is kept with chance e^(-c - eta loss), without y')
      .option('--measure <M>', 'experts (default), convex, or any (Assumption 3.1)')
      .option('--beta <B>', 'beta of convex losses')
      .option('--lambda <L>', 'lambda of convex losses')
      .option('--lipschitz <L>', 'Lipschitz constant of convex losses (1)')
      .option('--diameter <D>', 'diameter of their set, around the origin (1)')
      .optionsGroup('What is asked:')
      .option('--beyond <Q>', 'quantiles that are exceeded with at most these chances', '0.5,0.01,1e-6')
      .option('--delta1 <D1>', 'the delta1 of the bounds of the paper')
      .option('--epsilon <E>', 'the budget of the caps')
      .option('--delta <D>', 'the budget of the caps'),
  examples: EXAMPLES,
  forms: {
    table: async (found, { layout }) =>
      (await import('../../report/lazy/switches-table.ts')).lazySwitchesTable(found, await layout()),
    json: async (found, { version }) =>
      (await import('../../report/lazy/switches-json.ts')).lazySwitchesJson(found, version),
    csv: async (found) => (await import('../../report/lazy/switches-csv.ts')).lazySwitchesCsv(found),
  },
  async read({ flags, errors }) {
    const question = readQuestion(flags, errors);
    const { switches } = await import('../../lazy/accounting/switches.ts');
    return () => ({ result: switches(question) });
  },
});
