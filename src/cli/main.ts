import { type Command, CommanderError } from 'commander';
import type { ErrorCode } from '../document/core/error-codes.ts';
import { quote } from '../document/core/quote.ts';
import type { InputError } from '../document/core/specification.ts';
import { didYouMean } from '../document/core/suggest.ts';
import { commandNamed } from './commands.ts';
import { type Installation, VERSION, EXIT, OutputError, writeStdout, writeStderr, type Io } from './kit/io.ts';
import { errorLayout } from './kit/destination.ts';
import { UsageError } from './kit/usage-error.ts';
import { sourceName } from '../output/kit/prose.ts';
import { forgetFiles } from './kit/source.ts';
import { createProgram } from './program.ts';
import { errorLines, errorJson } from '../output/compose/error.ts';

/** The error codes for those of commander that can occur here. */
const COMMANDER_CODES: Readonly<Record<string, ErrorCode>> = {
  'commander.unknownOption': 'unknown-option',
  'commander.unknownCommand': 'unknown-command',
  'commander.optionMissingArgument': 'option-missing-argument',
  'commander.missingArgument': 'missing-argument',
  'commander.excessArguments': 'excess-arguments',
};

/** Options of other accountants that mean the same as one here, where a command has that one and not its own. */
const ALIASES: Readonly<Record<string, string>> = {
  '--batch-size': '--batch',
  '--N': '--examples',
  '--n': '--examples',
  '--records': '--examples',
  '--dataset-size': '--examples',
  '--number-of-examples': '--examples',
  '--num-examples': '--examples',
  '--num-epochs': '--epochs',
  '--num-steps': '--steps',
  '--epsilon-target': '--target-epsilon',
  '--target-delta': '--delta',
  '--neighbors': '--neighbours',
};

const NOISE =
  'Write the noise in the mechanism: -m gaussian:sigma=S, or -m gaussian:noise-multiplier=M. For DP-SGD, use dpcompose sgd --noise-multiplier M.';
const TRAINING = 'It is an option of dpcompose sgd; see dpcompose sgd --help.';
const RATE = 'Use --batch and --examples of dpcompose sgd, or sampling=poisson,rate=Q of a mechanism.';
const ACCOUNTANT =
  'dpcompose computes every theorem that applies and takes the smallest bound. To choose, use --bounds of compose.';

/** What there is here in place of options that other accountants have. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '--count': 'Write the count in the mechanism: -m dp:epsilon=E,count=N.',
  '--sigma': NOISE,
  '--noise-multiplier': NOISE,
  '--max-grad-norm': 'Omit it: the noise multiplier already is the noise divided by the clipping norm.',
  ...Object.fromEntries(
    ['--batch', '--batch-size', '--examples', '--n', '--N', '--epochs'].map((name) => [name, TRAINING]),
  ),
  ...Object.fromEntries(['--sample-rate', '--sampling-rate', '--sampling-probability'].map((name) => [name, RATE])),
  ...Object.fromEntries(['--accountant', '--accountant-type'].map((name) => [name, ACCOUNTANT])),
};

/** The command that words name, and the first word that names none where one is needed; operands are passed over. */
function commandIn(words: readonly string[], program: Command): { command: Command; unknown: string | null } {
  let command = program;
  for (const word of words) {
    if (word.startsWith('-')) continue;
    const subcommand = command.commands.find((candidate) => candidate.name() === word);
    if (subcommand === undefined) return { command, unknown: command.commands.length > 0 ? word : null };
    command = subcommand;
  }
  return { command, unknown: null };
}

/** A command line with the options of other accountants as they are called here, and hyphens for underscores. */
function respelt(words: readonly string[], program: Command): readonly string[] {
  const options = new Set(commandIn(words, program).command.options.map(({ long }) => long));
  return words.map((word) => {
    const [, name = '', value = ''] = /^(--[\w-]+)(=[^]*)?$/.exec(word) ?? [];
    if (name === '' || options.has(name)) return word;
    const hyphens = name.replaceAll('_', '-');
    const alias = ALIASES[hyphens];
    return `${alias !== undefined && options.has(alias) && !options.has(hyphens) ? alias : hyphens}${value}`;
  });
}

const LOOKS_LIKE_FILE = /[./\\]/;

const APPROVALS =
  'Let only those write to the store who may launch (roles of a database, permissions of a folder), or review requests where they are merged; record who asked with --actor.';
const INTERACTION = 'To record what people should know: dpcompose ledger annotate --help';
const WINDOW =
  'Make a ledger for each period when it begins; budgets can have one for each day, such as name: day/{day}.';

/** Options of ledgers that were removed. */
const LEDGER_OPTIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...['on-excess=halt', 'concurrency=sequential', 'max-mechanisms=N', 'delta-prime=D', 'deltas=product'],
      ...['alpha=A', 'orders=A:E;...'],
    ].map((term) => [`--${term.replace(/=.*/, '')}`, `Write --terms '${term}'.`]),
  ),
  '--approver': APPROVALS,
  '--closes': WINDOW,
  '--fixed-budget': 'It is so by itself; write --terms conversions=allowed for a filter that may become an odometer.',
  '--no-require-evidence': 'Write --terms evidence=optional.',
  '--opens': WINDOW,
  '--record-refusals': 'Write --terms refusals=recorded.',
  '--request': APPROVALS,
  '--require-approval': APPROVALS,
  '--require-evidence': 'Write --terms evidence=required.',
};

/** Terms of ledgers that are typed as options. */
const TERMS: Readonly<Record<string, string>> = {
  '--evidence': 'Use --terms evidence=required.',
  '--refusals': 'Use --terms refusals=recorded.',
  '--conversions': 'Use --terms conversions=allowed.',
};

/** What to write in place of an option that a command does not have, by their names. */
const INSTEAD: Readonly<Record<string, string>> = Object.fromEntries(
  ['init', 'nest', 'convert'].flatMap((command) =>
    Object.entries(TERMS).map(([name, hint]) => [`ledger ${command} ${name}`, hint]),
  ),
);

/** Commands below others that are typed by themselves. */
const BELOW: Readonly<Record<string, string>> = Object.fromEntries([
  ...['init', 'spend', 'reserve', 'commit', 'release', 'record', 'status', 'verify', 'recover', 'adopt'].map(
    (name) => [name, `Did you mean "ledger ${name}"?`] as const,
  ),
  ...['annotate', 'anchor', 'nest', 'move', 'export'].map((name) => [name, `Did you mean "ledger ${name}"?`] as const),
  ...['audit', 'switches', 'rates', 'run'].map((name) => [name, `Did you mean "lazy ${name}"?`] as const),
]);

/** Commands that were removed, with the one above them, and options, with their commands: what to use instead. */
const REMOVED: Readonly<Record<string, string>> = {
  'attack verify': 'To see what adversaries achieve: dpcompose attack --help',
  'lazy lower-bound': 'It is an option of the rates now, --lower-bound: dpcompose lazy rates --help',
  'lazy run --p': 'Runs have no y, without which the regret is less: use --c in its place: dpcompose lazy run --help',
  'lazy switches --delta1': 'What the paper claims stands in the audit: dpcompose lazy audit --help',
  'ledger approve': APPROVALS,
  'ledger close': INTERACTION,
  'ledger budgets': 'To see what budgets guarantee: dpcompose ledger status --budgets FILE',
  'ledger copy': 'To copy a ledger into another store: dpcompose ledger move FILE --to STORE --keep',
  'ledger loss':
    'The loss is shown by status, with --at-delta, --at-epsilon or --distance: dpcompose ledger status --help',
  'ledger note': 'To record what people should know: dpcompose ledger annotate FILE --label TEXT',
  'ledger query': INTERACTION,
  'ledger remaining': 'What remains is shown by status, with --next or -m: dpcompose ledger status --help',
  'ledger replay': 'To see every decision made again: dpcompose ledger verify FILE --replay',
  'ledger request': APPROVALS,
  'ledger to-filter': 'To give an odometer a budget: dpcompose ledger convert --help',
  'ledger to-odometer': 'To take the budget from a filter: dpcompose ledger convert --help',
  'ledger void': 'To record that a launch never ran: dpcompose ledger annotate FILE --void RECORD --label TEXT',
  ...Object.fromEntries(
    ['init', 'nest', 'convert', 'spend', 'reserve'].flatMap((command) =>
      Object.entries(LEDGER_OPTIONS).map(([name, instead]) => [`ledger ${command} ${name}`, instead]),
    ),
  ),
  'lazy simulate': 'To play L2P on your losses with a seed, use --init --simulate: dpcompose lazy run --help',
};

function removed(
  above: string,
  name: string,
  code: 'unknown-command' | 'unknown-option' = 'unknown-command',
): InputError | undefined {
  const hint = REMOVED[`${above} ${name}`];
  return hint === undefined ? undefined : { code, path: name, message: `${above} ${name} was removed`, hint };
}

/** A command with those above it, but for the program. */
const nameOf = (command: Command): string =>
  command.parent?.parent == null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;

/** What to write in place of an option that a command does not have. */
const optionHint = (name: string, options: Command['options']): string =>
  ELSEWHERE[name] ??
  `${didYouMean(
    name,
    options.map(({ long }) => long ?? ''),
  )}To list the options, add --help.`;

/** A mistake in the use of commands and options, as commander tells it, in the form of all input errors. */
function optionError(error: CommanderError, argv: readonly string[], program: Command): InputError {
  const code = COMMANDER_CODES[error.code] ?? 'invalid-command-line';
  const [above = '', name = ''] = argv.filter((word) => !word.startsWith('-'));
  const gone = code === 'unknown-command' ? removed(above, name) : undefined;
  if (gone !== undefined) return gone;
  const [sentence = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const quoted = /'([^']*)'/.exec(sentence)?.[1] ?? 'command line';
  const path = /--[\w-]+/.exec(quoted)?.[0] ?? quoted;
  const below = code === 'unknown-command' ? BELOW[path] : undefined;
  const suggestionText = below ?? suggestion?.replace(/^\(|\)$/g, '') ?? 'To list the options, add --help.';
  const isFile = code === 'unknown-command' && suggestion === undefined && LOOKS_LIKE_FILE.test(path);
  const other = isFile ? `To compose a file: dpcompose compose ${path}` : suggestionText;
  const { command } = commandIn(argv, program);
  const goneOption = code === 'unknown-option' ? removed(nameOf(command), path, code) : undefined;
  if (goneOption !== undefined) return goneOption;
  const instead = INSTEAD[`${nameOf(command)} ${path}`];
  const hint = code === 'unknown-option' ? (instead ?? optionHint(path, command.options)) : other;
  return { code, path, message: sentence.replace(/\.$/, ''), hint };
}

/** There is no such command below one. */
function unknownCommand(name: string, above: Command): InputError {
  const gone = removed(above.name(), name);
  if (gone !== undefined) return gone;
  const names = above.commands.map((command) => command.name());
  const within = above.parent === null ? 'command' : `command of ${above.name()}`;
  const list = names.length === 0 ? `${above.name()} has no commands of its own.` : `There are ${names.join(', ')}.`;
  return {
    code: 'unknown-command',
    path: name,
    message: `unknown ${within} ${quote(name)}`,
    hint: `${didYouMean(name, names)}${list}`,
  };
}

/** Whether the result was asked for as JSON, also where the rest of the command line makes no sense. */
function wantsJson(argv: readonly string[]): boolean {
  return argv.some((word, index) => {
    return word === '--json' || word === '--format=json' || (word === '--format' && argv[index + 1] === 'json');
  });
}

const wantsDebug = (argv: readonly string[], env: Io['env']): boolean =>
  argv.includes('--debug') || !['', '0', undefined].includes(env.DPCOMPOSE_DEBUG);

async function report({ errors, about }: UsageError, argv: readonly string[], io: Io): Promise<number> {
  const { style } = await errorLayout(!argv.includes('--no-color'), io);
  const { source, more } = about;
  await writeStderr(io, errorLines(errors, { source: source === null ? null : sourceName(source), more, style }));
  if (wantsJson(argv)) {
    await writeStdout(io, errorJson(errors, { file: source, more }, VERSION));
  } else if (about.help !== null) {
    await writeStderr(io, `\n${about.help}\n`);
  }
  return about.exit;
}

/** `help attack parallel` as `attack parallel --help`; what help is asked for must exist. */
function helpAsked(argv: readonly string[], program: Command): readonly string[] {
  const isHelp = argv[0] === 'help';
  const words = isHelp ? argv.slice(1) : argv;
  const names = words.filter((word) => !word.startsWith('-'));
  const asks = isHelp || words.some((word) => word === '--help' || word === '-h');
  if (!asks || names.length === 0) return argv;
  const { command, unknown } = commandIn(names, program);
  if (unknown !== null) throw new UsageError([unknownCommand(unknown, command)]);
  return isHelp ? [...names, '--help'] : argv;
}

async function run(argv: readonly string[], io: Io, installation: Installation): Promise<number> {
  forgetFiles(io);
  if (argv[0] === 'help' && argv[1] === 'mechanisms') {
    await writeStdout(io, (await import('./mechanisms.ts')).MECHANISMS);
    return EXIT.done;
  }
  const commandName = commandNamed(argv);
  const { program, texts, outcome } = await createProgram(io, installation, (name) => name === commandName);
  try {
    await program.parseAsync(respelt(helpAsked(argv, program), program), { from: 'user' });
    return outcome.code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) {
      await writeStdout(io, texts.out);
      return EXIT.done;
    }
    if (error.code !== 'commander.help') throw new UsageError([optionError(error, argv, program)]);
    await writeStderr(io, texts.err);
    return EXIT.usage;
  }
}

async function internal(error: unknown, argv: readonly string[], io: Io): Promise<number> {
  const reason = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? (error.stack ?? reason) : reason;
  const text = wantsDebug(argv, io.env) ? stack : 'This is a bug. Run the command again with --debug for details.';
  await writeStderr(io, `dpcompose: internal error: ${reason.split('\n')[0] ?? ''}\n${text}\n`);
  return EXIT.internal;
}

/**
 * Runs one command line and returns the exit code. Touches nothing of the process but what `io` gives.
 *
 * @param argv - the words after the program's name
 */
export async function main(argv: readonly string[], io: Io, installation: Installation = {}): Promise<number> {
  try {
    try {
      return await run(argv, io, installation);
    } catch (error) {
      if (error instanceof UsageError) return await report(error, argv, io);
      throw error;
    }
  } catch (error) {
    if (!(error instanceof OutputError)) return await internal(error, argv, io);
    await writeStderr(io, `dpcompose: ${error.message}\n`);
    return EXIT.output;
  }
}

/** What a thread of `dpcompose batch` runs. */
export const batchWorker = (): Promise<unknown> => import('./batch/worker.ts');
