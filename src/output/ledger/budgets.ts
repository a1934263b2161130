import {
  caveatsOfBudgets,
  type BudgetLine,
  type Budgets,
  type Scope,
  templateText,
} from '../../ledger/budgets/budgets.ts';
import { exactTerms } from '../../ledger/terms-codec.ts';
import { open, theoremOf } from '../../ledger/open.ts';
import type { LedgerState } from '../../ledger/state.ts';
import { choice, described, document, documentText, list, object, orNull } from '../kit/codec.ts';
import { FORM, TEXT, TEXT_OR_NULL } from '../kit/codecs.ts';
import { paragraph, stack, type Output } from '../kit/page.ts';
import { caveatMessage, CAVEATS } from './caveats.ts';
import { GUARANTEE } from './facts-json.ts';
import { kindText } from './status.ts';

/** The kind of data or people that a theorem speaks of. */
const HOLDS: Readonly<Record<Scope, { readonly of: string; readonly reason: string; readonly reference: string }>> = {
  all: {
    of: 'the privacy loss of all results together',
    reason: 'a request that another ledger denies counts as one that was never made',
    reference: 'Haney et al. 2023, Thm 1.20',
  },
  data: {
    of: 'the privacy loss of all results together for one record of the partition',
    reason: 'mechanisms that do not read the partition see the same data with and without the record',
    reference: 'Lecuyer et al. 2019; derived',
  },
  people: {
    of: "the privacy loss of one person's own results",
    reason: 'nothing that depends on results of others reaches the person',
    reference: 'Haney et al. 2023, Thm 1.20; limits: Tholoniat et al. 2025, arXiv 2506.05290',
  },
};

/** Budgets that hold at the same time, and what each is a guarantee of. */
export const LEDGER_BUDGETS = document(
  'ledger-budgets',
  'Simultaneous budgets: the guarantee of each, its theorem, and what is not guaranteed.',
  {
    file: TEXT,
    name: TEXT_OR_NULL,
    lines: list(
      object({
        name: described('The name of the ledger, or of one for each value of the {key} in it.', TEXT),
        scope: choice('all', 'data', 'people'),
        key: TEXT_OR_NULL,
        terms: described('The terms of its ledgers, their numbers with all their digits.', FORM),
        guarantee: orNull(GUARANTEE),
        of: described('The results that the guarantee covers.', TEXT),
        reason: described('Why it holds beside the other lines.', TEXT),
        theorems: described(
          'The rule, and what it rests on beside the other lines.',
          list(object({ name: TEXT, reference: TEXT })),
        ),
      }),
    ),
    caveats: CAVEATS,
  },
);

/** A ledger of a line before anything is spent. */
function stateOf({ terms }: BudgetLine): LedgerState {
  const opened = open(terms);
  if (opened.kind === 'refused') throw new RangeError('The terms of a line are none of a ledger.');
  return opened.state;
}

function lineText(line: BudgetLine): string {
  const { of, reason, reference } = HOLDS[line.scope];
  const keyText = line.name.key === null ? '' : `, for each ${line.name.key}`;
  const when = line.scope === 'people' ? 'if' : 'because';
  return `${templateText(line.name)}${keyText}: ${kindText(line.terms, stateOf(line))}. It bounds ${of}, ${when} ${reason} [${reference}].`;
}

/** The budgets in a paragraph for each line, and what is not guaranteed. */
export const budgetsOutput = (budgets: Budgets, file: string): Output => ({
  page: () => [stack([...budgets.lines.map(lineText), ...caveatsOfBudgets(budgets).map(caveatMessage)].map(paragraph))],
  json: (version) =>
    documentText(LEDGER_BUDGETS, {
      version,
      file,
      name: budgets.name,
      lines: budgets.lines.map((line) => {
        const { of, reason, reference } = HOLDS[line.scope];
        return {
          ...line,
          name: templateText(line.name),
          key: line.name.key,
          terms: exactTerms(line.terms),
          guarantee: stateOf(line).rule.guarantee,
          of,
          reason,
          theorems: [theoremOf(line.terms), { name: reason, reference }],
        };
      }),
      caveats: caveatsOfBudgets(budgets),
    }),
});
