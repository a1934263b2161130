import type { Command } from 'commander';
import type { Refusal, Warning } from '../../composition/core/outcome.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Layout } from '../../report/kit/columns.ts';
import type { RefusedDocument } from '../../report/refusal/refused-document.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit.ts';
import { layoutFor, openDestination } from './destination.ts';
import { readFormat, type Format, type Formats } from './format.ts';
import {
  PRINTED,
  readOptions,
  typedNames,
  withOptions,
  type DeclaredOption,
  type Options,
  type Typed,
} from './option.ts';
import { withProgress, type Report } from './progress.ts';
import { tellRefusal, tellWarnings, type Manner } from './refusal.ts';
import { printOptions } from './print-options.ts';
import type { PrintFlags } from './shared-options.ts';
import { UsageError } from './usage-error.ts';

/** Where a form of a result is going. */
export interface Page {
  readonly version: string;
  /** The space and the characters that a table there may use. */
  readonly layout: () => Promise<Layout>;
}

/** The forms of a result, the usual one first; each loads what writes it, and only the one that is asked for is made. */
export type Forms<R> = Readonly<Partial<Record<Format, (result: R, page: Page) => string | Promise<string>>>>;

/** Flags of every command that prints a result. */
interface ResultFlags extends PrintFlags {
  readonly strict?: boolean;
}

/** A command line, as far as it has been read. */
export interface Given<Flags, Operands> extends Pick<Context, 'io' | 'version'> {
  readonly operands: Operands;
  readonly flags: Flags & ResultFlags;
  /** Whether an option is there, right or wrong. */
  readonly isTyped: (name: keyof Flags) => boolean;
  /** Mistakes found so far, to be reported with those that are found later. */
  readonly errors: InputError[];
}

/** No result: says why, and returns the exit code. */
export interface Refused {
  readonly tell: (manner: Manner) => Promise<number>;
}

/** A refusal by a theorem that does not cover what was asked. */
export const refused = (refusal: Refusal, document?: RefusedDocument): Refused => ({
  tell: (manner) => tellRefusal(refusal, { ...manner, ...(document && { document }) }),
});

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
export type Work<R> = (report: Report | undefined) => Result<R> | Refused | Promise<Result<R> | Refused>;

/** A command that prints one result. */
export interface CommandData<R, Flags, Operands extends readonly unknown[]> {
  /** Its name, what it is about and its operands. */
  readonly command: () => Command;
  /** Its own options, by the names of their values; what is wrong with them goes to `errors` before `read`. */
  readonly options?: { readonly [Name in keyof Flags]: DeclaredOption<Flags[Name]> };
  readonly forms: Forms<R>;
  /** Explanations and examples, under its help. */
  readonly examples: string;
  /**
   * Reads the question. Mistakes go to `errors`, and are thrown together here or by whoever called; the work is done once
   * the result is known to have a place.
   */
  readonly read: (given: Given<Flags, Operands>) => Work<R> | Refused | Promise<Work<R> | Refused>;
}

const ofGroup = (options: Options = {}, isOf: (group: string | undefined) => boolean): Options =>
  Object.fromEntries(Object.entries(options).filter(([, { group }]) => isOf(group)));

const formatsOf = (forms: object): Formats<Format> => Object.keys(forms) as [Format, ...Format[]];

/** The command of `data`: reads, refuses, computes with progress, tells warnings, prints in a form, and sets the exit code. */
export const commandOf =
  <R, Flags = object, Operands extends readonly unknown[] = readonly [string | undefined]>(
    data: CommandData<R, Flags, Operands>,
  ) =>
  (context: Context): Command =>
    printOptions(
      withOptions(
        data.command(),
        ofGroup(data.options, (group) => group !== PRINTED),
      ),
      formatsOf(data.forms),
      ofGroup(data.options, (group) => group === PRINTED),
    )
      .addHelpText('after', data.examples)
      .action(async (...given: readonly unknown[]) => {
        const typed = given.at(-2) as Record<string, Typed> & ResultFlags;
        context.ends(await run(data, given.slice(0, -2) as readonly unknown[] as Operands, typed, context));
      });

async function run<R, Flags, Operands extends readonly unknown[]>(
  { forms, options, read }: CommandData<R, Flags, Operands>,
  operands: Operands,
  typed: Readonly<Record<string, Typed>> & ResultFlags,
  { io, version }: Context,
): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(typed, formatsOf(forms), errors);
  const manner = { format, color: typed.color, io };
  const declared: Options = { ...options };
  const flags = { ...typed, ...readOptions(declared, typed, errors) } as ResultFlags as Flags & ResultFlags;
  const names = typedNames(declared, typed);
  const work = await read({ operands, flags, isTyped: (name) => names.has(name as string), errors, io, version });
  if ('tell' in work) return await work.tell(manner);
  if (errors.length > 0) throw new UsageError(errors);
  const put = await openDestination(flags, io);
  const outcome = await withProgress(flags, io, work);
  if ('tell' in outcome) return await outcome.tell(manner);
  const { result, warnings = [], exit, also } = outcome;
  if (flags.quiet !== true) await tellWarnings(warnings, manner);
  const page = { version, layout: () => layoutFor(typed, io) };
  await put?.((await forms[format]?.(result, page)) ?? '');
  await also?.(page);
  return exit ?? (flags.strict === true && warnings.length > 0 ? EXIT.no : EXIT.done);
}
