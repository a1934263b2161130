import { conflict } from './usage-error.ts';
import { Option, type Command, Argument } from 'commander';
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
  textOption,
  type Optional,
  type ValuesOf,
  numberOption,
  type DeclaredOption,
} from './option.ts';
import { atLeastZero, properFraction, type RangeOf } from './number-option.ts';
import type { SpecFlags } from '../../document/flags/command-line.ts';
import { BOUND_IDS, boundNamed, type BoundId } from '../../bounds/core/bound.ts';
import { quote } from '../../document/core/quote.ts';
import { didYouMean } from '../../document/core/suggest.ts';

/** Options that several commands have, those of documents and of effort apart. */
export const MECHANISM = (what = 'add a mechanism (repeatable)') => textsOption('-m, --mechanism <TYPE:...>', what);
export const SET = textsOption('--set <PLACE=VALUE>', 'change a value; null removes it (repeatable)');
const INPUT_FORMAT = wordOption(
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
  const match = readOneOf(format, { flag: '--format', words: formats, hint }, errors);
  if (match === undefined) return implied;
  if (json === true && match !== 'json') {
    errors.push(conflict('--format', `${match} contradicts --json`, 'Give one of them.'));
  }
  return match;
}

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
  new Argument(name, 'JSON, YAML or CSV file or link (default: stdin)');

/** How hard to work. */
interface EffortOptions {
  readonly tolerance?: number;
  readonly exhausted?: () => boolean;
  readonly interrupted?: () => boolean;
}

const seconds: RangeOf = (flag, example) => ({
  ...atLeastZero(flag, example),
  allowed: 'a number of seconds, at least 0',
});

/** The options of how hard to work. */
export const EFFORT = inGroup('Computation:', {
  tolerance: numberOption('--tolerance <T>', 'relative gap between upper and lower bounds', properFraction, '1e-6'),
  maxSeconds: numberOption('--max-seconds <S>', 'skip bounds that need more than S seconds', seconds, '10'),
});

/** How hard to work, from now on. */
export function effortOf({ tolerance, maxSeconds }: Partial<ValuesOf<typeof EFFORT>>): EffortOptions {
  const end = maxSeconds === undefined ? Infinity : performance.now() + maxSeconds.toNumber() * 1000;
  const isOver = (): boolean => performance.now() >= end;
  return {
    ...(tolerance === undefined ? {} : { tolerance: tolerance.toNumber() }),
    ...(maxSeconds === undefined ? {} : { exhausted: isOver, interrupted: isOver }),
  };
}

/** How to work. */
export interface WorkOptions extends EffortOptions {
  readonly bounds?: readonly BoundId[];
}

function readBounds(text: string, errors: InputError[]): readonly BoundId[] {
  const ids = text.split(',').map((id) => id.trim());
  for (const id of ids.filter((id) => boundNamed(id) === null)) {
    const message = `unknown bound ${quote(id)}`;
    const hint = `${didYouMean(id, BOUND_IDS)}The bounds are ${BOUND_IDS.join(', ')}.`;
    errors.push({ code: 'unknown-bound', path: '--bounds', message, hint });
  }
  return [...new Set(ids.flatMap((id) => boundNamed(id) ?? []))];
}

const boundsOption = (what: string): DeclaredOption<readonly BoundId[] | undefined> => ({
  ...textOption('--bounds <ID,...>', `${what}; see dpcompose theorems`, () => BOUND_IDS),
  read: (typed, errors) => (typeof typed === 'string' ? readBounds(typed, errors) : undefined),
});

/** The options of which bounds are computed, and how. */
export const WORK = (what = 'use only these bounds') =>
  inGroup('Computation:', { bounds: boundsOption(what), ...EFFORT });

/** How to work, from now on. */
export const workOf = ({ bounds, ...effort }: Partial<ValuesOf<ReturnType<typeof WORK>>>): WorkOptions => ({
  ...effortOf(effort),
  ...(bounds === undefined ? {} : { bounds }),
});
