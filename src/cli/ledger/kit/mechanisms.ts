import { Argument } from 'commander';
import type { ChargedParts } from '../../../composition/compose/compose.ts';
import { flatEntries } from '../../../composition/core/plan-node.ts';
import { hasImpliedSparsity } from '../../../document/structure/relation.ts';
import type { Setting } from '../../../composition/core/setting.ts';
import type { Entry } from '../../../privacy/mechanism.ts';
import { ZERO } from '../../../numeric/decimal.ts';
import type { InputError, Specification } from '../../../document/core/specification.ts';
import { quote } from '../../../document/core/quote.ts';
import { DOCUMENT, type DocumentFlags, MECHANISM } from '../../kit/shared-options.ts';
import type { Io } from '../../kit/io.ts';
import { loadSpecification, type Origin } from '../../kit/load-specification.ts';
import { covered } from '../../kit/refusal.ts';
import { inGroup, textOption } from '../../kit/option.ts';
import { UsageError } from '../../kit/usage-error.ts';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { EVIDENCE } from '../../../ledger/rules/terms.ts';
import { reasonOf } from '../../../ledger/stores/file/system-error.ts';
import type { ErrorCode } from '../../../document/core/error-codes.ts';
import { noteInput } from '../../kit/source.ts';
import type { Run } from './ledger-command.ts';

/** The options that name the evidence for a guarantee. */
export const EVIDENCED = {
  evidence: textOption('--evidence <FILE|sha256:HEX>', 'evidence for the guarantee; its hash is recorded'),
};

/** The options of what is declared, as -m or in a document. */
export const DECLARED = { mechanism: MECHANISM('add a mechanism (repeatable)'), ...DOCUMENT };

/** The same with their evidence, and with a name for those that have none; `label` says what it is. */
export const REQUESTED = (group: string, label: string) =>
  inGroup(group, { ...DECLARED, label: textOption('--label <TEXT>', label), ...EVIDENCED });

/** The options that declare the mechanisms of a request. */
export interface MechanismFlags extends DocumentFlags {
  readonly mechanism?: readonly string[] | undefined;
  readonly label?: string | undefined;
  readonly evidence?: string | undefined;
}

/** The mechanisms of a request, and what their document says of them. */
export interface Requested {
  readonly entries: readonly Entry[];
  /** What theorems need, as far as a document states or denies it. */
  readonly setting: Setting;
  /** Between which data the guarantees are meant, where a document says. */
  readonly neighbours: string | null;
  /** Whether how many parts differ depends on neighbours that the document does not name. */
  readonly leavesParts?: boolean;
}

/** Whether a document denies anything that theorems need. */
export const deniesAny = (setting: Setting): boolean => Object.values(setting).includes('denied');

/**
 * Mechanisms as a ledger charges them: of one whose guarantee holds for fixed questions only, no more than its (epsilon, 0)
 * is left where the questions are chosen.
 */
async function asCharged(entries: readonly Entry[], { adaptiveAdversary }: Setting): Promise<readonly Entry[]> {
  if (adaptiveAdversary !== 'denied') return entries;
  const [{ byEpsilonDelta }, { isPure }] = await Promise.all([
    import('../../../composition/plan/cost.ts'),
    import('../../../composition/plan/rules.ts'),
  ]);
  return entries.map((entry) => (entry.kind !== 'noninteractive' && isPure(entry) ? byEpsilonDelta(entry) : entry));
}

/** What is charged for a document: its mechanisms, and each part as one with the (epsilon, delta) of the target, or epsilon at delta 0. */
async function chargedFor(specification: Specification): Promise<ChargedParts> {
  const { entries: nodes, adaptivity, target, design } = specification;
  const entries = flatEntries(nodes);
  if (entries !== null) return { kind: 'charged', entries };
  if (design !== null) throw new UsageError([UNCHECKED]);
  if (adaptivity === 'parameters') {
    return { kind: 'refusal', refusal: { code: 'adaptive-parameters-in-parallel' } };
  }
  const { chargedParts } = await import('../../../composition/compose/compose.ts');
  return chargedParts(specification, target ?? { solveFor: 'epsilon', delta: ZERO });
}

const UNCHECKED: InputError = {
  code: 'conflicting-keys',
  path: 'design',
  message: 'a ledger charges the parts of a plan, but does not check its design',
  hint: 'Run dpcompose design, and charge what it certifies: -m dp:epsilon=E,delta=D,kind=continual.',
};

const withoutEpsilon = (path: string): InputError => ({
  code: 'no-target',
  path,
  message: 'this part is charged as one (epsilon, delta), and has no finite epsilon at this delta',
  hint: 'Add "target": {"delta": "1e-6"} to the document, or a larger delta.',
});

/**
 * The mechanisms of a document and of -m, named by --label where they have no label of their own. Throws what is wrong, with
 * the mistakes found so far, and what is refused.
 */
export async function readMechanisms(
  source: string | undefined,
  { mechanism, set, inputFormat, label }: MechanismFlags,
  errors: readonly InputError[],
  command: Origin['command'],
  io: Io,
): Promise<Requested> {
  const flags = { mechanism, set, inputFormat };
  const specification = await loadSpecification({ command, source, flags, errors, io });
  const charged = covered(await chargedFor(specification));
  if (charged.kind === 'infinite') throw new UsageError([withoutEpsilon(charged.path)]);
  const labelled = charged.entries.map((entry) =>
    label === undefined ? entry : { ...entry, label: entry.label ?? label },
  );
  const { setting, neighbours, entries } = specification;
  const leavesParts = neighbours === null && hasImpliedSparsity(entries);
  return { entries: await asCharged(labelled, setting), setting, neighbours, leavesParts };
}

/** What on a command line says what is to be launched. */
const placeOf = ({ mechanism = [] }: MechanismFlags, source = '-'): string => (mechanism.length > 0 ? '-m' : source);

/** What is to be launched, with the evidence for it. */
interface Launch {
  readonly entries: readonly Entry[];
  readonly evidence: string | null;
}

/** What a request is, of the command that has its options. */
export async function readRequest(
  { flags, errors, context: { io } }: Pick<Run, 'errors' | 'context'> & { readonly flags: MechanismFlags },
  source: string | undefined,
  command: Origin['command'] = 'ledger spend',
): Promise<{ readonly requested: Requested; readonly launchRequest: Launch; readonly launch: string }> {
  const evidence = await readEvidence(flags, errors, io);
  const requested = await readMechanisms(source, flags, errors, command, io);
  return { requested, launchRequest: { entries: requested.entries, evidence }, launch: placeOf(flags, source) };
}

/** Whether a request may be one that a ledger cannot take, for what the ledger says of neighbours and the document of theorems. */
export const mayNotFit = ({ neighbours, setting, leavesParts }: Requested): boolean =>
  neighbours !== null || leavesParts === true || deniesAny(setting);

const PARTS_LEFT = {
  code: 'other-neighbours',
  path: 'neighbours',
  message:
    'the ledger is for replace-one neighbors, and a replaced record may change its partition: the sparsity is not given',
  hint: 'Add "neighbours": "replace-one" to the document (two partitions differ), or "sparsity" to the partition.',
} as const;

/**
 * Data between which a document means its guarantees must be those that the ledger means, where both say; `file` names the ledger
 * where several were asked.
 */
export function checkNeighbours(
  { neighbours, leavesParts }: Pick<Requested, 'entries' | 'neighbours' | 'leavesParts'>,
  ledger: string | null,
  file?: string,
): void {
  if (leavesParts === true && ledger === 'replace-one') throw new UsageError([PARTS_LEFT]);
  if (neighbours === null || ledger === null || neighbours === ledger) return;
  const which = file === undefined ? 'the ledger' : `the ledger ${quote(file)}`;
  const message = `the guarantees are for neighbors ${quote(neighbours)}, and ${which} is for ${quote(ledger)}`;
  const hint = 'Write guarantees for the neighboring relation of the ledger, in the words that the ledger uses.';
  throw new UsageError([{ code: 'other-neighbours', path: 'neighbours', message, hint }]);
}

/** The hash of what a guarantee was verified by; null where nothing is given. What is wrong goes to `errors`. */
async function readEvidence({ evidence }: MechanismFlags, errors: InputError[], io: Io): Promise<string | null> {
  if (evidence === undefined || EVIDENCE.test(evidence)) return evidence ?? null;
  const fail = (code: ErrorCode, message: string, hint: string): null => {
    errors.push({ code, path: '--evidence', message, hint });
    return null;
  };
  if (evidence.startsWith('sha256:')) {
    const message = `must be sha256: and 64 hexadecimal digits in lower case, got ${quote(evidence)}`;
    return fail('malformed-hash', message, 'Name the file itself: its hash is computed.');
  }
  noteInput(evidence, io);
  const digest = createHash('sha256');
  try {
    await pipeline(createReadStream(resolve(io.cwd(), evidence)), digest);
  } catch (error) {
    const message = `${quote(evidence)} cannot be read: ${reasonOf(error)}`;
    return fail('unreadable', message, 'Name a file that can be read, or its hash as sha256:HEX.');
  }
  return `sha256:${digest.digest('hex')}`;
}

/** What the operands of a command are. */
export interface Operands {
  /** Ledgers, as they were typed. */
  readonly files: readonly string[];
  /** The document that lists the mechanisms; undefined where none is named. */
  readonly source: string | undefined;
}

/** The operands of a command that asks one ledger or several. */
export const PLACES = new Argument(
  '[FILE...]',
  'the ledger, or several; without -m the last of two or more is the specification file',
);

const MISSING: InputError = {
  code: 'missing-argument',
  path: 'FILE',
  message: 'no ledger is named',
  hint: 'Name it first, for example: budget.jsonl -m dp:epsilon=0.1. Or use --budgets FILE.',
};

/**
 * Which operands are ledgers: all of them where mechanisms stand in flags, or else all but the last of several. With budgets,
 * which name the ledgers, one may be there, the document.
 */
export function operandsOf(
  operands: readonly string[],
  { mechanism, budgets }: MechanismFlags & { readonly budgets?: string | undefined },
  errors: InputError[],
): Operands {
  const declares = (mechanism ?? []).length > 0;
  if (budgets !== undefined) {
    if (operands.length > (declares ? 0 : 1)) {
      const hint = 'Omit them: --budgets and --for name the ledgers.';
      const message = `ledgers are named together with --budgets: ${operands.join(' ')}`;
      errors.push({ code: 'excess-arguments', path: 'FILE', message, hint });
    }
    return { files: [], source: operands[0] };
  }
  if (operands.length === 0) errors.push(MISSING);
  if (declares || operands.length < 2) return { files: operands, source: undefined };
  return { files: operands.slice(0, -1), source: operands.at(-1) };
}
