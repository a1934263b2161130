import { Command, type Argument } from 'commander';
import type { Failed } from '../../../ledger/fault.ts';
import type { Transacted } from '../../../ledger/store.ts';
import { type Layout, pageText, type Output } from '../../../output/kit/page.ts';
import type { InputError } from '../../../document/core/specification.ts';
import { type Context, EXIT, OutputError, type Destination } from '../../kit/io.ts';
import { layoutFor, openDestination } from '../../kit/destination.ts';
import {
  PRINTED,
  readOptions,
  typedNames,
  withOptions,
  type Options,
  type Typed,
  type ValuesOf,
} from '../../kit/option.ts';
import { orRefused } from '../../kit/refusal.ts';
import { printOptions, readFormat, type Format, type Formats, type PrintFlags } from '../../kit/shared-options.ts';
import { UsageError } from '../../kit/usage-error.ts';
import {
  openDestinationBeside,
  orThrow,
  noteAhead,
  noteSettled,
  type Named,
  openStoreOf,
  type OpenStore,
  type StoreFlags,
} from './store-option.ts';

type Text = string | AsyncIterable<string>;

/** What a command says at its end, as JSON and in its usual form, of which only the one that is asked for is made. */
export type CommandResult = (Pick<Output, 'page'> | { readonly text: (layout: Layout) => Text | Promise<Text> }) & {
  readonly json: (version: string) => Text | Promise<Text>;
  /** What was written by then, and counts also where that cannot be delivered; null for nothing. */
  readonly recordNote?: string | null;
  readonly exit?: number;
  /** Why the pieces of it broke off, where they did. */
  readonly failure?: () => Error | undefined;
};

/** Delivers what is said, and returns the exit code. */
export async function writeResult(
  { json, recordNote = null, exit = EXIT.done, failure, ...form }: CommandResult,
  put: Destination | null,
  flags: PrintFlags,
  { io, version }: Context,
): Promise<number> {
  if (put === null) return exit;
  const text = async (layout: Layout): Promise<Text> =>
    'page' in form ? pageText(form.page(version), layout) : await form.text(layout);
  const content = flags.json === true ? await json(version) : await text(await layoutFor(flags, io));
  try {
    await put(content);
  } catch (error) {
    const reason = failure?.();
    if (reason !== undefined) throw reason;
    if (!(error instanceof OutputError) || recordNote === null) throw error;
    throw new OutputError(`${error.message}; ${recordNote}`, { cause: error });
  }
  return exit;
}

type Flags<O extends Options> = ValuesOf<O> & StoreFlags & PrintFlags;

/** One run of a command: what was typed, and what it opens, which is closed when it ends. */
export class Run<O extends Options = Options> implements AsyncDisposable {
  readonly context: Context;
  readonly flags: Flags<O>;
  /** Mistakes found so far, to be reported with those that are found later. */
  readonly errors: InputError[] = [];
  readonly #typed: ReadonlySet<string>;
  readonly #stores: OpenStore[] = [];
  #put: Destination | null | undefined;

  constructor(
    options: O,
    formats: Formats<Format>,
    typed: Readonly<Record<string, Typed>> & PrintFlags,
    context: Context,
  ) {
    this.context = context;
    const json = readFormat(typed, formats, this.errors) === 'json';
    this.flags = { ...typed, ...readOptions(options, typed, this.errors), json };
    this.#typed = typedNames(options, typed);
  }

  /** Whether an option is there, right or wrong. */
  isTyped(name: keyof O): boolean {
    return this.#typed.has(name as string);
  }

  /** Throws the mistakes that were found. */
  check(): void {
    if (this.errors.length > 0) throw new UsageError(this.errors);
  }

  /** The store of the flags, or of others. */
  async open(about: Parameters<typeof openStoreOf>[2] = {}, flags: StoreFlags = this.flags): Promise<OpenStore> {
    const opened = await openStoreOf(flags, this.context.io, about);
    this.#stores.push(opened);
    return opened;
  }

  /** Finds out where the result goes, before anything is written: never into one of these ledgers. */
  async openOutput(ledgers: readonly Named[]): Promise<void> {
    this.#put = await openDestinationBeside(ledgers, this.flags, this.context.io);
  }

  /** The only ledger that a command is about, where nothing is wrong so far. */
  async ledger(name: string): Promise<Named> {
    this.check();
    const ledger = (await this.open()).ledgerNamed(name);
    await this.openOutput([ledger]);
    return ledger;
  }

  /** What came of writing, of which it is said what was done about what an earlier writer had left behind. */
  async settled<T>(
    result: Transacted<T> | Failed,
    ledger: Pick<Named, 'file'>,
    which = ledger,
  ): Promise<Transacted<T>> {
    const transacted = orThrow(result, ledger);
    await noteSettled(transacted.settled, which, this.flags, this.context.io);
    if (transacted.records.some((record) => record !== null)) await this.noteAhead();
    return transacted;
  }

  /** Warns where what was recorded is dated far ahead of the clock. */
  async noteAhead(): Promise<void> {
    const { at } = this.flags as { readonly at?: string | null };
    await noteAhead(at, this.context.now(), this.flags, this.context.io);
  }

  async write(result: CommandResult): Promise<number> {
    const put = this.#put === undefined ? await openDestination(this.flags, this.context.io) : this.#put;
    return await writeResult(result, put, this.flags, this.context);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = await Promise.allSettled(this.#stores.map((opened) => opened[Symbol.asyncDispose]()));
    for (const closing of closed) if (closing.status === 'rejected') throw closing.reason;
  }
}

/** A command of ledgers. */
export interface LedgerCommand<O extends Options, Operands extends readonly unknown[]> {
  readonly name: string;
  readonly summary: string;
  readonly about: string;
  readonly operands: readonly Argument[];
  readonly options: O;
  /** The forms of what it says, the usual one first; null where there is one only. */
  readonly formats?: Formats<Format> | null;
  /** Whether its result may replace a document that others read. */
  readonly replaces?: boolean;
  /** Explanations and examples, under its help. */
  readonly examples: string;
  readonly run: (run: Run<O>, ...operands: Operands) => Promise<CommandResult>;
}

const FORMATS: Formats<Format> = ['text', 'json'];

const isPrinted = ([, { group }]: [string, Options[string]]): boolean => group === PRINTED;

/** The command: reads its options, runs, delivers what is said or tells the refusal, closes its stores, sets the exit code. */
export const ledgerCommand =
  <O extends Options, Operands extends readonly unknown[]>({
    name,
    summary,
    about,
    operands,
    options,
    formats = FORMATS,
    examples,
    run,
  }: LedgerCommand<O, Operands>) =>
  (context: Context): Command => {
    const command = new Command(name).summary(summary).description(about);
    for (const operand of operands) command.addArgument(operand);
    const all = Object.entries(options);
    withOptions(command, Object.fromEntries(all.filter((entry) => !isPrinted(entry))));
    return printOptions(command, formats, Object.fromEntries(all.filter(isPrinted)))
      .addHelpText('after', examples)
      .action(async (...typed: readonly unknown[]) => {
        const flags = typed.at(-2) as Record<string, Typed> & PrintFlags;
        const end = async (): Promise<number> => {
          await using current = new Run(options, formats ?? FORMATS, flags, context);
          const result = await run(current, ...(typed.slice(0, -2) as readonly unknown[] as Operands));
          return await current.write(result);
        };
        const manner = { format: flags.json === true ? 'json' : 'table', color: flags.color, io: context.io } as const;
        context.ends(await orRefused(manner, end));
      });
  };
