import { conflict } from './usage-error.ts';
import { Option, type Command } from 'commander';
import type { InputError } from '../../document/core/specification.ts';
import { SYNTAX_NAMES } from '../../document/syntax/document-syntax.ts';
import { listed } from '../../report/kit/prose.ts';
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
export const MECHANISM = (what = 'a mechanism, after those of the document (repeatable)') =>
  textsOption('-m, --mechanism <TYPE:key=value,...>', what);
export const SET = textsOption(
  '--set <PLACE=VALUE>',
  'change the document, such as mechanisms[0].count=50; null removes (repeatable)',
);
export const INPUT_FORMAT = wordOption(
  '--input-format <FORMAT>',
  'json, yaml or csv (default: by the name of the file, or what it begins with)',
  SYNTAX_NAMES,
  "Leave it out for what the file's name or its beginning says.",
);
export const STRICT = inGroup(PRINTED, { strict: switchOption('--strict', 'exit with 1 if there are warnings') });
export const JSON_SWITCH = switchOption('--json', 'one JSON document; the same as --format json');
export const QUIET = switchOption('-q, --quiet', 'print nothing but errors');

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
  command.option('-o, --output <FILE>', 'write the result to a file; - for standard output');
  command.option('--force', 'let the result replace a specification, policy or list of events');
  return lineOptions(command, { quiet: QUIET, ...own });
}

/** The same of one that prints lines as they come, of which all but how it looks are its own. */
export const lineOptions = (command: Command, own: Options): Command =>
  withOptions(command.optionsGroup(PRINTED), own)
    .option('--no-color', 'no colour')
    .optionsGroup('Other:')
    .option('--debug', 'say more about internal errors');

const IN_JSON = 'What this command prints stands in --json.';
const DRAWN = `Curves are drawn by curve, compare and figure. ${IN_JSON}`;

/** Forms that a command has no more, or that others have: what to use instead. */
const INSTEAD: Readonly<Partial<Record<string, string>>> = {
  csv: IN_JSON,
  markdown: IN_JSON,
  plot: DRAWN,
  prometheus: 'It was removed: what a monitor reads stands in --json.',
  registry: 'It was removed: the certified numbers, theorems and conditions of a record stand in --json.',
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
  const hint = INSTEAD[format ?? ''] ?? `Without it the form is ${usual}.`;
  const known = readOneOf(format, { flag: '--format', words: formats, hint }, errors);
  if (known === undefined) return implied;
  if (json === true && known !== 'json') {
    errors.push(conflict('--format', `${known} contradicts --json`, 'Give one of them.'));
  }
  return known;
}
