import { Command } from 'commander';
import { listCommands } from './commands.ts';
import { type Context, type Installation, VERSION } from './kit/context.ts';
import { columnsOf, type Io } from './kit/io.ts';
import { repeatedOptions } from './kit/option.ts';
import { UsageError } from './kit/usage-error.ts';

const AFTER = `
Examples:
  dpcompose compose -m dp:epsilon=0.1,count=100 --delta 1e-6
  dpcompose compose privacy.json --json | jq .answer.epsilon.upper
  dpcompose compose --help
  dpcompose ledger --help

Exit codes:
  0  done
  1  the answer is no (--strict: there were warnings)
  2  the command line or the input is wrong
  3  no theorem covers this setting
  4  a ledger was changed, damaged, or in use
  70 internal error
  74 the output could not be written
  130 stopped by Ctrl-C`;

/** Where to read more, under every help. */
const documentation = ({ readme }: Installation): string =>
  `\nDocumentation: man dpcompose, and ${readme ?? 'README.md of the package'}`;

/** A program ready to parse one command line. */
export interface Program {
  readonly program: Command;
  /** The output of commander, such as help and the version, for either stream. */
  readonly said: { out: string; err: string };
  /** The exit code of the command that ran. */
  readonly outcome: { code: number };
}

/** Gives a command, and those below it, the settings of the one above. */
function inherit(command: Command, above: Command): void {
  command.copyInheritedSettings(above).helpOption('-h, --help', 'show help');
  for (const each of command.commands) inherit(each, command);
}

/** All commands, bound to `io`; in full those for which `wanted` holds, of the others name and summary. */
export async function createProgram(
  io: Io,
  installation: Installation,
  wanted: (name: string) => boolean,
): Promise<Program> {
  const said = { out: '', err: '' };
  const outcome = { code: 0 };
  const program = new Command('dpcompose')
    .description('What differentially private mechanisms cost together, with the theorem behind every number.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [COMMAND]', 'show help for a command')
    .addHelpText('after', AFTER)
    .addHelpText('afterAll', documentation(installation))
    .exitOverride()
    .configureOutput({
      writeOut: (text) => (said.out += text),
      writeErr: (text) => (said.err += text),
      outputError: () => undefined,
      getOutHelpWidth: () => columnsOf(io.stdout) ?? 80,
      getErrHelpWidth: () => columnsOf(io.stderr) ?? 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  const context: Context = {
    io,
    version: VERSION,
    now: () => io.now?.() ?? new Date(),
    installation,
    program: async () => (await createProgram(io, installation, () => true)).program,
    ends: (code) => {
      outcome.code = code;
    },
  };
  for (const command of await listCommands(wanted, context)) {
    inherit(command, program);
    program.addCommand(command);
  }
  const repeated = repeatedOptions(program);
  program.hook('preAction', () => {
    const errors = repeated();
    if (errors.length > 0) throw new UsageError(errors);
  });
  return { program, said, outcome };
}
