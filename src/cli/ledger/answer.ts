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
import { tellRefused } from '../kit/refusal.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { deliver, recordedText } from './kit/deliver.ts';
import { invalidRequest } from './kit/failure.ts';

/** What was typed: the ledger, and the option that says what is to be launched. */
interface Typed {
  readonly file: string;
  readonly launch?: string;
}

/** Where what is asked for stands on the command line. */
function place(refusal: Refusal, { file, launch = '-m' }: Typed): string {
  if (refusal.code !== 'unverified') return refusal.code === 'invalid-terms' ? refusal.path : file;
  if (refusal.reason === 'no-evidence') return '--evidence';
  if (refusal.reason === 'no-approval' || refusal.reason === 'wrong-approval') return '--request';
  if (refusal.reason === 'no-approval-in-child') return '--require-approval';
  if (refusal.reason === 'no-window-in-child') return '--opens';
  if (refusal.reason === 'no-evidence-in-child') return '--no-require-evidence';
  if (refusal.reason === 'other-neighbours') return '--neighbours';
  return refusal.reason === 'other-distance' ? '--distance' : launch;
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
