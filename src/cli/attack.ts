import { Command } from 'commander';
import type { Repetition } from '../composition/attack/conversation.ts';
import type { ObliviousAttack } from '../composition/attack/oblivious.ts';
import type { ParallelAttack, ParallelQuestion } from '../composition/attack/parallel.ts';
import type { RenyiAttack } from '../composition/attack/renyi.ts';
import { quote } from '../document/core/quote.ts';
import { numbersFrom } from '../privacy/mechanisms/parameters.ts';
import type { InputError } from '../document/core/specification.ts';
import { Decimal } from '../numeric/decimal.ts';
import { grouped } from '../output/kit/prose.ts';
import { commandOf, formsOf, type Invocation } from './kit/command.ts';
import type { Context } from './kit/io.ts';
import { inGroup, numberOption, parsedOption, seriesOption, wholeOption, type ValuesOf } from './kit/option.ts';
import { ranged } from './kit/number-option.ts';
import type { Report } from './kit/progress.ts';
import { UsageError, conflict } from './kit/usage-error.ts';

const ATTACKED = 'Composition under attack:';

const INSTANCES = wholeOption('--instances <L>', 'number of instances (default: no limit)', '1000');

/** The most runs there may be. */
const MOST_RUNS = 1_000_000;

/** The options of how an attack is run. */
const RUNS = inGroup('Simulation:', {
  runs: wholeOption('--runs <N>', 'number of simulated runs; 0 for none (default: up to 10000)', '10000', 0, MOST_RUNS),
  seed: wholeOption('--seed <S>', 'random seed (default: 1)', '7', 0),
});

const USUAL_RUNS = 10_000;
/** The average number of messages in all runs where --runs is not given: a second or two. */
const USUAL_MESSAGES = 1e6;
/** The most messages that may be expected in all, and in one run, which is kept in memory. */
const MOST_MESSAGES = 1e9;
const MOST_IN_ONE_RUN = 4e6;

/**
 * How often to run an attack whose runs take `messages` on average; null for not at all: none is asked for, or --runs
 * is not given and one run is too long. `shorter` is the advice on how to make runs shorter. Where as many runs as are
 * asked for are too long, that goes to `errors`.
 */
function repetitionFor(
  { runs, seed: typedSeed }: ValuesOf<typeof RUNS>,
  messages: number,
  errors: InputError[],
  shorter = 'limit --instances, such as --instances 1000',
): Pick<Repetition, 'runs' | 'seed'> | null {
  if (runs === 0) return null;
  const seed = typedSeed ?? 1;
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

const PARALLEL_EXAMPLES = `
The simulated adversary sends real messages to the composition. It creates
instances, each message passes the verification function, and the adversary
never sees the secret bit. The same seed gives the same messages.

Examples:
  dpcompose attack parallel --delta 0.1 --instances 3
  dpcompose attack parallel --delta 0.1
  dpcompose attack parallel --delta 1e-3,2e-3,5e-4`;

const PARALLEL = {
  ...inGroup(ATTACKED, {
    delta: seriesOption(
      '--delta <D>',
      'delta of each instance, or a list of deltas',
      ranged({ allowed: 'a number above 0 and at most 1', contains: (value) => value.gt(0) && value.lte(1) }),
      { example: '0.1', step: 'tenfold', needed: 'the delta of each instance' },
    ),
    epsilon: {
      ...parsedOption('--epsilon <E>', '', (_, errors) => {
        const message = 'instances here are (0, delta)-DP: only --delta is taken';
        errors.push({ code: 'unknown-option', path: '--epsilon', message, hint: 'Omit it.' });
      }),
      isHidden: true,
    },
    instances: INSTANCES,
  }),
  ...RUNS,
};

function readParallel({ flags, isTyped, errors }: Invocation<typeof PARALLEL>): ParallelQuestion {
  const { delta: deltas = [], instances = null } = flags;
  if (deltas.length > 1 && isTyped('instances')) {
    const message = 'a list of deltas says already how many instances there are';
    errors.push(conflict('--instances', message, 'Give one of them.'));
  }
  if (errors.length > 0) throw new UsageError(errors);
  return { deltas, instances: deltas.length > 1 ? deltas.length : instances };
}

/** The advice on how to make runs shorter. */
const shorterRuns = ({ deltas }: ParallelQuestion): string =>
  deltas.length > 1 ? 'list fewer or larger deltas' : 'limit --instances, such as --instances 1000';

/** `dpcompose attack parallel`: what (0, delta)-DP continual mechanisms in parallel reveal. */
const attackParallelCommand = commandOf<ParallelAttack, typeof PARALLEL>({
  name: 'parallel',
  summary: 'parallel (0, delta)-DP continual mechanisms',
  about:
    'Runs the adversary of Henzinger, Safavi and Vadhan (Thm 5.2) against parallel (0, delta)-DP continual mechanisms, one of which may receive different data. Compares its advantage with 1 - prod(1 - delta).',
  options: PARALLEL,
  examples: PARALLEL_EXAMPLES,
  forms: formsOf(async (answer) => (await import('../output/attack.ts')).parallelOutput(answer), 'table', 'json'),
  async read(invocation) {
    const question = readParallel(invocation);
    const { meanMessagesOf, parallelAttack } = await import('../composition/attack/parallel.ts');
    const { flags, errors } = invocation;
    const repetition = repetitionFor(flags, meanMessagesOf(question), errors, shorterRuns(question));
    return (report) => ({ result: parallelAttack(question, reported(repetition, report)) });
  },
});

const RENYI = {
  ...inGroup(ATTACKED, {
    alpha: numberOption(
      '--alpha <A>',
      'order of the Renyi divergence',
      ranged(numbersFrom('1.001', 100)),
      '2',
      'order of the Renyi divergence',
    ),
    epsilon: numberOption(
      '--epsilon <E>',
      'Renyi divergence of each mechanism',
      ranged(numbersFrom('1e-9', 100)),
      '1',
      'Renyi divergence of each mechanism',
    ),
    target: numberOption(
      '--target <E>',
      'divergence that the attack must exceed (default: 6, or twice epsilon)',
      ranged({ allowed: 'a number above 0 and at most 100', contains: (value) => value.gt(0) && value.lte(100) }),
      '10',
    ),
    instances: INSTANCES,
  }),
  ...RUNS,
};

/** The target, where none is given: one that the printed constants miss, and that is more than a mechanism has. */
const usualTarget = (epsilon: Decimal): Decimal => Decimal.max(6, Decimal.min(100, epsilon.times(2)));

const RENYI_EXAMPLES = `
Examples:
  dpcompose attack renyi --alpha 2 --epsilon 1 --target 10
  dpcompose attack renyi --alpha 8 --epsilon 0.5 --instances 1000 --json
  dpcompose attack renyi --alpha 2 --epsilon 1 --target 3 --runs 2000 --seed 5`;

/** `dpcompose attack renyi`: what Renyi-private continual mechanisms in parallel reveal. */
const attackRenyiCommand = commandOf<RenyiAttack, typeof RENYI>({
  name: 'renyi',
  summary: 'parallel RDP continual mechanisms',
  about:
    'Runs the adversary of Henzinger, Safavi and Vadhan (Thm 13.5) against parallel (alpha, epsilon)-RDP continual mechanisms, one of which may receive different data. The divergence of its view exceeds any target. Shows the constants of the paper and those that complete the proof.',
  options: RENYI,
  examples: RENYI_EXAMPLES,
  forms: formsOf(async (answer) => (await import('../output/attack.ts')).renyiOutput(answer), 'table', 'json'),
  async read({ flags, errors }) {
    const { alpha, epsilon, instances = null } = flags;
    if (errors.length > 0 || alpha === undefined || epsilon === undefined) throw new UsageError(errors);
    const { target = usualTarget(epsilon) } = flags;
    const { renyiAttack, renyiExpectations } = await import('../composition/attack/renyi.ts');
    const expected = renyiExpectations({ alpha, epsilon, target, instances });
    const repetition = repetitionFor(flags, expected.messages.upper.toNumber(), errors);
    return (report) => ({ result: renyiAttack(expected, reported(repetition, report)) });
  },
});

const OBLIVIOUS = {
  ...inGroup(ATTACKED, {
    delta: numberOption(
      '--delta <D>',
      'delta that holds if all messages are fixed in advance',
      ranged(numbersFrom('1e-15', 1)),
      '0.1',
      'delta of the mechanism',
    ),
  }),
  ...RUNS,
};

/** Messages of both adversaries in one run. */
const OBLIVIOUS_MESSAGES = 4;

const OBLIVIOUS_EXAMPLES = `
Examples:
  dpcompose attack oblivious --delta 0.1
  dpcompose attack oblivious --delta 1e-6 --runs 100000 --json`;

/** `dpcompose attack oblivious`: what a guarantee against messages that are fixed in advance is worth. */
const attackObliviousCommand = commandOf<ObliviousAttack, typeof OBLIVIOUS>({
  name: 'oblivious',
  summary: 'oblivious guarantee against an adaptive adversary',
  about:
    'Runs two adversaries against the mechanism of Henzinger, Safavi and Vadhan (footnote 1), which is (0, delta)-DP if all messages are fixed in advance. One adversary fixes its messages. The other reads the first answer before it sends the second message.',
  options: OBLIVIOUS,
  examples: OBLIVIOUS_EXAMPLES,
  forms: formsOf(async (answer) => (await import('../output/attack.ts')).obliviousOutput(answer), 'table', 'json'),
  async read({ flags, errors }) {
    const { delta } = flags;
    const repetition = repetitionFor(flags, OBLIVIOUS_MESSAGES, errors);
    if (errors.length > 0 || delta === undefined) throw new UsageError(errors);
    const { obliviousAttack } = await import('../composition/attack/oblivious.ts');
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
    .description('Runs the attacks that show why some compositions of continual mechanisms are refused.')
    .addHelpText('after', EXAMPLES);
  for (const create of [attackParallelCommand, attackRenyiCommand, attackObliviousCommand]) {
    command.addCommand(create(context));
  }
  return command;
}
