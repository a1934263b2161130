import type { Query } from '../../privacy/curve.ts';
import { requireTarget } from '../../document/read-specification.ts';
import type { SpecResult } from '../../document/flags/command-line.ts';
import { isLedger, ledgerGiven } from '../../document/core/ledger-text.ts';
import { shellWord, sourceName } from '../../output/kit/prose.ts';
import type { InputError, Specification } from '../../document/core/specification.ts';
import { type ComposedFlags, specFlags } from './shared-options.ts';
import type { Io } from './io.ts';
import { covered } from './refusal.ts';
import { type SourceText, nothingToRead, readRequired, syntaxNamed, syntaxNameOf } from './source.ts';
import { UsageError } from './usage-error.ts';

/** The target of a specification, as typed. */
interface TargetFlags {
  readonly delta?: string | undefined;
  readonly epsilon?: string | undefined;
}

/** The options that describe a specification and its target, as typed: decimals stay exact. */
export interface SpecificationFlags extends ComposedFlags, TargetFlags {}

/** Where a specification comes from, and for which command. */
export interface Origin {
  readonly command: keyof typeof USAGE;
  readonly source: string | undefined;
  readonly flags: SpecificationFlags;
  /** Mistakes found so far; they are reported together with those of the specification. */
  readonly errors: readonly InputError[];
  readonly io: Io;
}

/** A specification that says what to solve for. */
export type Question = Specification & { readonly target: Query };

const FROM_FILE = 'a JSON, YAML or CSV file, or piped in';
const EXAMPLE = '-m dp:epsilon=0.1,count=100 --delta 1e-6';

/** How each command is used, in lines after its name; the last line names its help. */
const USAGE = {
  audit: [
    'SPEC --scores FILE --method thresholds --split',
    '-m gaussian:sigma=1 --scores FILE --method thresholds --split',
  ],
  batch: ['FILE               one specification in each line, or piped in'],
  compose: [`SPEC             ${FROM_FILE}`, EXAMPLE],
  compare: ['FIRST SECOND     files, one of which may be piped in', 'FIRST --set mechanisms[0].count=50'],
  curve: [`SPEC --delta 1e-2:1e-8    ${FROM_FILE}`, '-m dp:epsilon=0.1 --count 1:100 --delta 1e-6'],
  design: ['SPEC              a JSON or YAML file, or piped in', '--example histogram'],
  diff: ['BEFORE AFTER        files, one of which may be piped in', 'BEFORE --set mechanisms[0].count=50'],
  plan: [`SPEC                ${FROM_FILE}`, EXAMPLE],
  risk: [`SPEC                ${FROM_FILE}`, '-m gaussian:sigma=1'],
  solve: ['SPEC --find count --epsilon 1 --delta 1e-6', '-m dp:epsilon=0.1 --find count --epsilon 1 --delta 1e-6'],
  statement: [`SPEC           ${FROM_FILE}`, EXAMPLE],
  validate: [`SPEC            ${FROM_FILE}`],
  'ledger spend': ['FILE -m dp:epsilon=0.1', `FILE SPEC   ${FROM_FILE}`],
  'ledger check': ['FILE -m dp:epsilon=0.1', `FILE SPEC   ${FROM_FILE}`],
  'ledger init': ['FILE --mode compositor -m dp:epsilon=0.1,count=100 ...'],
};

const usageOf = (command: keyof typeof USAGE): string =>
  [...USAGE[command], '--help']
    .map((words, index) => `${index === 0 ? 'Usage:' : '      '} dpcompose ${command} ${words}`)
    .join('\n');

/** There is nothing to read: no source is given and nothing is piped in, or it is a terminal. */
export function nothingGiven({ command, source }: Pick<Origin, 'command' | 'source'>): UsageError {
  const hint =
    command === 'design' || command === 'batch'
      ? 'Give a file, or pipe it in.'
      : command === 'compare' || command === 'diff'
        ? 'Give a file, or pipe a document in; -m changes it into the second one.'
        : 'Give a file, pipe a document in, or use -m.';
  return new UsageError([nothingToRead(source, 'SPEC', 'read', hint)], { help: usageOf(command) });
}

/** That a ledger was given as the document of a command. */
function ledgerAt(source: string, command: Origin['command']): InputError {
  const isCharged = command === 'ledger spend' || command === 'ledger check';
  const problem = ledgerGiven(
    isCharged
      ? 'Name ledgers first, the specification last. If all are ledgers, add the mechanisms with -m.'
      : `Run dpcompose ledger status ${source === '-' ? 'with its name' : shellWord(source)}.`,
  );
  return { ...problem, path: sourceName(source), message: 'is a ledger, not a specification' };
}

/** The document of a command; null where the mechanisms of the command line are all that is given. */
export async function readDocumentOf(origin: Origin): Promise<SourceText | null> {
  const { command, source, flags, errors, io } = origin;
  if (source === undefined && (flags.mechanism ?? []).length > 0) return null;
  const given = await readRequired(source, io, errors, () => nothingGiven(origin));
  if (isLedger(given.input)) throw new UsageError([...errors, ledgerAt(given.source, command)]);
  return given;
}

/** Reads the document together with the flags; without one, the mechanisms of the command line alone. */
async function interpreted(document: SourceText | null, flags: SpecificationFlags): Promise<SpecResult> {
  const { delta, epsilon, inputFormat } = flags;
  const all = { ...specFlags(flags), delta, epsilon };
  if (document === null) return (await import('../../document/flags/command-line.ts')).specificationFromFlags(all);
  const syntax = await syntaxNamed(await syntaxNameOf(document, inputFormat));
  return (await import('../../document/read-specification.ts')).readSpecification(document.input, all, syntax);
}

/** The specification that a document which was read before (null: there is none) gives with flags; `isQuestion`: it must have a target. */
export async function specificationIn(
  document: SourceText | null,
  { flags, errors }: Pick<Origin, 'flags' | 'errors'>,
  isQuestion = false,
): Promise<Specification> {
  const about = { source: document?.source ?? null };
  const result = await interpreted(document, flags);
  if (result.kind === 'errors') throw new UsageError([...errors, ...result.errors], { ...about, more: result.more });
  const target = isQuestion && result.kind === 'specification' ? requireTarget(result.specification) : null;
  if (target !== null && 'message' in target) throw new UsageError([...errors, target], about);
  if (errors.length > 0) throw new UsageError(errors);
  return covered(result).specification;
}

/** Reads a specification, whether it says what to solve for or not. */
export const loadSpecification = async (origin: Origin): Promise<Specification> =>
  specificationIn(await readDocumentOf(origin), origin);

/** Reads a specification that must say, with the help of the command line, what to solve for. */
export const loadQuestion = async (origin: Origin): Promise<Question> =>
  (await specificationIn(await readDocumentOf(origin), origin, true)) as Question;
