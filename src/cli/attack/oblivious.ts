import { Command } from 'commander';
import { ATTACK, readRuns, repetitionFor, type SimulationFlags, reported } from './options.ts';
import { type NumberRange, requireNumberOption } from '../kit/number-option.ts';
import { UsageError } from '../kit/usage-error.ts';
import { commandOf } from '../kit/command.ts';
import type { ObliviousAttack } from '../../composition/attack/oblivious.ts';

interface Flags extends SimulationFlags {
  readonly delta?: string;
}

const DELTA: NumberRange = {
  flag: '--delta',
  allowed: 'a number from 1e-15 to 1',
  example: '0.1',
  contains: (value) => value.gte('1e-15') && value.lte(1),
};

/** Messages of both adversaries in one run. */
const MESSAGES = 4;

const EXAMPLES = `
Examples:
  dpcompose attack oblivious --delta 0.1
  dpcompose attack oblivious --delta 1e-6 --runs 100000 --json`;

/** `dpcompose attack oblivious`: what a guarantee against messages that are fixed in advance is worth. */
export const attackObliviousCommand = commandOf<ObliviousAttack, Flags>({
  command: () =>
    new Command('oblivious')
      .summary('guarantees for messages fixed in advance')
      .description(
        'Runs two adversaries against the mechanism of Henzinger, Safavi and Vadhan (footnote 1), which is (0, delta)-DP as long as all messages are fixed in advance: one who fixes them, and one who reads the first answer before the second message.',
      )
      .optionsGroup('What is attacked:')
      .option('--delta <D>', 'what the mechanism guarantees where all messages are fixed in advance')
      .optionsGroup('How it is run:')
      .addOption(ATTACK.runs())
      .addOption(ATTACK.seed()),
  examples: EXAMPLES,
  forms: {
    table: async (answer, { layout }) =>
      (await import('../../report/attack/oblivious-table.ts')).obliviousTable(answer, await layout()),
    json: async (answer, { version }) => (await import('../../report/attack/json.ts')).obliviousJson(answer, version),
  },
  async read({ flags, errors }) {
    const repetition = repetitionFor(readRuns(flags, errors), MESSAGES, errors);
    const delta = requireNumberOption(flags.delta, DELTA, 'what the mechanism guarantees', errors);
    if (errors.length > 0 || delta === undefined) throw new UsageError(errors);
    const { obliviousAttack } = await import('../../composition/attack/oblivious.ts');
    return (report) => ({ result: obliviousAttack(delta, reported(repetition, report)) });
  },
});
