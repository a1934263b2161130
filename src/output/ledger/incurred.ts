import { type LedgerState, caveatsOf } from '../../ledger/state.ts';
import type { Present } from '../../ledger/present.ts';
import { exactEntry } from '../../document/structure/normal-form.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { choice, described, document, documentText, list, object, orNull } from '../kit/codec.ts';
import { COUNT, FORM, TEXT_OR_NULL } from '../kit/codecs.ts';
import { paragraph, stack, type Output } from '../kit/page.ts';
import { grouped } from '../kit/prose.ts';
import { loss } from '../../ledger/loss.ts';
import { spentText } from './amounts.ts';
import { caveatMessages, CAVEATS } from './caveats.ts';
import { briefAfter, LEDGER_BRIEF, RECORD_REFERENCE, standing, STANDING } from './facts-json.ts';
import { numbersText } from './decision.ts';
import { EXCEEDED, exceededRows, exceededText } from './ledger-text.ts';

/** Mechanisms that ran without having been granted, and were counted. */
export interface IncurredReport {
  readonly command: 'record';
  readonly file: string;
  readonly entries: readonly Entry[];
  readonly evidence: string | null;
  readonly before: Present;
  readonly after: LedgerState;
  readonly record: { readonly number: number; readonly hash: string } | null;
}

const STATE = object(STANDING);

/** Mechanisms that ran without having been granted, and were counted. */
export const LEDGER_INCURRED = document('ledger-incurred', 'Mechanisms that ran without a grant, and are charged.', {
  command: choice('record'),
  ledger: LEDGER_BRIEF,
  asked: list(FORM),
  evidence: TEXT_OR_NULL,
  record: described('Null if it was already recorded under the same key.', orNull(RECORD_REFERENCE)),
  mechanisms: orNull(object({ first: COUNT, last: COUNT })),
  exceeded: described('The totals that exceed the budget, which then guarantees nothing.', EXCEEDED),
  before: STATE,
  after: STATE,
  caveats: CAVEATS,
});

const numbersOf = ({ before, after }: IncurredReport): { readonly first: number; readonly last: number } | null =>
  after.launched > before.state.launched ? { first: before.state.launched + 1, last: after.launched } : null;

function incurredLines(report: IncurredReport): readonly string[] {
  const { after, record } = report;
  const numbers = numbersOf(report);
  const { spent, guarantee } = loss(after);
  const standing = after.terms.mode === 'compositor' ? '' : ` Used: ${spentText(spent, guarantee)}.`;
  const which = numbers === null ? '' : `${numbersText(numbers)}, `;
  const counted =
    record === null
      ? 'already recorded under this key.'
      : `recorded without a grant: ${which}in record ${grouped(record.number)}.`;
  const exceeded = exceededText(after);
  return [`${counted}${standing}`, ...(exceeded === null ? [] : [exceeded]), ...caveatMessages(caveatsOf(after))];
}

/** What was counted, and what that makes of the ledger. */
export const incurredOutput = (report: IncurredReport): Output => ({
  page: () => [stack(incurredLines(report).map(paragraph))],
  json: (version) =>
    documentText(LEDGER_INCURRED, {
      ...report,
      version,
      ledger: briefAfter(report, report.after),
      asked: report.entries.map(exactEntry),
      mechanisms: numbersOf(report),
      exceeded: exceededRows(report.after),
      before: standing(report.before.state),
      after: standing(report.after),
      caveats: caveatsOf(report.after),
    }),
});
