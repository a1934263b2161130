import { Argument } from 'commander';
import type { SpecFlags } from '../../document/flags/command-line.ts';
import { inGroup, switchOption, textOption, type Optional, type ValuesOf } from './option.ts';
import { INPUT_FORMAT, MECHANISM, SET } from './shared-options.ts';

const ORDERS = ['any', 'declared'];
const RELATIONS = ['add-remove', 'replace-one'];

/** The options of commands that read a document. */
export const DOCUMENT = { set: SET, inputFormat: INPUT_FORMAT };

/** The options of how mechanisms are composed. */
export const SETTING = {
  adaptive: switchOption('--adaptive', 'each mechanism may depend on earlier outputs'),
  nonadaptive: switchOption('--nonadaptive', 'all mechanisms are fixed in advance'),
  order: textOption('--order <ORDER>', 'any (default), or declared: the listed order', () => ORDERS),
  neighbours: textOption('--neighbours <WHICH>', 'add-remove, replace-one, or a relation in words', () => RELATIONS),
};

/** The options of what is composed; decimals stay as they are typed. */
export const COMPOSED = inGroup('Mechanisms:', { mechanism: MECHANISM(), ...DOCUMENT, ...SETTING });

export type DocumentFlags = Optional<ValuesOf<typeof DOCUMENT>>;

export type ComposedFlags = Optional<ValuesOf<typeof COMPOSED>>;

/** These flags of a command, without its others: --delta and --epsilon are not always a target. */
export const composedFlags = (flags: ValuesOf<typeof COMPOSED>): ComposedFlags =>
  Object.fromEntries(Object.keys(COMPOSED).map((name) => [name, flags[name as keyof typeof COMPOSED]]));

/** The flags of what is composed, for the reader of documents. */
export const specFlags = ({ mechanism, set, adaptive, nonadaptive, order, neighbours }: ComposedFlags): SpecFlags => ({
  mechanisms: mechanism,
  set,
  adaptive,
  nonadaptive,
  order,
  neighbours,
});

/** The options of a target; decimals stay as they are typed. */
export const TARGET = (ends: '' | 's' = '') =>
  inGroup('Target:', {
    delta: textOption('--delta <D>', `find the smallest epsilon${ends} at this delta`),
    epsilon: textOption('--epsilon <E>', `find the smallest delta${ends} at this epsilon`),
  });

/** The document of a command that composes mechanisms. */
export const specArgument = (name: '[SPEC]' | '[SPEC...]' = '[SPEC]'): Argument =>
  new Argument(name, 'JSON, YAML or CSV file (default: standard input)');
