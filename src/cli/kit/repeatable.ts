import type { Command, Option } from 'commander';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';

const REPEATABLE = new WeakSet<Option>();

const collect = (value: string, previous: readonly string[] = []): readonly string[] => [...previous, value];

/** An option that may be given several times: its values are collected, in their order. */
export function repeatable(option: Option): Option {
  REPEATABLE.add(option);
  return option.argParser(collect);
}

const repeated = (flag: string, values: readonly string[]): InputError => ({
  code: 'repeated-option',
  path: flag,
  message: `is given more than once, as ${values.map(quote).join(' and ')}`,
  hint: 'Keep one of them.',
});

/**
 * Watches the options of a command whose value would be overwritten if they were given again, and those of all commands
 * below it; returns what is wrong with the command line as far as it has been read.
 */
export function repeatedOptions(command: Command): () => readonly InputError[] {
  const given = new Map<Option, string[]>();
  const watch = (each: Command): void => {
    for (const option of each.options) {
      if (!option.required || REPEATABLE.has(option)) continue;
      each.on(`option:${option.name()}`, (value: string) => {
        given.set(option, [...(given.get(option) ?? []), value]);
      });
    }
    each.commands.forEach(watch);
  };
  watch(command);
  return () =>
    [...given].flatMap(([{ long, flags }, values]) => (values.length > 1 ? [repeated(long ?? flags, values)] : []));
}
