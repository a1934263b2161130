import type { Decision } from '../../ledger/core/decision.ts';
import type { Refusal } from '../../ledger/core/refusal.ts';
import { decisionJson, decisionText, type Answered } from '../../report/ledger/decision.ts';
import { noTheoremJson, noTheoremReference } from '../../report/ledger/no-theorem.ts';
import { refusalCode, refusalText } from '../../report/ledger/refusal-message.ts';
import type { Context } from '../kit/context.ts';
import { EXIT } from '../kit/exit.ts';
import type { Destination } from '../kit/io.ts';
import { plainRefusal } from '../../report/kit/fix.ts';
import { tellRefused } from '../kit/refusal.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { deliver, recordedText } from './deliver.ts';
import { invalidRequest } from './failure.ts';

/** Where what is asked for stands on the command line. */
function place(refusal: Refusal): string {
  if (refusal.code !== 'unverified') return refusal.code === 'invalid-terms' ? refusal.path : 'FILE';
  if (refusal.reason === 'no-evidence') return '--evidence';
  if (refusal.reason === 'no-evidence-in-child') return '--no-require-evidence';
  if (refusal.reason === 'other-neighbours') return '--neighbours';
  return refusal.reason === 'other-distance' ? '--distance' : '-m';
}

/**
 * Ends a command with a refusal that is no answer: no theorem covers what was asked, or it makes no sense for the ledger.
 */
export async function tellLedgerRefusal(
  refusal: Refusal,
  flags: PrintFlags,
  { io, version }: Context,
): Promise<number> {
  if (refusal.code !== 'no-theorem') throw invalidRequest(refusal, place(refusal));
  const { message, hint } = refusalText(refusal);
  const format = flags.json === true ? 'json' : 'table';
  const reference = noTheoremReference(refusal);
  const json = (): string => noTheoremJson(refusalCode(refusal), refusal, version);
  return await tellRefused(
    { text: plainRefusal(`${message}. ${hint}`), reference, json },
    { format, color: flags.color, io },
  );
}

const isAnswer = ({ refusal: { code } }: Extract<Decision, { kind: 'refused' }>): boolean =>
  code === 'insufficient-budget' || code === 'halted' || code === 'count-limit';

/** Delivers the decision on a request to its destination, and returns the exit code. */
export async function tellAnswer(
  answered: Answered,
  put: Destination | null,
  flags: PrintFlags,
  context: Context,
): Promise<number> {
  const { decision } = answered;
  if (decision.kind === 'refused' && !isAnswer(decision)) {
    return await tellLedgerRefusal(decision.refusal, flags, context);
  }
  const text = flags.json === true ? decisionJson(answered, context.version) : decisionText(answered);
  const what = decision.kind === 'accepted' ? 'it' : 'the refusal, which ended the ledger,';
  await deliver(put, text, answered.record && recordedText(answered.record, what));
  return decision.kind === 'accepted' ? EXIT.done : EXIT.no;
}
