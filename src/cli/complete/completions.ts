import type { Argument, Command, Option } from 'commander';
import { RootCommand, script, ShellCompDirective, type Complete } from '@bomb.sh/tab';
import { BASH_COMPLETION } from './bash-completion.ts';
import { offeredValues } from '../kit/offered-values.ts';
import type { Shell } from './shells.ts';

/** What `work`, which writes by console.log, would print. */
function printedBy(work: () => void): string {
  const lines: string[] = [];
  /* eslint-disable no-console -- the library hands out its text in no other way */
  const { log } = console;
  console.log = (line: string) => lines.push(`${line}\n`);
  try {
    work();
  } finally {
    console.log = log;
  }
  /* eslint-enable no-console */
  return lines.join('');
}

/** The script that makes a shell ask `dpcompose complete -- WORDS` for completions. */
export const completionScript = (shell: Shell): string =>
  shell === 'bash'
    ? BASH_COMPLETION
    : printedBy(() => {
        script(shell, 'dpcompose', 'dpcompose');
      });

/** One request of a shell: the words of the line so far, the last of which is to be completed. */
class Request {
  readonly #root = new RootCommand();
  readonly #words: readonly string[];
  #wantsFiles = false;

  constructor(words: readonly string[]) {
    this.#words = words;
    this.#root.option('help', 'show help', 'h').option('version', 'print the version', 'V');
    this.#root.command('help', 'show help for a command');
  }

  /** Makes a command known, with those below it. */
  async add(command: Command, above: readonly string[] = []): Promise<void> {
    const path = [...above, command.name()];
    const what = command.summary() || command.description();
    const known = this.#root.command(path.join(' '), what);
    this.#root.command(`help ${path.join(' ')}`, what);
    for (const option of command.createHelp().visibleOptions(command)) {
      const [name, short] = [option.long?.slice(2), option.short?.slice(1)];
      if (name === undefined) continue;
      const takesValue = option.required || option.optional;
      if (takesValue) known.option(name, option.description, await this.#values(option), short);
      else if (short === undefined) known.option(name, option.description);
      else known.option(name, option.description, short);
    }
    for (const argument of command.registeredArguments) {
      known.argument(argument.name(), await this.#values(argument), argument.variadic);
    }
    for (const each of command.commands) await this.add(each, path);
  }

  /** What may be typed, in the form in which shells read it. */
  answer(): string {
    const printed = printedBy(() => {
      this.#root.parse([...this.#words]);
    });
    return this.#wantsFiles
      ? printed.replace(/:\d+\n$/, `:${ShellCompDirective.ShellCompDirectiveDefault}\n`)
      : printed;
  }

  /** Offers the values of an option or argument; of a list of them the last. */
  async #values(item: Option | Argument): Promise<(complete: Complete) => void> {
    const offered = offeredValues(item);
    const values = offered === null ? [] : await offered();
    const isOption = 'flags' in item;
    const takesFile = isOption ? item.flags.includes('<FILE>') : offered === null || item.description.includes('file');
    const isList = isOption && item.flags.includes(',...');
    const word = (this.#words.at(-1) ?? '').replace(/^--[\w-]+=/, '');
    const before = isList ? word.slice(0, word.lastIndexOf(',') + 1) : '';
    return (complete) => {
      this.#wantsFiles ||= takesFile;
      for (const value of values) complete(`${before}${value}`, '');
    };
  }
}

/** The completions of a command line, as the scripts read them: a line for each, then what else the shell may offer. */
export async function completionsOf(words: readonly string[], commands: readonly Command[]): Promise<string> {
  const request = new Request(words);
  for (const command of commands) await request.add(command);
  return request.answer();
}
