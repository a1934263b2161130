import { Option } from 'commander';
import { SYNTAX_NAMES } from '../../document/syntax/document-syntax.ts';
import { listed } from '../../report/kit/prose.ts';
import type { Format, FormatFlags, Formats } from './format.ts';
import { commanderOption, offering, switchOption, textOption, textsOption } from './option.ts';

/** The options of commands that print a result. */
export interface PrintFlags extends FormatFlags {
  readonly output?: string;
  readonly force?: boolean;
  readonly quiet?: boolean;
  readonly color: boolean;
}

/** Options that several commands have, those of documents and of effort apart. */
export const MECHANISM = (what = 'a mechanism, after those of the document (repeatable)') =>
  textsOption('-m, --mechanism <TYPE:key=value,...>', what);
export const SET = textsOption(
  '--set <PLACE=VALUE>',
  'change the document, such as mechanisms[0].count=50; null removes (repeatable)',
);
export const INPUT_FORMAT = textOption(
  '--input-format <FORMAT>',
  'json, yaml or csv (default: by the name of the file, or what it begins with)',
  () => SYNTAX_NAMES,
);
export const STRICT = { strict: switchOption('--strict', 'exit with 1 if there are warnings') };

/** The options of what is printed, as commander has them. */
export const SHARED = {
  mechanism: (what?: string) => commanderOption(MECHANISM(what)),
  set: () => commanderOption(SET),
  inputFormat: () => commanderOption(INPUT_FORMAT),
  json: () => new Option('--json', 'one JSON document; the same as --format json'),
  format: ([usual, ...others]: Formats<Format>) =>
    offering(new Option('--format <FORMAT>', listed([`${usual} (default)`, ...others], 'or')), () => [
      usual,
      ...others,
    ]),
  output: () => new Option('-o, --output <FILE>', 'write the result to a file; - for standard output'),
  force: () => new Option('--force', 'let the result replace a specification or policy'),
  quiet: () => new Option('-q, --quiet', 'print nothing but errors'),
  noColor: () => new Option('--no-color', 'no colour'),
  debug: () => new Option('--debug', 'say more about internal errors'),
} as const;
