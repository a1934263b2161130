import type { Query } from '../../privacy/query.ts';
import type { Refusal } from '../../composition/core/outcome.ts';
import { requireTarget } from '../../document/require-target.ts';
import type { SpecResult } from '../../document/flags/specification-from-flags.ts';
import type { InputError, Specification } from '../../document/core/specification.ts';
import { specFlags, type ComposedFlags } from './document-options.ts';
import type { Io } from './io.ts';
import { nothingToRead, readGiven, type Given } from './source.ts';
import { readSyntaxName, syntaxNamed, syntaxNameOf } from './syntax.ts';
import { UsageError } from './usage-error.ts';

/** The target of a specification, as typed. */
export interface TargetFlags {
  readonly delta?: string | undefined;
  readonly epsilon?: string | undefined;
}

/** What the command line says of the specification, as typed: decimals stay exact. */
export interface SpecificationFlags extends ComposedFlags, TargetFlags {}

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
    'Usage: dpcompose batch FILE               one specification in each line, or piped in',
    '       dpcompose batch --help',
  ],
  compose: [
    'Usage: dpcompose compose SPEC             a JSON, YAML or CSV file, or piped in',
    '       dpcompose compose -m dp:epsilon=0.1,count=100 --delta 1e-6',
    '       dpcompose compose --help',
  ],
  curve: [
    'Usage: dpcompose curve SPEC --delta 1e-2:1e-8    a JSON, YAML or CSV file, or piped in',
    '       dpcompose curve -m dp:epsilon=0.1 --count 1:100 --delta 1e-6',
    '       dpcompose curve --help',
  ],
  design: [
    'Usage: dpcompose design SPEC              a JSON or YAML file, or piped in',
    '       dpcompose design --example histogram',
    '       dpcompose design --help',
  ],
  diff: [
    'Usage: dpcompose diff BEFORE AFTER        files, one of which may be piped in',
    '       dpcompose diff BEFORE --set mechanisms[0].count=50',
    '       dpcompose diff --help',
  ],
  plan: [
    'Usage: dpcompose plan SPEC                a JSON, YAML or CSV file, or piped in',
    '       dpcompose plan -m dp:epsilon=0.1,count=100 --delta 1e-6',
    '       dpcompose plan --help',
  ],
  solve: [
    'Usage: dpcompose solve SPEC --find count --epsilon 1 --delta 1e-6',
    '       dpcompose solve -m dp:epsilon=0.1 --find count --epsilon 1 --delta 1e-6',
    '       dpcompose solve --help',
  ],
  statement: [
    'Usage: dpcompose statement SPEC           a JSON, YAML or CSV file, or piped in',
    '       dpcompose statement -m dp:epsilon=0.1,count=100 --delta 1e-6',
    '       dpcompose statement --help',
  ],
  validate: [
    'Usage: dpcompose validate SPEC            a JSON, YAML or CSV file, or piped in',
    '       dpcompose validate --help',
  ],
  'ledger spend': [
    'Usage: dpcompose ledger spend FILE -m dp:epsilon=0.1',
    '       dpcompose ledger spend FILE SPEC   a JSON, YAML or CSV file, or piped in',
    '       dpcompose ledger spend --help',
  ],
  'ledger check': [
    'Usage: dpcompose ledger check FILE -m dp:epsilon=0.1',
    '       dpcompose ledger check FILE SPEC   a JSON, YAML or CSV file, or piped in',
    '       dpcompose ledger check --help',
  ],
  'ledger init': [
    'Usage: dpcompose ledger init FILE --mode compositor -m dp:epsilon=0.1,count=100 ...',
    '       dpcompose ledger init --help',
  ],
};

/** There is nothing to read: no source is given and nothing is piped in, or it is a terminal. */
export function nothingGiven({ command, source }: Pick<Origin, 'command' | 'source'>): UsageError {
  const hint =
    command === 'design' || command === 'batch'
      ? 'Give a file, or pipe it in.'
      : 'Give a file, pipe a document in, or use -m.';
  return new UsageError([nothingToRead(source, 'SPEC', 'read', hint)], { help: USAGE[command].join('\n') });
}

/** The document of a command; null where the mechanisms of the command line are all that is given. */
export async function readDocumentOf(origin: Origin, io: Io): Promise<Given | null> {
  const { source, flags, errors } = origin;
  if (source === undefined && (flags.mechanism ?? []).length > 0) return null;
  try {
    const given = await readGiven(source, io);
    if (given === null) throw nothingGiven(origin);
    return given;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError([...errors, ...error.errors], error.about);
  }
}

async function load<Target extends Query | null>(
  origin: Omit<Origin, 'source'>,
  read: (errors: readonly InputError[]) => Promise<Given | null>,
  chooseTarget: (
    specification: Specification,
    required: (from: Specification) => Query | InputError,
  ) => Target | InputError,
): Promise<Loaded<Target>> {
  const errors = [...origin.errors];
  const asked = readSyntaxName(origin.flags, errors);
  const given = await read(errors);
  const { delta, epsilon } = origin.flags;
  const flags = { ...specFlags(origin.flags), delta, epsilon };
  const result: SpecResult =
    given === null
      ? (await import('../../document/flags/specification-from-flags.ts')).specificationFromFlags(flags)
      : (await import('../../document/read-specification.ts')).readSpecification(
          given.input,
          flags,
          await syntaxNamed(await syntaxNameOf(given, asked)),
        );
  const about = { source: given?.source ?? null };
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

/** The specification that a document which was read before gives with flags, whether it says what to solve for or not. */
export function specificationIn(given: Given, origin: Omit<Origin, 'source'>): Promise<Loaded<Query | null>> {
  return load<Query | null>(
    origin,
    () => Promise.resolve(given),
    ({ target }) => target,
  );
}

/** Reads a specification, whether it says what to solve for or not. */
export function loadSpecification(origin: Origin, io: Io): Promise<Loaded<Query | null>> {
  return load<Query | null>(
    origin,
    (errors) => readDocumentOf({ ...origin, errors }, io),
    ({ target }) => target,
  );
}

/** Reads a specification that must say, with the help of the command line, what to solve for. */
export function loadQuestion(origin: Origin, io: Io): Promise<Loaded<Query>> {
  const read = (errors: readonly InputError[]) => readDocumentOf({ ...origin, errors }, io);
  return load<Query>(origin, read, (specification, required) => required(specification));
}
