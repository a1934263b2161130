import { Command } from 'commander';
import { wrapped } from '../output/kit/prose.ts';
import { commandList, listCommands } from './commands.ts';
import { type Context, type Installation, VERSION, columnsOf, type Io } from './kit/io.ts';
import { repeatedOptions } from './kit/option.ts';
import { UsageError } from './kit/usage-error.ts';

/** What ends the man page. */
export const EXAMPLES_AND_CODES = `
Examples:
  dpcompose compose -m dp:epsilon=0.1,count=100 --delta 1e-6
  dpcompose compose privacy.json --json | jq .answer.epsilon.upper
  dpcompose help mechanisms

Exit codes:
  0  success
  1  the answer is no (with --strict: there were warnings)
  2  error in the command line or the input
  3  no theorem covers this setting
  4  the ledger was changed, damaged or locked
  70 internal error
  74 the output could not be written
  130 stopped by Ctrl-C`;

const ABOUT =
  'dpcompose is a privacy accountant: it bounds epsilon and delta under composition (DP-SGD, PLD, RDP, zCDP, f-DP) and names the theorem behind every number.';

/** The help of the program: a screen of 24 lines. */
const overview = (): string => `Usage: dpcompose COMMAND [options]     (details: dpcompose COMMAND --help)

${wrapped(ABOUT, 80)}

${commandList()}

Example: dpcompose compose -m gaussian:sigma=2,count=10 --delta 1e-6
`;

/** Where to read more, under every help. */
const documentation = ({ readme }: Installation): string =>
  `\nDocumentation: man dpcompose, and ${readme ?? 'README.md of the package'}`;

/** A program ready to parse one command line. */
export interface Program {
  readonly program: Command;
  /** The output of commander, such as help and the version, for either stream. */
  readonly texts: { out: string; err: string };
  /** The exit code of the command that ran. */
  readonly outcome: { code: number };
}

/** Gives a command, and those below it, the settings of the one above. */
function inherit(command: Command, above: Command): void {
  command.copyInheritedSettings(above).helpOption('-h, --help', 'show help');
  for (const subcommand of command.commands) inherit(subcommand, command);
}

/** All commands, bound to `io`; in full those for which `isFull` holds, of the others name and summary. */
export async function createProgram(
  io: Io,
  installation: Installation,
  isFull: (name: string) => boolean,
): Promise<Program> {
  const texts = { out: '', err: '' };
  const outcome = { code: 0 };
  const program = new Command('dpcompose')
    .description(ABOUT)
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [COMMAND]', 'show help for a command')
    .addHelpText('afterAll', documentation(installation))
    .exitOverride()
    .configureOutput({
      writeOut: (text) => (texts.out += text),
      writeErr: (text) => (texts.err += text),
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
  for (const command of await listCommands(isFull, context)) {
    inherit(command, program);
    program.addCommand(command);
  }
  program.configureHelp({ formatHelp: overview });
  const repeated = repeatedOptions(program);
  program.hook('preAction', () => {
    const errors = repeated();
    if (errors.length > 0) throw new UsageError(errors);
  });
  return { program, texts, outcome };
}
