import type { Refusal } from '../../ledger/core/refusal.ts';
import { isAnswer } from '../../ledger/journal/launch.ts';
import { decisionJson, decisionText, type Answered } from '../../report/ledger/decision.ts';
import {
  decisionsJson,
  decisionsText,
  isGrantedTogether,
  type AnsweredTogether,
} from '../../report/ledger/decisions.ts';
import { noTheoremJson, noTheoremReference } from '../../report/ledger/no-theorem.ts';
import { refusalCode, refusalText } from '../../report/ledger/refusal-message.ts';
import type { Context } from '../kit/context.ts';
import { EXIT } from '../kit/exit.ts';
import type { Destination } from '../kit/io.ts';
import { plainRefusal } from '../../report/kit/fix.ts';
import { tellRefused, tellRefusal } from '../kit/refusal.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { deliver, recordedText, invalidRequest } from './kit/named-ledger.ts';
import type { Uncovered } from '../../composition/core/outcome.ts';
import type { Terms } from '../../ledger/core/terms.ts';
import { needsFiniteCommunication } from '../../ledger/spend.ts';
import { deniesAny, type Requested } from './kit/mechanisms.ts';

/** What was typed: the ledger, and the option that says what is to be launched. */
interface Typed {
  readonly file: string;
  readonly launch?: string;
}

/** Where what is asked for stands on the command line. */
function place(refusal: Refusal, { file, launch = '-m' }: Typed): string {
  if (refusal.code !== 'unverified') return refusal.code === 'invalid-terms' ? refusal.path : file;
  if (refusal.reason === 'no-evidence') return '--evidence';
  if (refusal.reason === 'unchecked-terms') return file;
  if (refusal.reason === 'no-evidence-in-child') return '--terms evidence';
  if (refusal.reason === 'other-neighbours') return '--neighbours';
  return refusal.reason === 'other-distance' ? '--terms distance' : launch;
}

/**
 * Ends a command with a refusal that is no answer: no theorem covers what was asked, or it makes no sense for the ledger.
 */
export async function tellLedgerRefusal(
  refusal: Refusal,
  flags: PrintFlags,
  { io, version }: Context,
  { isOneOf = false, ...typed }: Typed & { readonly isOneOf?: boolean },
): Promise<number> {
  const { file } = typed;
  const at = place(refusal, typed);
  if (refusal.code !== 'no-theorem') throw invalidRequest(refusal, at, isOneOf && at !== file ? file : undefined);
  const { message: reason, hint } = refusalText(refusal);
  const message = isOneOf ? `${file}: ${reason}` : reason;
  const format = flags.json === true ? 'json' : 'table';
  const reference = noTheoremReference(refusal);
  const json = (): string => noTheoremJson(refusalCode(refusal), refusal, version);
  return await tellRefused(
    { text: plainRefusal(`${message}. ${hint}`), reference, json },
    { format, color: flags.color, io },
  );
}

/** Delivers the decision on a request to its destination, and returns the exit code. */
export async function tellAnswer(
  answered: Answered,
  put: Destination | null,
  flags: PrintFlags,
  context: Context,
  launch?: string,
): Promise<number> {
  const { decision, file } = answered;
  if (decision.kind === 'refused' && !isAnswer(decision)) {
    return await tellLedgerRefusal(decision.refusal, flags, context, { file, ...(launch && { launch }) });
  }
  const text = flags.json === true ? decisionJson(answered, context.version) : decisionText(answered);
  const ended = decision.kind === 'refused' && decision.halts;
  const what = decision.kind === 'accepted' ? 'it' : ended ? 'the refusal, which ended the ledger,' : 'the refusal';
  await deliver(put, text, answered.record && recordedText(answered.record, what));
  return decision.kind === 'accepted' ? EXIT.done : EXIT.no;
}

/** Delivers the decision of several ledgers on a request to its destination, and returns the exit code. */
export async function tellAnswers(
  answered: AnsweredTogether,
  put: Destination | null,
  flags: PrintFlags,
  context: Context,
): Promise<number> {
  for (const { file, decision } of answered.parts) {
    if (decision.kind === 'refused' && !isAnswer(decision)) {
      return await tellLedgerRefusal(decision.refusal, flags, context, { file, isOneOf: true });
    }
  }
  const granted = isGrantedTogether(answered);
  const text = flags.json === true ? decisionsJson(answered, context.version) : decisionsText(answered);
  const what = granted ? 'it' : 'the refusal';
  const written = answered.parts.flatMap(({ file, record }) =>
    record === null ? [] : [`in ${file} ${recordedText(record, what)}`],
  );
  await deliver(put, text, written.length === 0 ? null : written.join(' '));
  return granted ? EXIT.done : EXIT.no;
}

type NoTheorem = Extract<Refusal, { code: 'no-theorem' }>;

const isRenyi = (terms: Terms): boolean =>
  terms.mode !== 'compositor' && ['zcdp', 'rdp', 'rdp-curve'].includes(terms.rule.id);

/** What the rule of a ledger does not cover, apart from trade-off functions. */
async function uncoveredIn({ entries, setting }: Requested, terms: Terms): Promise<Uncovered | null> {
  const { admittedMeasure } = await import('../../composition/plan/mechanism-cost.ts');
  const found: Uncovered[] = [];
  // What a ledger holds is never alone; one after the other, mechanisms need no more than adaptive adversaries.
  const context = {
    plan: { setting },
    alone: terms.concurrency === 'sequential',
    uncovered: (part: Uncovered) => found.push(part),
  };
  entries.forEach((entry, i) =>
    admittedMeasure(entry, { path: `mechanisms[${i}]`, label: entry.label }, !isRenyi(terms), context),
  );
  return found[0] ?? null;
}

/** A ledger that is asked. */
export interface AskedLedger {
  readonly terms: Terms;
  readonly file: string;
  /** Whether several are asked, so that it is named. */
  readonly isOneOf?: boolean;
}

/** What a ledger does not cover of what a document denies. */
async function refusalIn(requested: Requested, { terms }: AskedLedger): Promise<Uncovered | NoTheorem | null> {
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
 * Ends a command where a document denies what the theorem of one of the ledgers needs, with the exit code of a refusal; null
 * where it goes on.
 *
 * That communication is finite is assumed where nothing is said, and told as a caveat. Answers that are not discrete rule it
 * out.
 */
export async function tellDenied(
  requested: Requested | null,
  ledgers: readonly AskedLedger[],
  flags: PrintFlags,
  context: Context,
): Promise<number | null> {
  if (requested === null || !deniesAny(requested.setting)) return null;
  for (const ledger of ledgers) {
    const refusal = await refusalIn(requested, ledger);
    if (refusal === null) continue;
    if (refusal.code === 'no-theorem') return await tellLedgerRefusal(refusal, flags, context, ledger);
    const format = flags.json === true ? 'json' : 'table';
    return await tellRefusal({ ...refusal, impossibilityBound: null }, { format, color: flags.color, io: context.io });
  }
  return null;
}
