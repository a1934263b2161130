import type { Refusal } from '../../ledger/rules/refusal.ts';
import { isAnswer } from '../../ledger/spend-in.ts';
import { decisionOutput, type DecisionReport } from '../../output/ledger/decision.ts';
import { decisionsOutput, isGrantedTogether, type JointDecisionReport } from '../../output/ledger/decisions.ts';
import { noTheoremJson, noTheoremReference, refusalCode, refusalText } from '../../output/ledger/refusals.ts';
import { type Context, VERSION, EXIT, type Destination } from '../kit/io.ts';
import { plainRefusal } from '../../output/kit/page.ts';
import { orRefused, refused, RefusedRequest, tellRefused } from '../kit/refusal.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import type { ChargedBudgets } from './kit/budgets-option.ts';
import { writeResult, type CommandResult } from './kit/ledger-command.ts';
import { recordedText, orThrow, type Named, storeHint, type StoreFlags } from './kit/store-option.ts';
import type { Uncovered } from '../../composition/core/outcome.ts';
import type { Terms } from '../../ledger/rules/terms.ts';
import { needsFiniteCommunication } from '../../ledger/decide.ts';
import { checkNeighbours, deniesAny, mayNotFit, type Requested } from './kit/mechanisms.ts';

/** What was typed: the ledger, and what says what is to be launched, where anything does. */
interface Typed {
  readonly file: string;
  readonly launch?: string;
}

/** Where what is asked for stands on the command line. */
function place(refusal: Refusal, { file, launch = file }: Typed): string {
  if (refusal.code !== 'unverified') return refusal.code === 'invalid-terms' ? refusal.path : file;
  if (refusal.reason === 'no-evidence') return '--evidence';
  if (refusal.reason === 'unchecked-terms') return file;
  if (refusal.reason === 'no-evidence-in-child') return '--terms evidence';
  if (refusal.reason === 'other-neighbours') return '--neighbours';
  return refusal.reason === 'other-distance' ? '--terms distance' : launch;
}

/** The end of a command by a refusal that is no answer: no theorem covers what was asked, or it makes no sense for the ledger. */
export function ledgerRefusal(
  refusal: Refusal,
  { isOneOf = false, ...typed }: Typed & { readonly isOneOf?: boolean },
): RefusedRequest | UsageError {
  const { file } = typed;
  const path = place(refusal, typed);
  const { message: reason, hint } = refusalText(refusal);
  const message = isOneOf && (refusal.code === 'no-theorem' || path !== file) ? `${file}: ${reason}` : reason;
  if (refusal.code !== 'no-theorem') return new UsageError([{ code: refusalCode(refusal), path, message, hint }]);
  const text = plainRefusal(`${message}. ${hint}`);
  const reference = noTheoremReference(refusal);
  const json = (): string => noTheoremJson(refusalCode(refusal), refusal, VERSION);
  return new RefusedRequest((manner) => tellRefused({ text, reference, json }, manner));
}

/** The answer to a request: the decision, or the end of the command by a refusal that is none. */
export function decisionResult(answered: DecisionReport, launch?: string): CommandResult {
  const { decision, file, record } = answered;
  const isAccepted = decision.kind === 'accepted';
  if (decision.kind === 'refused' && !isAnswer(decision))
    throw ledgerRefusal(decision.refusal, { file, ...(launch !== undefined && { launch }) });
  const hasEnded = decision.kind === 'refused' && decision.halts;
  const what = isAccepted ? 'it' : hasEnded ? 'the denial, which halted the ledger,' : 'the denial';
  return {
    ...decisionOutput(answered),
    recordNote: record && recordedText(record, what),
    exit: isAccepted ? EXIT.done : EXIT.no,
  };
}

/** Delivers the answer to a request, and returns the exit code. */
export const writeDecision = (
  answered: DecisionReport,
  put: Destination | null,
  flags: PrintFlags,
  context: Context,
  launch: string,
): Promise<number> => {
  const manner = { format: flags.json === true ? 'json' : 'table', color: flags.color, io: context.io } as const;
  return orRefused(manner, () => writeResult(decisionResult(answered, launch), put, flags, context));
};

/** What is known of an answer beside what the ledgers say. */
interface Together extends Omit<JointDecisionReport, 'caveats' | 'store'> {
  readonly charged: ChargedBudgets | null;
  readonly launch: string;
}

/** The answer of one ledger, or of several together. */
export async function decisionsResult(
  { charged, launch, ...report }: Together,
  { flags, context: { io } }: { readonly flags: StoreFlags; readonly context: Context },
): Promise<CommandResult> {
  const { request, parts, settled, command } = report;
  const [part, ...others] = parts;
  if (part === undefined) throw new Error('A ledger was asked, and none has answered.');
  if (charged === null && others.length === 0) {
    const { store } = flags;
    return decisionResult({ command, request, ...part, settled, store }, launch);
  }
  for (const { file, decision } of parts) {
    if (decision.kind === 'refused' && !isAnswer(decision)) {
      throw ledgerRefusal(decision.refusal, { file, launch, isOneOf: true });
    }
  }
  const caveats =
    charged === null ? [] : (await import('../../ledger/budgets/budgets.ts')).caveatsOfBudgets(charged.budgets);
  const answered = { ...report, caveats, store: charged === null ? null : storeHint(flags, io) };
  const granted = isGrantedTogether(answered);
  const recordTexts = parts.flatMap(({ file, record }) =>
    record === null ? [] : [`in ${file} ${recordedText(record, granted ? 'it' : 'the denial')}`],
  );
  return {
    ...decisionsOutput(answered),
    recordNote: recordTexts.length === 0 ? null : recordTexts.join(' '),
    exit: granted ? EXIT.done : EXIT.no,
  };
}

type NoTheorem = Extract<Refusal, { code: 'no-theorem' }>;

const isRenyi = (terms: Terms): boolean =>
  terms.mode !== 'compositor' && ['zcdp', 'rdp', 'rdp-curve'].includes(terms.rule.id);

/** What the rule of a ledger does not cover, apart from trade-off functions. */
async function uncoveredIn({ entries, setting }: Requested, terms: Terms): Promise<Uncovered | null> {
  const { admittedMeasure } = await import('../../composition/plan/mechanism-cost.ts');
  const parts: Uncovered[] = [];
  // What a ledger holds is never alone; one after the other, mechanisms need no more than adaptive adversaries.
  const context = {
    plan: { setting },
    alone: terms.concurrency === 'sequential',
    uncovered: (part: Uncovered) => parts.push(part),
  };
  entries.forEach((entry, i) =>
    admittedMeasure(entry, { path: `mechanisms[${i}]`, label: entry.label }, !isRenyi(terms), context),
  );
  return parts[0] ?? null;
}

/** A ledger that is asked. */
export interface TargetLedger {
  readonly terms: Terms;
  readonly file: string;
  /** Whether several are asked, so that it is named. */
  readonly isOneOf?: boolean;
}

/** What a ledger does not cover of what a document denies. */
async function refusalIn(requested: Requested, { terms }: TargetLedger): Promise<Uncovered | NoTheorem | null> {
  const { entries, setting } = requested;
  const isEndless = setting.finiteCommunication === 'denied' || setting.discrete === 'denied';
  const finiteCommunication = isEndless ? ('denied' as const) : ('stated' as const);
  const uncovered = await uncoveredIn({ ...requested, setting: { ...setting, finiteCommunication } }, terms);
  if (uncovered !== null || terms.mode === 'compositor' || !isEndless) return uncovered;
  const endless = entries.find((entry) => needsFiniteCommunication(entry, terms));
  if (endless === undefined) return null;
  const { type } = endless.mechanism;
  return { code: 'no-theorem', reason: 'communication-not-finite', rule: terms.rule.id, found: type };
}

/**
 * Ends a command where a document denies what the theorem of one of the ledgers needs.
 *
 * That communication is finite is assumed where nothing is said, and told as a caveat. Answers that are not discrete rule it
 * out.
 */
export async function requireCovered(requested: Requested, ledgers: readonly TargetLedger[]): Promise<void> {
  if (!deniesAny(requested.setting)) return;
  for (const ledger of ledgers) {
    const refusal = await refusalIn(requested, ledger);
    if (refusal === null) continue;
    throw refusal.code === 'no-theorem'
      ? ledgerRefusal(refusal, ledger)
      : refused({ ...refusal, impossibilityBound: null });
  }
}

/** Ends a command where a request is not for a ledger: for its neighbours, or for its theorems. */
export async function requireFitting(requested: Requested, { store, file }: Named): Promise<void> {
  if (!mayNotFit(requested)) return;
  const { readPresent } = await import('../../ledger/present.ts');
  const { terms } = orThrow(await readPresent(store, file), { file }).header;
  checkNeighbours(requested, terms.neighbours);
  await requireCovered(requested, [{ terms, file }]);
}
