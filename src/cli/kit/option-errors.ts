import type { Command, CommanderError } from 'commander';
import type { ErrorCode } from '../../document/core/error-codes.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { didYouMean } from '../../document/core/suggest.ts';

/** The error codes for those of commander that can occur here. */
const COMMANDER_CODES: Readonly<Record<string, ErrorCode>> = {
  'commander.unknownOption': 'unknown-option',
  'commander.unknownCommand': 'unknown-command',
  'commander.optionMissingArgument': 'option-missing-argument',
  'commander.missingArgument': 'missing-argument',
  'commander.excessArguments': 'excess-arguments',
};

const LOOKS_LIKE_FILE = /[./\\]/;

/** Commands that were removed, with the one above them: what to use instead. */
const REMOVED: Readonly<Record<string, string>> = {
  'attack verify': 'To see what adversaries achieve: dpcompose attack --help',
  'lazy simulate': 'To play L2P on your losses with a seed, use --init --simulate: dpcompose lazy run --help',
};

function removedCommand(above: string, name: string): InputError | undefined {
  const hint = REMOVED[`${above} ${name}`];
  return hint === undefined
    ? undefined
    : { code: 'unknown-command', path: name, message: `${above} ${name} was removed`, hint };
}

/** A mistake in the use of commands and options, as commander tells it, in the form of all input errors. */
export function optionError(error: CommanderError, argv: readonly string[]): InputError {
  const code = COMMANDER_CODES[error.code] ?? 'invalid-command-line';
  const [above = '', name = ''] = argv.filter((word) => !word.startsWith('-'));
  const removed = code === 'unknown-command' ? removedCommand(above, name) : undefined;
  if (removed !== undefined) return removed;
  const [sentence = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const quoted = /'([^']*)'/.exec(sentence)?.[1] ?? 'command line';
  const path = /--[\w-]+/.exec(quoted)?.[0] ?? quoted;
  const hint =
    suggestion !== undefined
      ? suggestion.replace(/^\(|\)$/g, '')
      : code === 'unknown-command' && LOOKS_LIKE_FILE.test(path)
        ? `To compose what a file lists: dpcompose compose ${path}`
        : 'Add --help to see what there is.';
  return { code, path, message: sentence.replace(/\.$/, ''), hint };
}

/** There is no such command below one. */
export function unknownCommand(name: string, above: Command): InputError {
  const removed = removedCommand(above.name(), name);
  if (removed !== undefined) return removed;
  const names = above.commands.map((command) => command.name());
  const within = above.parent === null ? 'command' : `command of ${above.name()}`;
  const list = names.length === 0 ? `${above.name()} has no commands of its own.` : `There are ${names.join(', ')}.`;
  return {
    code: 'unknown-command',
    path: name,
    message: `${quote(name)} is no ${within}`,
    hint: `${didYouMean(name, names)}${list}`,
  };
}
