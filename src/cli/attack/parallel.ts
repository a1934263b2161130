import { Command, Option } from 'commander';
import type { ParallelAttack, ParallelQuestion } from '../../composition/attack/parallel.ts';
import type { InputError } from '../../document/core/specification.ts';
import {
  ATTACK,
  readInstances,
  readRuns,
  repetitionFor,
  type InstancesFlags,
  type SimulationFlags,
  reported,
} from './options.ts';
import { readSeriesOption, type SeriesRange } from '../kit/series-option.ts';
import { UsageError } from '../kit/usage-error.ts';
import { commandOf } from '../kit/command.ts';

interface Flags extends InstancesFlags, SimulationFlags {
  readonly delta?: string;
  /** Taken only to say that it has no meaning here. */
  readonly epsilon?: string;
}

const DELTA: SeriesRange = {
  flag: '--delta',
  allowed: 'a number above 0 and at most 1',
  example: '0.1',
  contains: (value) => value.gt(0) && value.lte(1),
  step: 'tenfold',
};

const EXAMPLES = `
The adversary really converses with the composition: it creates instances by
messages, each message passes the verification function, and the secret bit is
kept from it. The same seed gives the same conversations.

Examples:
  dpcompose attack parallel --delta 0.1 --instances 3
  dpcompose attack parallel --delta 0.1                    any number of instances
  dpcompose attack parallel --delta 1e-3,2e-3,5e-4         instances that differ
  dpcompose attack parallel --delta 1e-9 --instances 1e9   too many to simulate`;

function readQuestion(flags: Flags, errors: InputError[]): ParallelQuestion {
  const deltas = flags.delta === undefined ? [] : readSeriesOption(flags.delta, DELTA, errors);
  const instances = readInstances(flags, errors);
  if (flags.epsilon !== undefined) {
    const message = 'instances here are (0, delta)-DP: only --delta is taken';
    errors.push({ code: 'unknown-option', path: '--epsilon', message, hint: 'Leave it out.' });
  }
  if (flags.delta === undefined) {
    const message = 'the delta of each instance is not given';
    errors.push({ code: 'missing-option', path: '--delta', message, hint: 'For example: --delta 0.1' });
  }
  if (deltas.length > 1 && flags.instances !== undefined) {
    const message = 'a list of deltas says already how many instances there are';
    errors.push({ code: 'conflicting-options', path: '--instances', message, hint: 'Give one of them.' });
  }
  return { deltas, instances: deltas.length > 1 ? deltas.length : instances };
}

/** The advice on how to make runs shorter. */
const shorterRuns = ({ deltas }: ParallelQuestion): string =>
  deltas.length > 1 ? 'list fewer or larger deltas' : 'limit --instances, such as --instances 1000';

/** `dpcompose attack parallel`: what (0, delta)-DP continual mechanisms in parallel reveal. */
export const attackParallelCommand = commandOf<ParallelAttack, Flags>({
  command: () =>
    new Command('parallel')
      .summary('approximate continual mechanisms in parallel')
      .description(
        'Runs the adversary of Henzinger, Safavi and Vadhan (Thm 5.2) against (0, delta)-DP continual mechanisms in parallel of which one may receive different data, and compares what it learns with 1 - prod(1 - delta).',
      )
      .optionsGroup('What is attacked:')
      .option('--delta <D>', 'the delta of each instance; or a list, one for each')
      .addOption(new Option('--epsilon <E>').hideHelp())
      .addOption(ATTACK.instances())
      .optionsGroup('How it is run:')
      .addOption(ATTACK.runs())
      .addOption(ATTACK.seed()),
  examples: EXAMPLES,
  forms: {
    table: async (answer, { layout }) =>
      (await import('../../report/attack/parallel-table.ts')).parallelTable(answer, await layout()),
    json: async (answer, { version }) => (await import('../../report/attack/json.ts')).parallelJson(answer, version),
  },
  async read({ flags, errors }) {
    const asked = readRuns(flags, errors);
    const question = readQuestion(flags, errors);
    if (errors.length > 0) throw new UsageError(errors);
    const { meanMessagesOf, parallelAttack } = await import('../../composition/attack/parallel.ts');
    const repetition = repetitionFor(asked, meanMessagesOf(question), errors, shorterRuns(question));
    return (report) => ({ result: parallelAttack(question, reported(repetition, report)) });
  },
});
