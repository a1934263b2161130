import { Command, type Argument } from 'commander';
import type { Warning } from '../../composition/core/outcome.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { DrawnOutput } from '../../output/chart/chart.ts';
import type { Layout, Output } from '../../output/kit/page.ts';
import { type Context, EXIT } from './io.ts';
import { layoutFor, openDestination } from './destination.ts';
import { PRINTED, readOptions, typedNames, withOptions, type Options, type Typed, type ValuesOf } from './option.ts';
import { withProgress, type Report } from './progress.ts';
import { orRefused, tellWarnings } from './refusal.ts';
import { lineOptions, printOptions, readFormat, type Format, type Formats, type PrintFlags } from './shared-options.ts';
import { conflict, UsageError } from './usage-error.ts';

/** Where a form of a result is going. */
export interface Page {
  readonly version: string;
  /** The space and the characters that a table there may use. */
  readonly layout: () => Promise<Layout>;
}

/** The forms of a result, the usual one first; each loads what writes it, and only the one that is asked for is made. */
export type Forms<R> = Readonly<Partial<Record<Format, (result: R, page: Page) => string | Promise<string>>>>;

type Writer = (output: Output | DrawnOutput, page: Page) => string | Promise<string>;

/** What is usually printed: a page for a terminal. */
const onTerminal: Writer = async ({ page, widest = Infinity }, { version, layout }) => {
  const { pageText } = await import('../../output/kit/page.ts');
  const own = await layout();
  return pageText(page(version), { ...own, width: Math.min(widest, own.width) });
};

const WRITERS: Readonly<Partial<Record<Format, Writer>>> = {
  json: ({ json }, { version }) => json(version),
  csv: ({ csv }) => csv?.() ?? '',
  markdown: async ({ page, markdown = page }, { version }) =>
    (await import('../../output/kit/page.ts')).pageMarkdown(markdown(version)),
  svg: async (output) =>
    'chart' in output ? (await import('../../output/chart/svg.ts')).chartSvg(output.chart()) : '',
  plot: async (output, { layout }) =>
    'chart' in output
      ? (await import('../../output/chart/terminal-plot.ts')).terminalPlot(output.chart(), await layout())
      : '',
};

/** The forms of an output, the usual one first; `outputOf` loads what writes it. A text stands for itself in each. */
export const formsOf = <R>(
  outputOf: (result: R) => Output | string | Promise<Output | string>,
  ...formats: readonly Format[]
): Forms<R> =>
  Object.fromEntries(
    formats.map((format) => [
      format,
      async (result: R, page: Page) => {
        const output = await outputOf(result);
        return typeof output === 'string' ? output : await (WRITERS[format] ?? onTerminal)(output, page);
      },
    ]),
  );

/** Flags of every command that prints a result. */
interface ResultFlags extends PrintFlags {
  readonly strict?: boolean;
}

/** A command line, as far as it has been read, and what it runs in. */
export interface Invocation<O extends Options, Operands = readonly [string | undefined]> extends Context {
  readonly operands: Operands;
  readonly flags: ValuesOf<O> & ResultFlags;
  readonly format: Format;
  /** All words of the command line. */
  readonly argv: readonly string[];
  /** Whether an option is there, right or wrong. */
  readonly isTyped: (name: keyof O) => boolean;
  /** Adds a mistake for each of these options that is there: it means nothing here. */
  readonly refuse: (names: readonly (keyof O)[], message: string, hint: string) => void;
  /** Mistakes found so far, to be reported with those that are found later. */
  readonly errors: InputError[];
}

/** A command as it is declared: what its help says, and what it takes. */
export interface DeclaredCommand<O extends Options> {
  readonly name: string;
  /** What the help of the command above it says of it; of those of the program the list of commands says it. */
  readonly summary?: string;
  readonly about: string;
  /** What follows its name in its help, where that is not all that it takes. */
  readonly usage?: string;
  readonly operands?: readonly Argument[];
  /** Its own options, by the names of their values; what is wrong with them goes to `errors` before anything is done. */
  readonly options?: O;
  /** Explanations and examples, under its help. */
  readonly examples: string;
}

const ofGroup = (options: Options, isOf: (group: string | undefined) => boolean): Options =>
  Object.fromEntries(Object.entries(options).filter(([, { group }]) => isOf(group)));

/** `-m` of `-m, --mechanism <TYPE>`: what people type. */
const shortestOf = (flags: string): string => flags.split(/[ ,]/)[0] ?? flags;

/** A command that does `act` with what was typed, and sets the exit code. `formats`: null where it prints lines as they come. */
export const declaredCommand =
  <O extends Options, Operands>(
    { name, summary, about, usage, operands = [], options = {} as O, examples }: DeclaredCommand<O>,
    formats: Formats<Format> | null,
    act: (invocation: Invocation<O, Operands>) => Promise<number>,
  ) =>
  (context: Context): Command => {
    const command = new Command(name).description(about);
    if (summary !== undefined) command.summary(summary);
    if (usage !== undefined) command.usage(usage);
    for (const operand of operands) command.addArgument(operand);
    withOptions(
      command,
      ofGroup(options, (group) => group !== PRINTED),
    );
    const printed = ofGroup(options, (group) => group === PRINTED);
    const whole = formats === null ? lineOptions(command, printed) : printOptions(command, formats, printed);
    return whole.addHelpText('after', examples).action(async (...words: readonly unknown[]) => {
      const typed = words.at(-2) as Record<string, Typed> & ResultFlags;
      const errors: InputError[] = [];
      const format = formats === null ? (typed.json === true ? 'json' : 'text') : readFormat(typed, formats, errors);
      const names = typedNames(options, typed);
      const invocation: Invocation<O, Operands> = {
        ...context,
        operands: words.slice(0, -2) as readonly unknown[] as Operands,
        flags: { ...typed, ...readOptions(options, typed, errors) },
        format,
        argv: (command.parent as { readonly rawArgs?: readonly string[] } | null)?.rawArgs ?? [],
        isTyped: (key) => names.has(key as string),
        refuse(which, message, hint) {
          for (const key of which.filter((option) => names.has(option as string))) {
            errors.push(conflict(shortestOf(options[key]!.flags), message, hint));
          }
        },
        errors,
      };
      context.ends(await orRefused({ format, color: typed.color, io: context.io }, () => act(invocation)));
    });
  };

/** A result to print, and the exit code; without `exit` it is 1 for warnings under --strict. */
export interface Result<R> {
  readonly result: R;
  /** Printed on standard error beside the result. */
  readonly warnings?: readonly Warning[];
  readonly exit?: number;
  /** What else is written once the result is. */
  readonly also?: (page: Page) => Promise<void>;
}

/** The computation behind a result; it may report how far it is. */
export type Work<R> = (report: Report | undefined) => Result<R> | Promise<Result<R>>;

/** A command that prints one result. */
export interface CommandData<R, O extends Options, Operands> extends DeclaredCommand<O> {
  readonly forms: Forms<R>;
  /**
   * Reads the question. Mistakes go to `errors`, and are thrown together here or by whoever called; the work is done once
   * the result is known to have a place.
   */
  readonly read: (invocation: Invocation<O, Operands>) => Work<R> | Promise<Work<R>>;
}

/** The command of `data`: reads, refuses, computes with progress, tells warnings, prints in a form, and sets the exit code. */
export const commandOf = <R, O extends Options = Options, Operands = readonly [string | undefined]>(
  data: CommandData<R, O, Operands>,
): ((context: Context) => Command) =>
  declaredCommand<O, Operands>(data, Object.keys(data.forms) as [Format, ...Format[]], (invocation) =>
    answer(data, invocation),
  );

async function answer<R, O extends Options, Operands>(
  { forms, read }: CommandData<R, O, Operands>,
  invocation: Invocation<O, Operands>,
): Promise<number> {
  const { flags, format, errors, io, version } = invocation;
  const work = await read(invocation);
  if (errors.length > 0) throw new UsageError(errors);
  const put = await openDestination(flags, io);
  const { result, warnings = [], exit, also } = await withProgress(flags, io, work);
  if (flags.quiet !== true) await tellWarnings(warnings, flags.color, io);
  const page = { version, layout: () => layoutFor(flags, io) };
  await put?.((await forms[format]?.(result, page)) ?? '');
  await also?.(page);
  return exit ?? (flags.strict === true && warnings.length > 0 ? EXIT.no : EXIT.done);
}
