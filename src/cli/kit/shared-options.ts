import { Option } from 'commander';
import { BOUND_IDS } from '../../bounds/core/bound.ts';
import { listed } from '../../report/kit/prose.ts';
import { SYNTAX_NAMES } from '../../document/syntax/document-syntax.ts';
import type { Format, FormatFlags, Formats } from './format.ts';
import { offering } from './offered-values.ts';
import { repeatable } from './repeatable.ts';

/** The options of commands that print a result. */
export interface PrintFlags extends FormatFlags {
  readonly output?: string;
  readonly force?: boolean;
  readonly quiet?: boolean;
  readonly color: boolean;
}

const ORDERS = ['any', 'declared'];
const RELATIONS = ['add-remove', 'replace-one'];

/** Options that several commands have. */
export const SHARED = {
  mechanism: (what = 'a mechanism, after those of the document (repeatable)') =>
    repeatable(new Option('-m, --mechanism <TYPE:key=value,...>', what)),
  set: () =>
    repeatable(
      new Option(
        '--set <PLACE=VALUE>',
        'change the document, such as mechanisms[0].count=50; null removes (repeatable)',
      ),
    ),
  adaptive: () => new Option('--adaptive', 'each mechanism may be chosen after seeing earlier answers'),
  nonadaptive: () => new Option('--nonadaptive', 'all mechanisms are fixed in advance'),
  order: () =>
    offering(
      new Option('--order <ORDER>', 'any (default), or declared: they are run as they are listed'),
      () => ORDERS,
    ),
  neighbours: () =>
    offering(
      new Option('--neighbours <WHICH>', 'which data are neighbouring: add-remove, replace-one, or in words'),
      () => RELATIONS,
    ),
  bounds: (what = 'only these bounds') =>
    offering(new Option('--bounds <ID,...>', `${what}: ${BOUND_IDS.join(', ')}`), () => BOUND_IDS),
  tolerance: () => new Option('--tolerance <T>', 'relative width of enclosures'),
  maxSeconds: () => new Option('--max-seconds <S>', 'what takes longer is given up: the answer rests on what was done'),
  inputFormat: () =>
    offering(
      new Option(
        '--input-format <FORMAT>',
        'json, yaml or csv (default: by the name of the file, or what it begins with)',
      ),
      () => SYNTAX_NAMES,
    ),
  json: () => new Option('--json', 'one JSON document; the same as --format json'),
  format: ([usual, ...others]: Formats<Format>) =>
    offering(new Option('--format <FORMAT>', listed([`${usual} (default)`, ...others], 'or')), () => [
      usual,
      ...others,
    ]),
  output: () => new Option('-o, --output <FILE>', 'write the result to a file; - for standard output'),
  force: () => new Option('--force', 'let the result replace a specification or policy'),
  quiet: () => new Option('-q, --quiet', 'print nothing but errors'),
  strict: () => new Option('--strict', 'exit with 1 if there are warnings'),
  noColor: () => new Option('--no-color', 'no colour'),
  debug: () => new Option('--debug', 'say more about internal errors'),
} as const;
