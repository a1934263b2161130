import { Command, Option } from 'commander';
import type { ObliviousAttack } from '../../composition/attack/oblivious.ts';
import type { ParallelAttack, ParallelQuestion } from '../../composition/attack/parallel.ts';
import type { RenyiAttack, RenyiQuestion } from '../../composition/attack/renyi.ts';
import type { Repetition } from '../../composition/attack/conversation.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { grouped } from '../../report/kit/prose.ts';
import { commandOf } from '../kit/command.ts';
import { formsOf } from '../kit/forms.ts';
import type { Context } from '../kit/context.ts';
import { readNumberOption, requireNumberOption, wholeNumber, type NumberRange } from '../kit/number-option.ts';
import type { Report } from '../kit/progress.ts';
import { readSeriesOption, type SeriesRange } from '../kit/series-option.ts';
import { UsageError } from '../kit/usage-error.ts';

/** The options of attacks, as typed. */
interface Flags {
  readonly delta?: string;
  readonly alpha?: string;
  readonly epsilon?: string;
  readonly target?: string;
  readonly instances?: string;
  readonly runs?: string;
  readonly seed?: string;
}

const MANY = ['--instances <L>', 'how many instances there may be (default: no limit)'] as const;

/** Adds how an attack is run. */
const withRuns = (command: Command): Command =>
  command
    .optionsGroup('How it is run:')
    .option('--runs <N>', 'how often to run it; 0 for none (default: 10000, fewer if each is long)')
    .option('--seed <S>', 'where the random numbers begin (default: 1)');

const INSTANCES = wholeNumber('--instances', '1000');
const SEED = wholeNumber('--seed', '7', 0);

/** The most runs there may be. */
const MOST_RUNS = 1_000_000;
const RUNS = wholeNumber('--runs', '10000', 0, MOST_RUNS);

const USUAL_RUNS = 10_000;
/** The average number of messages in all runs where --runs is not given: a second or two. */
const USUAL_MESSAGES = 1e6;
/** The most messages that may be expected in all, and in one run, which is kept in memory. */
const MOST_MESSAGES = 1e9;
const MOST_IN_ONE_RUN = 4e6;

/** Reads --instances; null for no limit. */
function readInstances({ instances }: Flags, errors: InputError[]): number | null {
  return readNumberOption(instances, INSTANCES, errors)?.toNumber() ?? null;
}

/** How often to run an attack, as asked. */
interface AskedRuns {
  /** Undefined where nothing is asked. */
  readonly runs: number | undefined;
  readonly seed: number;
}

/** Reads --runs and --seed; what is wrong goes to `errors`. */
function readRuns({ runs, seed }: Flags, errors: InputError[]): AskedRuns {
  return {
    runs: readNumberOption(runs, RUNS, errors)?.toNumber(),
    seed: readNumberOption(seed, SEED, errors)?.toNumber() ?? 1,
  };
}

/**
 * How often to run an attack whose runs take `messages` on average; null for not at all: none is asked for, or --runs
 * is not given and one run is too long. `shorter` is the advice on how to make runs shorter. Where as many runs as are
 * asked for are too long, that goes to `errors`.
 */
function repetitionFor(
  { runs, seed }: AskedRuns,
  messages: number,
  errors: InputError[],
  shorter = 'limit --instances, such as --instances 1000',
): Pick<Repetition, 'runs' | 'seed'> | null {
  if (runs === 0) return null;
  const possible = messages <= MOST_IN_ONE_RUN ? Math.floor(MOST_MESSAGES / messages) : 0;
  if (runs === undefined) {
    return possible === 0
      ? null
      : { runs: Math.min(USUAL_RUNS, Math.max(1, Math.floor(USUAL_MESSAGES / messages))), seed };
  }
  if (runs <= possible) return { runs, seed };
  errors.push({
    code: 'out-of-range',
    path: '--runs',
    message:
      possible === 0
        ? `one run would take about ${about(messages)} messages, which is too many to simulate, got ${quote(String(runs))}`
        : `must be at most ${grouped(possible)} here, as each run takes about ${about(messages)} messages, got ${quote(String(runs))}`,
    hint:
      possible === 0
        ? `${shorter[0]?.toUpperCase() ?? ''}${shorter.slice(1)}, or take --runs 0 for what is expected without a simulation.`
        : `Lower it, ${shorter}, or take --runs 0 for what is expected without a simulation.`,
  });
  return null;
}

/** A repetition that reports its runs; null for none. */
const reported = (repetition: Pick<Repetition, 'runs' | 'seed'> | null, report: Report | undefined) =>
  repetition && { ...repetition, progress: (share: number) => report?.('runs', share) };

const about = (messages: number): string =>
  messages < 1e15 ? grouped(Math.round(messages)) : messages.toExponential(1);

const DELTAS: SeriesRange = {
  flag: '--delta',
  allowed: 'a number above 0 and at most 1',
  example: '0.1',
  contains: (value) => value.gt(0) && value.lte(1),
  step: 'tenfold',
};

const PARALLEL_EXAMPLES = `
The adversary really converses with the composition: it creates instances by
messages, each message passes the verification function, and the secret bit is
kept from it. The same seed gives the same conversations.

Examples:
  dpcompose attack parallel --delta 0.1 --instances 3
  dpcompose attack parallel --delta 0.1                    any number of instances
  dpcompose attack parallel --delta 1e-3,2e-3,5e-4         instances that differ
  dpcompose attack parallel --delta 1e-9 --instances 1e9   too many to simulate`;

function readParallel(flags: Flags, errors: InputError[]): ParallelQuestion {
  const deltas = flags.delta === undefined ? [] : readSeriesOption(flags.delta, DELTAS, errors);
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
const attackParallelCommand = commandOf<ParallelAttack, Flags>({
  command: () =>
    withRuns(
      new Command('parallel')
        .summary('approximate continual mechanisms in parallel')
        .description(
          'Runs the adversary of Henzinger, Safavi and Vadhan (Thm 5.2) against (0, delta)-DP continual mechanisms in parallel of which one may receive different data, and compares what it learns with 1 - prod(1 - delta).',
        )
        .optionsGroup('What is attacked:')
        .option('--delta <D>', 'the delta of each instance; or a list, one for each')
        .addOption(new Option('--epsilon <E>').hideHelp())
        .option(...MANY),
    ),
  examples: PARALLEL_EXAMPLES,
  forms: formsOf(async (answer) => (await import('../../report/attack.ts')).parallelOutput(answer), 'table', 'json'),
  async read({ flags, errors }) {
    const asked = readRuns(flags, errors);
    const question = readParallel(flags, errors);
    if (errors.length > 0) throw new UsageError(errors);
    const { meanMessagesOf, parallelAttack } = await import('../../composition/attack/parallel.ts');
    const repetition = repetitionFor(asked, meanMessagesOf(question), errors, shorterRuns(question));
    return (report) => ({ result: parallelAttack(question, reported(repetition, report)) });
  },
});

const ALPHA: NumberRange = {
  flag: '--alpha',
  allowed: 'a number from 1.001 to 100',
  example: '2',
  contains: (value) => value.gte('1.001') && value.lte(100),
};

const EPSILON: NumberRange = {
  flag: '--epsilon',
  allowed: 'a number from 1e-9 to 100',
  example: '1',
  contains: (value) => value.gte('1e-9') && value.lte(100),
};

const TARGET: NumberRange = {
  flag: '--target',
  allowed: 'a number above 0 and at most 100',
  example: '10',
  contains: (value) => value.gt(0) && value.lte(100),
};

/** The target, where none is given: one that the printed constants miss, and that is more than a mechanism has. */
const usualTarget = (epsilon: Decimal): Decimal => Decimal.max(6, Decimal.min(100, epsilon.times(2)));

const RENYI_EXAMPLES = `
Examples:
  dpcompose attack renyi --alpha 2 --epsilon 1 --target 10
  dpcompose attack renyi --alpha 8 --epsilon 0.5 --instances 1000 --json
  dpcompose attack renyi --alpha 2 --epsilon 1 --target 3 --runs 2000 --seed 5`;

function readRenyi(flags: Flags, errors: InputError[]): RenyiQuestion {
  const read = (text: string | undefined, range: NumberRange, what: string): Decimal =>
    requireNumberOption(text, range, what, errors) ?? new Decimal(range.example);
  const alpha = read(flags.alpha, ALPHA, 'the order of the Renyi divergence');
  const epsilon = read(flags.epsilon, EPSILON, 'the divergence that each mechanism may have');
  const target = flags.target === undefined ? usualTarget(epsilon) : read(flags.target, TARGET, 'the target');
  return { alpha, epsilon, target, instances: readInstances(flags, errors) };
}

/** `dpcompose attack renyi`: what Renyi-private continual mechanisms in parallel reveal. */
const attackRenyiCommand = commandOf<RenyiAttack, Flags>({
  command: () =>
    withRuns(
      new Command('renyi')
        .summary('Renyi-private continual mechanisms in parallel')
        .description(
          'Runs the adversary of Henzinger, Safavi and Vadhan (Thm 13.5) against (alpha, epsilon)-RDP continual mechanisms in parallel of which one may receive different data: its view has a divergence above any target. The constants printed in the paper stand beside those that prove it.',
        )
        .optionsGroup('What is attacked:')
        .option('--alpha <A>', 'the order of the Renyi divergence')
        .option('--epsilon <E>', 'the divergence that each mechanism may have')
        .option('--target <E>', 'the divergence that the view is to exceed (default: 6, or twice epsilon)')
        .option(...MANY),
    ),
  examples: RENYI_EXAMPLES,
  forms: formsOf(async (answer) => (await import('../../report/attack.ts')).renyiOutput(answer), 'table', 'json'),
  async read({ flags, errors }) {
    const asked = readRuns(flags, errors);
    const question = readRenyi(flags, errors);
    if (errors.length > 0) throw new UsageError(errors);
    const { renyiAttack, renyiExpectations } = await import('../../composition/attack/renyi.ts');
    const expected = renyiExpectations(question);
    const repetition = repetitionFor(asked, expected.messages.upper.toNumber(), errors);
    return (report) => ({ result: renyiAttack(expected, reported(repetition, report)) });
  },
});

const OBLIVIOUS_DELTA: NumberRange = {
  flag: '--delta',
  allowed: 'a number from 1e-15 to 1',
  example: '0.1',
  contains: (value) => value.gte('1e-15') && value.lte(1),
};

/** Messages of both adversaries in one run. */
const OBLIVIOUS_MESSAGES = 4;

const OBLIVIOUS_EXAMPLES = `
Examples:
  dpcompose attack oblivious --delta 0.1
  dpcompose attack oblivious --delta 1e-6 --runs 100000 --json`;

/** `dpcompose attack oblivious`: what a guarantee against messages that are fixed in advance is worth. */
const attackObliviousCommand = commandOf<ObliviousAttack, Flags>({
  command: () =>
    withRuns(
      new Command('oblivious')
        .summary('guarantees for messages fixed in advance')
        .description(
          'Runs two adversaries against the mechanism of Henzinger, Safavi and Vadhan (footnote 1), which is (0, delta)-DP as long as all messages are fixed in advance: one who fixes them, and one who reads the first answer before the second message.',
        )
        .optionsGroup('What is attacked:')
        .option('--delta <D>', 'what the mechanism guarantees where all messages are fixed in advance'),
    ),
  examples: OBLIVIOUS_EXAMPLES,
  forms: formsOf(async (answer) => (await import('../../report/attack.ts')).obliviousOutput(answer), 'table', 'json'),
  async read({ flags, errors }) {
    const repetition = repetitionFor(readRuns(flags, errors), OBLIVIOUS_MESSAGES, errors);
    const delta = requireNumberOption(flags.delta, OBLIVIOUS_DELTA, 'what the mechanism guarantees', errors);
    if (errors.length > 0 || delta === undefined) throw new UsageError(errors);
    const { obliviousAttack } = await import('../../composition/attack/oblivious.ts');
    return (report) => ({ result: obliviousAttack(delta, reported(repetition, report)) });
  },
});

const EXAMPLES = `
Examples:
  dpcompose attack parallel --delta 0.1 --instances 3
  dpcompose attack renyi --alpha 2 --epsilon 1 --target 10
  dpcompose attack oblivious --delta 0.1`;

/** `dpcompose attack`: runs the attacks by which compositions are refused. */
export function attackCommand(context: Context): Command {
  const command = new Command('attack')
    .description('Carries out the attacks for which compositions of continual mechanisms are refused.')
    .addHelpText('after', EXAMPLES);
  for (const create of [attackParallelCommand, attackRenyiCommand, attackObliviousCommand]) {
    command.addCommand(create(context));
  }
  return command;
}
