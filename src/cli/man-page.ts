import type { EventEmitter } from 'node:events';
import type { Command } from 'commander';
import type { Io } from './kit/io.ts';
import { MECHANISMS } from './mechanisms.ts';
import { createProgram, EXAMPLES_AND_CODES } from './program.ts';

/** Text as roff prints it as it stands. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1');

const paragraph = (text: string): string => `.PP\n${roff(text)}\n`;
const preformatted = (text: string): string => `.PP\n.nf\n${roff(text.replace(/^\n+|\n+$/g, ''))}\n.fi\n`;

/** A term in bold and what it means. */
const item = (term: string, meaning: string): string => `.TP\n.B ${roff(term)}\n${roff(meaning)}\n`;

/** The help of a command that follows its options. */
function helpAfter(command: Command): string {
  const texts: string[] = [];
  const emitter = command as unknown as EventEmitter;
  emitter.emit('afterHelp', { error: false, command, write: (text: string) => texts.push(text) });
  return texts.join('');
}

/** The name of a command with those above it. */
function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

function commandSection(command: Command): string {
  const help = command.createHelp();
  const options = help.visibleOptions(command).map((option) => item(option.flags, help.optionDescription(option)));
  const operands = command.registeredArguments
    .filter(({ description }) => description !== '')
    .map((argument) => item(help.argumentTerm(argument), argument.description));
  const after = helpAfter(command);
  return [
    `.SS "${roff(`${fullName(command)} ${command.usage()}`)}"\n`,
    paragraph(command.description()),
    ...operands,
    ...options,
    ...(after === '' ? [] : [preformatted(after)]),
    ...command.commands.map(commandSection),
  ].join('');
}

const nowhere = {
  write: (_text: string, done: () => void) => {
    done();
  },
};
/** No process at all, for whoever only looks at the definitions of commands. */
export const NO_PROCESS: Io = {
  stdin: { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true as const, value: undefined }) }) },
  stdout: nowhere,
  stderr: nowhere,
  env: {},
  cwd: () => '.',
};

/** The man page of the program, in roff, from the definitions of its commands. */
export async function manPage(): Promise<string> {
  const { program } = await createProgram(NO_PROCESS, {}, () => true);
  const listed = program.commands.map((command) => item(command.name(), command.summary()));
  return [
    `.TH DPCOMPOSE 1 "" "dpcompose ${roff(program.version() ?? '')}" "User Commands"\n`,
    `.SH NAME\ndpcompose \\- ${roff('privacy accountant for differential privacy')}\n`,
    `.SH SYNOPSIS\n.B dpcompose\n${roff('COMMAND [OPTIONS] [FILE]')}\n`,
    `.SH DESCRIPTION\n${roff(program.description())}\n`,
    `.SH COMMANDS\n`,
    ...listed,
    `.SH DETAILS\n`,
    ...program.commands.map(commandSection),
    `.SH MECHANISMS\n`,
    preformatted(MECHANISMS),
    `.SH EXAMPLES AND EXIT CODES\n`,
    preformatted(EXAMPLES_AND_CODES),
  ].join('');
}
