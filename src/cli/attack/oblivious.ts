import { Command } from 'commander';
import type { InputError } from '../../document/core/specification.ts';
import { ATTACK, readRuns, repetitionFor, type SimulationFlags } from './options.ts';
import type { Context } from '../kit/context.ts';
import { layoutFor, openDestination } from '../kit/destination.ts';
import { EXIT } from '../kit/exit.ts';
import { readFormat } from '../kit/format.ts';
import { readNumberOption, type NumberRange } from '../kit/number-option.ts';
import { withProgress } from '../kit/progress.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { printOptions } from '../kit/print-options.ts';

interface Flags extends PrintFlags, SimulationFlags {
  readonly delta?: string;
}

const FORMATS = ['table', 'json'] as const;

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
export function attackObliviousCommand(context: Context): Command {
  return printOptions(
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
    FORMATS,
  )
    .addHelpText('after', EXAMPLES)
    .action(async (flags: Flags) => {
      context.ends(await attack(flags, context));
    });
}

async function attack(flags: Flags, { io, version }: Context): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(flags, FORMATS, errors);
  const repetition = repetitionFor(readRuns(flags, errors), MESSAGES, errors);
  const delta = flags.delta === undefined ? undefined : readNumberOption(flags.delta, DELTA, errors);
  if (flags.delta === undefined) {
    const message = 'what the mechanism guarantees is not given';
    errors.push({ code: 'missing-option', path: '--delta', message, hint: 'For example: --delta 0.1' });
  }
  if (errors.length > 0 || delta === undefined) throw new UsageError(errors);
  const put = await openDestination(flags, io);
  const { obliviousAttack } = await import('../../composition/attack/oblivious.ts');
  const answer = withProgress(flags, io, (report) =>
    obliviousAttack(delta, repetition && { ...repetition, progress: (share) => report?.('runs', share) }),
  );
  if (put === null) return EXIT.done;
  if (format === 'json') {
    const { obliviousJson } = await import('../../report/attack/json.ts');
    await put(obliviousJson(answer, version));
  } else {
    const { obliviousTable } = await import('../../report/attack/oblivious-table.ts');
    await put(obliviousTable(answer, await layoutFor(flags, io)));
  }
  return EXIT.done;
}
