import { Argument, type Command } from 'commander';
import type { SpecFlags } from '../../document/flags/command-line.ts';
import { SHARED } from './shared-options.ts';
import type { SyntaxFlags } from './syntax.ts';

/** The options of commands that read a document. */
export interface DocumentFlags extends SyntaxFlags {
  readonly set?: readonly string[] | undefined;
}

/** The options of commands that compose mechanisms, as typed: decimals stay exact. */
export interface ComposedFlags extends DocumentFlags {
  readonly mechanism?: readonly string[] | undefined;
  readonly adaptive?: boolean | undefined;
  readonly nonadaptive?: boolean | undefined;
  readonly order?: string | undefined;
  readonly neighbours?: string | undefined;
}

/** These flags of a command, without its others: --delta and --epsilon are not always a target. */
export const composedFlags = (flags: ComposedFlags): ComposedFlags => {
  const { mechanism, set, inputFormat, adaptive, nonadaptive, order, neighbours } = flags;
  return { mechanism, set, inputFormat, adaptive, nonadaptive, order, neighbours };
};

/** The flags of what is composed, for the reader of documents. */
export const specFlags = ({ mechanism, set, adaptive, nonadaptive, order, neighbours }: ComposedFlags): SpecFlags => ({
  mechanisms: mechanism,
  set,
  adaptive,
  nonadaptive,
  order,
  neighbours,
});

/** The document of a command that composes mechanisms. */
export const specArgument = (name: '[SPEC]' | '[SPEC...]' = '[SPEC]'): Argument =>
  new Argument(name, 'JSON, YAML or CSV file that lists the mechanisms; - or nothing for what is piped in');

/** The options of what is composed. */
export const composedOptions = (command: Command): Command =>
  command
    .optionsGroup('What is composed:')
    .addOption(SHARED.mechanism())
    .addOption(SHARED.set())
    .addOption(SHARED.inputFormat())
    .addOption(SHARED.adaptive())
    .addOption(SHARED.nonadaptive())
    .addOption(SHARED.order())
    .addOption(SHARED.neighbours());
