import type { Query } from '../privacy/query.ts';
import type { Refusal } from '../composition/outcome.ts';
import { requireTarget } from '../spec/require-target.ts';
import type { InputError, Specification } from '../spec/specification.ts';
import type { Io } from './io.ts';
import { readSource, sourceName } from './source.ts';
import { readSyntaxName, syntaxNamed, type SyntaxFlags } from './syntax.ts';
import { UsageError } from './usage-error.ts';

/** What the command line says of the specification, as typed: decimals stay exact. */
export interface SpecificationFlags extends SyntaxFlags {
  readonly mechanism?: readonly string[];
  readonly nonadaptive?: boolean;
  readonly order?: string;
  readonly delta?: string;
  readonly epsilon?: string;
}

/** Where a specification comes from, and for which command. */
export interface Origin {
  readonly command: keyof typeof USAGE;
  readonly source: string | undefined;
  readonly flags: SpecificationFlags;
  /** Mistakes found so far; they are reported together with those of the specification. */
  readonly errors: readonly InputError[];
}

/** What was read; `target` is null only for commands that need none. */
export type Loaded<Target extends Query | null> =
  | { readonly kind: 'specification'; readonly specification: Specification; readonly target: Target }
  | { readonly kind: 'refusal'; readonly refusal: Refusal };

const USAGE = {
  batch: [
    'Usage: dpcompose batch FILE               one specification in each line, or - for standard input',
    '       dpcompose batch --help',
  ],
  compose: [
    'Usage: dpcompose compose SPEC             a JSON, YAML or CSV file, or - for standard input',
    '       dpcompose compose -m dp:epsilon=0.1,count=100 --delta 1e-6',
    '       dpcompose compose --help',
  ],
  curve: [
    'Usage: dpcompose curve SPEC --delta 1e-2:1e-8    a JSON file, or - for standard input',
    '       dpcompose curve -m dp:epsilon=0.1 --count 1:100 --delta 1e-6',
    '       dpcompose curve --help',
  ],
  design: [
    'Usage: dpcompose design SPEC              a JSON, YAML or CSV file, or - for standard input',
    '       dpcompose design --example histogram',
    '       dpcompose design --help',
  ],
  diff: [
    'Usage: dpcompose diff BEFORE AFTER        JSON files, one of them may be - for standard input',
    '       dpcompose diff --help',
  ],
  plan: [
    'Usage: dpcompose plan SPEC                a JSON, YAML or CSV file, or - for standard input',
    '       dpcompose plan --help',
  ],
  solve: [
    'Usage: dpcompose solve SPEC --find count --epsilon 1 --delta 1e-6',
    '       dpcompose solve -m dp:epsilon=0.1 --find count --epsilon 1 --delta 1e-6',
    '       dpcompose solve --help',
  ],
  statement: [
    'Usage: dpcompose statement SPEC           a JSON file, or - for standard input',
    '       dpcompose statement --help',
  ],
  validate: [
    'Usage: dpcompose validate SPEC            a JSON, YAML or CSV file, or - for standard input',
    '       dpcompose validate --help',
  ],
  'ledger spend': [
    'Usage: dpcompose ledger spend FILE -m dp:epsilon=0.1',
    '       dpcompose ledger spend FILE SPEC   a JSON file, or - for standard input',
    '       dpcompose ledger spend --help',
  ],
  'ledger check': [
    'Usage: dpcompose ledger check FILE -m dp:epsilon=0.1',
    '       dpcompose ledger check FILE SPEC   a JSON file, or - for standard input',
    '       dpcompose ledger check --help',
  ],
  'ledger init': [
    'Usage: dpcompose ledger init FILE --mode compositor -m dp:epsilon=0.1,count=100 ...',
    '       dpcompose ledger init --help',
  ],
};

const TAKES_FLAGS: ReadonlySet<string> = new Set([
  'compose',
  'solve',
  'curve',
  'ledger spend',
  'ledger check',
  'ledger init',
]);

/** There is nothing to read: no source is given, or it is a terminal. */
export function nothingGiven({ command, source }: Pick<Origin, 'command' | 'source'>): UsageError {
  const error: InputError = {
    code: 'no-input',
    path: source ?? 'SPEC',
    message: source === undefined ? 'nothing is given to read' : 'standard input is a terminal, not a document',
    hint: TAKES_FLAGS.has(command)
      ? 'Give a file, pipe a document to -, or use -m.'
      : 'Give a file, or pipe a document to -.',
  };
  return new UsageError([error], { help: USAGE[command].join('\n') });
}

async function read(origin: Origin, io: Io): Promise<Uint8Array | null> {
  const { source, flags, errors } = origin;
  const absent = source === undefined && (flags.mechanism ?? []).length === 0;
  try {
    if (absent || (source === '-' && io.stdin.isTTY === true)) throw nothingGiven(origin);
    return source === undefined ? null : await readSource(source, io);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError([...errors, ...error.errors], error.about);
  }
}

async function load<Target extends Query | null>(
  origin: Origin,
  io: Io,
  chooseTarget: (
    specification: Specification,
    required: (from: Specification) => Query | InputError,
  ) => Target | InputError,
): Promise<Loaded<Target>> {
  const { source, flags } = origin;
  const errors = [...origin.errors];
  const syntax = readSyntaxName(source, flags, errors);
  const input = await read({ ...origin, errors }, io);
  const given = { ...flags, mechanisms: flags.mechanism };
  const result =
    input === null
      ? (await import('../spec/specification-from-flags.ts')).specificationFromFlags(given)
      : (await import('../spec/read-specification.ts')).readSpecification(input, given, await syntaxNamed(syntax));
  const about = { source: source === undefined ? null : sourceName(source) };
  if (result.kind === 'errors') throw new UsageError([...errors, ...result.errors], { ...about, more: result.more });
  if (result.kind === 'refusal') {
    if (errors.length > 0) throw new UsageError(errors);
    return result;
  }
  const { specification } = result;
  const target = chooseTarget(specification, requireTarget);
  if (target !== null && 'message' in target) throw new UsageError([...errors, target], about);
  if (errors.length > 0) throw new UsageError(errors);
  return { kind: 'specification', specification, target };
}

/** Reads a specification, whether it says what to solve for or not. */
export function loadSpecification(origin: Origin, io: Io): Promise<Loaded<Query | null>> {
  return load<Query | null>(origin, io, ({ target }) => target);
}

/** Reads a specification that must say, with the help of the command line, what to solve for. */
export function loadQuestion(origin: Origin, io: Io): Promise<Loaded<Query>> {
  return load<Query>(origin, io, (specification, required) => required(specification));
}
