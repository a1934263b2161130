import { CommanderError, type Command } from 'commander';
import { commandNamed } from './commands.ts';
import { type Installation, VERSION } from './kit/context.ts';
import { EXIT } from './kit/exit.ts';
import { errorLayout } from './kit/destination.ts';
import { OutputError, print, tell, type Io } from './kit/io.ts';
import { commandIn, optionError, respelt, unknownCommand } from './kit/option-errors.ts';
import { forgetFiles } from './kit/run-files.ts';
import { sourceName } from './kit/source.ts';
import { UsageError } from './kit/usage-error.ts';
import { createProgram } from './program.ts';
import { errorLines, errorJson } from '../output/compose/error.ts';

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
  await tell(io, errorLines(errors, { source: source === null ? null : sourceName(source), more, style }));
  if (wantsJson(argv)) {
    await print(io, errorJson(errors, { file: source, more }, VERSION));
  } else if (about.help !== null) {
    await tell(io, `\n${about.help}\n`);
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
    await print(io, (await import('./mechanisms.ts')).MECHANISMS);
    return EXIT.done;
  }
  const named = commandNamed(argv);
  const { program, said, outcome } = await createProgram(io, installation, (name) => name === named);
  try {
    await program.parseAsync(respelt(helpAsked(argv, program), program), { from: 'user' });
    return outcome.code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) {
      await print(io, said.out);
      return EXIT.done;
    }
    if (error.code !== 'commander.help') throw new UsageError([optionError(error, argv, program)]);
    await tell(io, said.err);
    return EXIT.usage;
  }
}

async function internal(error: unknown, argv: readonly string[], io: Io): Promise<number> {
  const reason = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? (error.stack ?? reason) : reason;
  const text = wantsDebug(argv, io.env) ? stack : 'This is a bug. Run the command again with --debug for details.';
  await tell(io, `dpcompose: internal error: ${reason.split('\n')[0] ?? ''}\n${text}\n`);
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
    await tell(io, `dpcompose: ${error.message}\n`);
    return EXIT.output;
  }
}

/** What a thread of `dpcompose batch` runs. */
export const batchWorker = (): Promise<unknown> => import('./batch/worker.ts');
