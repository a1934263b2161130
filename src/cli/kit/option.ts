import { Option, type Argument, type Command } from 'commander';
import { either, quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { didYouMean } from '../../document/core/suggest.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { NumberField } from '../../privacy/mechanisms/parameters.ts';
import { missingNumber, readNumberOption, wholeNumber, type RangeOf } from './number-option.ts';
import { readSeriesOption, type SeriesRange } from './series-option.ts';

/** An option as commander reads it: not there, its text, its texts, or that it is there. */
export type Typed = string | readonly string[] | boolean | undefined;

/** An option of a command, declared once: how it is typed and told in the help, and what is read of it. */
export interface DeclaredOption<T> {
  /** `-o, --output <FILE>`. */
  readonly flags: string;
  readonly about: string;
  /** The heading under which the help lists it. */
  readonly group?: string;
  readonly isRepeatable?: boolean;
  /** Whether the command cannot be without it. */
  readonly isMandatory?: boolean;
  /** Whether the help is silent about it, as what it takes is always wrong. */
  readonly isHidden?: boolean;
  /** The values that a shell may offer. */
  readonly values?: Values;
  /** What is read; mistakes go to `errors`. */
  readonly read: (typed: Typed, errors: InputError[]) => T;
}

export type Options = Readonly<Record<string, DeclaredOption<unknown>>>;

/** What is read of declared options. */
export type ValuesOf<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends DeclaredOption<infer T> ? T : never;
};

/** Values of which any may be left out. */
export type Optional<V> = { readonly [Name in keyof V]?: V[Name] | undefined };

/** The long name of an option. */
export const flagOf = (flags: string): string => /--[\w-]+/.exec(flags)?.[0] ?? flags;

const textOf = (typed: Typed): string | undefined => (typeof typed === 'string' ? typed : undefined);

/** A text as it is typed; `values`: what a shell may offer. */
export const textOption = (flags: string, about: string, values?: Values): DeclaredOption<string | undefined> => ({
  flags,
  about,
  ...(values && { values }),
  read: textOf,
});

/** What is read of a text; undefined where there is none. */
export const parsedOption = <T>(
  flags: string,
  about: string,
  parse: (text: string, errors: InputError[]) => T,
): DeclaredOption<T | undefined> => ({
  flags,
  about,
  read: (typed, errors) => (typeof typed === 'string' ? parse(typed, errors) : undefined),
});

/** Texts of an option that may be given several times. */
export const textsOption = (flags: string, about: string): DeclaredOption<readonly string[] | undefined> => ({
  flags,
  about,
  isRepeatable: true,
  read: (typed) => (Array.isArray(typed) ? (typed as readonly string[]) : undefined),
});

/** What is read of each text of an option that may be given several times; null of a wrong one. */
export const repeatedOption = <T>(
  flags: string,
  about: string,
  readOne: (text: string, errors: InputError[]) => T | null,
): DeclaredOption<readonly T[]> => ({
  flags,
  about,
  isRepeatable: true,
  read: (typed, errors) =>
    (Array.isArray(typed) ? (typed as readonly string[]) : [])
      .map((text) => readOne(text, errors))
      .filter((value) => value !== null),
});

/** Whether an option without a value is there. */
export const switchOption = (flags: string, about: string): DeclaredOption<boolean> => ({
  flags,
  about,
  read: (typed) => typed === true,
});

/** An option or operand that is one of several words; `hint` follows the word that may have been meant. */
export interface Words<W extends string> {
  readonly flag: string;
  readonly words: readonly W[];
  readonly hint: string;
}

/** Reads one of several words; undefined where none is given, or another, which goes to `errors`. */
export function readOneOf<W extends string>(
  text: string | undefined,
  { flag, words, hint }: Words<W>,
  errors: InputError[],
): W | undefined {
  const match = words.find((word) => word === text);
  if (text === undefined || match !== undefined) return match;
  const message = `must be ${either(words)}, got ${quote(text)}`;
  errors.push({ code: 'unknown-value', path: flag, message, hint: `${didYouMean(text, words)}${hint}` });
  return undefined;
}

/** One of several words; `hint` follows the word that may have been meant. */
export const wordOption = <W extends string>(
  flags: string,
  about: string,
  words: readonly W[],
  hint: string,
): DeclaredOption<W | undefined> => ({
  flags,
  about,
  values: () => words,
  read: (typed, errors) => readOneOf(textOf(typed), { flag: flagOf(flags), words, hint }, errors),
});

/** A number of a range; `needed`: what it is, if it has to be given. */
export function numberOption(
  flags: string,
  about: string,
  rangeOf: RangeOf,
  example: string,
  needed?: string,
): DeclaredOption<Decimal | undefined> {
  const range = rangeOf(flagOf(flags), example);
  return {
    flags,
    about,
    read(typed, errors) {
      if (typed === undefined && needed !== undefined) errors.push(missingNumber(range, needed));
      return readNumberOption(textOf(typed), range, errors);
    },
  };
}

/** A number that is described elsewhere too; `needed` as of a number. */
export const fieldOption = (flags: string, field: NumberField, needed?: string): DeclaredOption<Decimal | undefined> =>
  numberOption(flags, field.about, (flag, example) => ({ ...field, flag, example }), field.example, needed);

/** A whole number, both ends included. */
export function wholeOption(
  flags: string,
  about: string,
  example: string,
  min?: number,
  max?: number,
): DeclaredOption<number | undefined> {
  const { read, ...declared } = numberOption(flags, about, (flag, of) => wholeNumber(flag, of, min, max), example);
  return { ...declared, read: (typed, errors) => read(typed, errors)?.toNumber() };
}

/** Numbers and ranges of them, with commas between; `needed` as of a number. */
export function seriesOption(
  flags: string,
  about: string,
  rangeOf: RangeOf,
  { example, needed, ...steps }: Omit<SeriesRange, 'allowed' | 'contains' | 'flag'> & { readonly needed?: string },
): DeclaredOption<readonly Decimal[] | undefined> {
  const range = { ...rangeOf(flagOf(flags), example), ...steps };
  return {
    flags,
    about,
    read(typed, errors) {
      if (typed === undefined && needed !== undefined) errors.push(missingNumber(range, needed));
      const text = textOf(typed);
      return text === undefined ? undefined : readSeriesOption(text, range, errors);
    },
  };
}

/** The heading of what is printed, where a command's own options come last. */
export const PRINTED = 'Output:';

/** The same options, listed by the help under a heading. */
export const inGroup = <O extends Options>(group: string, options: O): O =>
  Object.fromEntries(Object.entries(options).map(([name, option]) => [name, { ...option, group }])) as Options as O;

const REPEATABLE = new WeakSet<Option>();

const collect = (value: string, previous: readonly string[] = []): readonly string[] => [...previous, value];

/** An option that may be given several times: its values are collected, in their order. */
function repeatable(option: Option): Option {
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
  const valuesOf = new Map<Option, string[]>();
  const watch = (subcommand: Command): void => {
    for (const option of subcommand.options) {
      if (!option.required || REPEATABLE.has(option)) continue;
      subcommand.on(`option:${option.name()}`, (value: string) => {
        valuesOf.set(option, [...(valuesOf.get(option) ?? []), value]);
      });
    }
    subcommand.commands.forEach(watch);
  };
  watch(command);
  return () =>
    [...valuesOf].flatMap(([{ long, flags }, values]) => (values.length > 1 ? [repeated(long ?? flags, values)] : []));
}

/** The same for commander. */
function commanderOption({
  flags,
  about,
  group,
  isRepeatable = false,
  isMandatory = false,
  isHidden = false,
  values,
}: DeclaredOption<unknown>): Option {
  const option = new Option(flags, about);
  if (group !== undefined) option.helpGroup(group);
  if (isRepeatable) repeatable(option);
  if (isMandatory) option.makeOptionMandatory();
  if (isHidden) option.hideHelp();
  return values === undefined ? option : offering(option, values);
}

/** A command with declared options. */
export function withOptions(command: Command, options: Options): Command {
  for (const option of Object.values(options)) command.addOption(commanderOption(option));
  return command;
}

const typedOf = ({ flags }: DeclaredOption<unknown>, typed: Readonly<Record<string, Typed>>): Typed =>
  typed[new Option(flags).attributeName()];

/** The values of declared options, of all that commander read; mistakes go to `errors`, in the order of the declarations. */
export const readOptions = <O extends Options>(
  options: O,
  typed: Readonly<Record<string, Typed>>,
  errors: InputError[],
): ValuesOf<O> =>
  Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, option.read(typedOf(option, typed), errors)]),
  ) as ValuesOf<O>;

/** The names of the options that are there, whether they are right or not. */
export const typedNames = (options: Options, typed: Readonly<Record<string, Typed>>): ReadonlySet<string> =>
  new Set(Object.keys(options).filter((name) => typedOf(options[name]!, typed) !== undefined));

/** The values that an option or argument may have, listed only when they are asked for. */
type Values = () => readonly string[] | Promise<readonly string[]>;

const OFFERED = new WeakMap<Option | Argument, Values>();

/** An option or argument for which a shell may offer these values; what is typed is checked elsewhere. */
export function offering<T extends Option | Argument>(item: T, values: Values): T {
  OFFERED.set(item, values);
  return item;
}

/** The values that a shell may offer; null where nothing is known of them. */
export const offeredValues = (item: Option | Argument): Values | null => OFFERED.get(item) ?? null;
