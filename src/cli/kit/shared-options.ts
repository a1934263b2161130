import { conflict } from './usage-error.ts';
import { Option, type Command } from 'commander';
import type { InputError } from '../../document/core/specification.ts';
import { SYNTAX_NAMES } from '../../document/syntax/document-syntax.ts';
import { listed } from '../../output/kit/prose.ts';
import {
  inGroup,
  offering,
  type Options,
  PRINTED,
  readOneOf,
  switchOption,
  textsOption,
  withOptions,
  wordOption,
} from './option.ts';

/** Options that several commands have, those of documents and of effort apart. */
export const MECHANISM = (what = 'add a mechanism (repeatable)') => textsOption('-m, --mechanism <TYPE:...>', what);
export const SET = textsOption('--set <PLACE=VALUE>', 'change a value; null removes it (repeatable)');
export const INPUT_FORMAT = wordOption(
  '--input-format <FORMAT>',
  'json, yaml or csv (default: detected)',
  SYNTAX_NAMES,
  'Omit it to detect the format from the file name or the content.',
);
export const STRICT = inGroup(PRINTED, { strict: switchOption('--strict', 'exit with code 1 if there are warnings') });
export const JSON_SWITCH = switchOption('--json', 'same as --format json');
export const QUIET = switchOption('-q, --quiet', 'print errors only');

/** A form of the result. */
export type Format =
  | 'table'
  | 'tree'
  | 'text'
  | 'json'
  | 'csv'
  | 'yaml'
  | 'dp-accounting'
  | 'markdown'
  | 'svg'
  | 'plot'
  | 'github'
  | 'junit'
  | 'sarif';

/** The forms that a command has, the usual one first. */
export type Formats<F extends Format> = readonly [F, ...F[]];

/** The options of commands that print a result. */
export interface PrintFlags {
  readonly json?: boolean;
  readonly format?: string;
  readonly output?: string;
  readonly force?: boolean;
  readonly quiet?: boolean;
  readonly color: boolean;
}

const formatOption = (formats: Formats<Format>): Option => {
  const [usual, ...others] = formats;
  return offering(new Option('--format <FORMAT>', listed([`${usual} (default)`, ...others], 'or')), () => formats);
};

/**
 * A command with the options of all that print a result, in the groups that end its help.
 *
 * @param formats - null where it has one form only
 * @param own - what only this command has among them
 */
export function printOptions(command: Command, formats: Formats<Format> | null, own: Options = {}): Command {
  command.optionsGroup(PRINTED);
  if (formats !== null) withOptions(command, { json: JSON_SWITCH }).addOption(formatOption(formats));
  command.option('-o, --output <FILE>', 'write to a file (default: -, standard output)');
  command.option('--force', 'overwrite a specification, policy or event list');
  return lineOptions(command, { quiet: QUIET, ...own });
}

/** The same of one that prints lines as they come, of which all but how it looks are its own. */
export const lineOptions = (command: Command, own: Options): Command =>
  withOptions(command.optionsGroup(PRINTED), own)
    .option('--no-color', 'plain text without color')
    .option('--debug', 'print details of internal errors');

const IN_JSON = 'Use --json for machine-readable output.';
const DRAWN = `To draw curves, run curve, compare or figure. ${IN_JSON}`;

/** Forms that a command has no more, or that others have: what to use instead. */
const INSTEAD: Readonly<Partial<Record<string, string>>> = {
  csv: IN_JSON,
  markdown: IN_JSON,
  plot: DRAWN,
  prometheus: 'It was removed. Use --json for monitoring.',
  registry: 'It was removed. --json has the numbers, theorems and conditions of a record.',
  svg: DRAWN,
};

/** Reads --json and --format, which may be one of `formats`; what is wrong goes to `errors`. */
export function readFormat<F extends Format>(
  { json, format }: Pick<PrintFlags, 'json' | 'format'>,
  formats: Formats<F>,
  errors: InputError[],
): F {
  const [usual] = formats;
  const implied = (json === true ? formats.find((name) => name === 'json') : undefined) ?? usual;
  const hint = INSTEAD[format ?? ''] ?? `The default is ${usual}.`;
  const known = readOneOf(format, { flag: '--format', words: formats, hint }, errors);
  if (known === undefined) return implied;
  if (json === true && known !== 'json') {
    errors.push(conflict('--format', `${known} contradicts --json`, 'Give one of them.'));
  }
  return known;
}
