import type { Argument, Command, Option } from 'commander';
import { offeredValues } from '../kit/offered-values.ts';

/** A word that may be typed, and what it is about. */
interface Candidate {
  readonly value: string;
  readonly about: string;
}

/** The possible completions: words, and files where one may stand. */
interface Candidates {
  readonly words: readonly Candidate[];
  readonly files: boolean;
}

/** The option of a command that is typed as `word` and takes a value. */
const optionNamed = ({ options }: Command, word: string): Option | undefined =>
  options.find(({ long, short, required }) => required && [long, short].includes(word));

/** The values of an option or argument; of a list with commas, those of its last part. */
async function valuesOf(item: Option | Argument, typed: string): Promise<Candidates> {
  const offered = await offeredValues(item)?.();
  const isOption = 'flags' in item;
  const before = isOption && item.flags.includes(',...') ? typed.slice(0, typed.lastIndexOf(',') + 1) : '';
  const files = isOption ? item.flags.includes('FILE') : offered === undefined || item.description.includes('file');
  return { words: (offered ?? []).map((value) => ({ value: `${before}${value}`, about: '' })), files };
}

const optionsOf = (command: Command): Candidates => ({
  words: command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, short, description }) =>
      [long, short].flatMap((value) => (value === undefined ? [] : [{ value, about: description }])),
    ),
  files: false,
});

const named = (commands: readonly Command[]): readonly Candidate[] =>
  commands.map((command) => ({ value: command.name(), about: command.summary() || command.description() }));

/** The completions that may replace the last word; the words before it are those of the line so far. */
async function candidates(words: readonly string[], program: Command): Promise<Candidates> {
  const typed = words.at(-1) ?? '';
  const isHelp = words.length > 1 && words[0] === 'help';
  let command = program;
  let operands = 0;
  let open: Option | undefined;
  for (const word of words.slice(isHelp ? 1 : 0, -1)) {
    const below = command.commands.find((each) => each.name() === word);
    if (open !== undefined) open = undefined;
    else if (word.startsWith('-')) open = optionNamed(command, word);
    else if (below !== undefined) command = below;
    else operands++;
  }
  if (open !== undefined) return await valuesOf(open, typed);
  const [, long, value = ''] = /^(--[\w-]+)=(.*)$/.exec(typed) ?? [];
  if (long !== undefined) {
    const option = optionNamed(command, long);
    return option === undefined ? { words: [], files: false } : await valuesOf(option, value);
  }
  if (typed.startsWith('-')) return optionsOf(command);
  if (command.commands.length > 0) {
    const help = { value: 'help', about: 'show help for a command' };
    return { words: [...named(command.commands), ...(command === program && !isHelp ? [help] : [])], files: false };
  }
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[operands] ?? (last?.variadic === true ? last : undefined);
  return argument === undefined || isHelp ? { words: [], files: false } : await valuesOf(argument, typed);
}

/** The completions of a command line in the form in which the scripts read them; the last word is to be completed. */
export async function completionsOf(words: readonly string[], program: Command): Promise<string> {
  const typed = (words.at(-1) ?? '').replace(/^--[\w-]+=/, '');
  const { words: found, files } = await candidates(words, program);
  const lines = found
    .filter(({ value }) => value.startsWith(typed))
    .map(({ value, about }) => (about === '' ? value : `${value}\t${about}`));
  return [...lines, `:${files ? 0 : 4}\n`].join('\n');
}
