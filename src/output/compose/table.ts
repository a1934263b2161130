import type { Answer, BoundRow, PlanTotals } from '../../composition/core/outcome.ts';
import { THEIR_PAPER } from '../../composition/theorems/theorem.ts';
import { type Layout, heading, pageText, paragraph, quiet, stack, type Block } from '../kit/page.ts';
import { inapplicabilityMessage } from '../kit/message.ts';
import { unavailableMessage } from '../refusal/warnings.ts';
import { bracketText, lowerText, upperText } from '../kit/number.ts';
import { counted, grouped, listed } from '../kit/prose.ts';
import { statement, type Composed } from '../kit/statement.ts';
import { ifAny, table } from '../kit/table.ts';

/** How the table is shown. */
export interface TableOptions extends Layout {
  /** Also list the bounds that do not apply. */
  readonly all: boolean;
  /** Whether the bounds were asked for by name, so that all are shown. */
  readonly byName?: boolean;
}

type Applicable = Extract<BoundRow, { applies: true }>;

/** The decimal where there is one, else the double to ten digits. */
function valueText(row: Applicable, solved: 'epsilon' | 'delta'): string {
  const { decimal } = row;
  if (!decimal || !('digits' in decimal)) return upperText(row[solved]);
  return decimal.digits === 'Infinity' ? 'infinity' : decimal.digits.replace('e+', 'e');
}

/** The rows that are shown by default: the best, and those within a factor of two of it. */
const closeTo = (answer: Answer, rows: readonly Applicable[]): readonly Applicable[] => {
  const solved = answer.query.solveFor;
  return rows.filter((row) => row.id === answer.bound || row[solved].upper <= 2 * answer[solved].upper);
};

/** Bounds with their numbers, a line each; the theorem of the best stands under them. */
export function boundsTable(answer: Answer, rows: readonly Applicable[]): Block {
  const solved = answer.query.solveFor;
  const best = rows.find(({ id }) => id === answer.bound);
  const lowerBoundText = ({ [solved]: { lower } }: Applicable): string => (lower === null ? '' : lowerText(lower));
  return stack([
    table(rows, [
      ['bound', ({ id }) => id, { best: ({ id }) => id === answer.bound }],
      [solved, (row) => valueText(row, solved)],
      ...ifAny(rows, 'lower bound', lowerBoundText),
    ]),
    paragraph(best === undefined ? null : `Theorem: ${best.name} [${best.reference}].`),
  ]);
}

/** Bounds that do not apply, with the reasons. */
export const inapplicableTable = (rows: readonly Exclude<BoundRow, Applicable>[]): Block =>
  table(rows, [
    ['does not apply', ({ id }) => id, { best: () => false }],
    ['reason', ({ reason }) => inapplicabilityMessage(reason), { inBlock: 'reason:' }],
  ]);

/** A line for every bound a second opinion was asked of in vain. */
const withoutDecimal = (rows: readonly Applicable[]): Block =>
  stack(
    rows.flatMap((row) =>
      row.decimal && 'unavailable' in row.decimal
        ? [quiet(`${row.id} ${unavailableMessage(row.decimal.unavailable)}.`)]
        : [],
    ),
  );

/** The answer for each direction of neighbours that differ by a record; null where they are not composed apart. */
function directionsText({ directions, query: { solveFor } }: Answer): string | null {
  if (directions === undefined) return null;
  const { remove, add } = directions;
  return `If a record is removed, ${solveFor} is ${bracketText(remove)}; if one is added, ${bracketText(add)}. The guarantee is the larger.`;
}

/** Which theorems lead from the parts of a plan to the mechanisms that are composed. */
export function planNote({ theorems }: PlanTotals): string {
  const own = theorems.filter(({ reference }) => reference.startsWith(THEIR_PAPER));
  const numbers = [...new Set(own.map(({ number }) => number))];
  const basis = numbers.length === 0 ? '' : `The parts compose by ${listed(numbers)} of ${THEIR_PAPER}. `;
  const derived = [...new Set(theorems.filter(({ number }) => number === 'derived').map(({ name }) => name))];
  const besides = derived.length === 0 ? '' : `Derived: ${listed(derived)}. `;
  return `${basis}${besides}For the theorem and the (epsilon, delta) of each part, run dpcompose plan.`;
}

/** What --all shows besides; null: nothing. */
function moreText(larger: number, uncovered: number): string | null {
  const others = uncovered === 1 ? '1 bound does not apply' : `${grouped(uncovered)} bounds do not apply`;
  const worse = `${counted(larger, 'bound')} ${larger === 1 ? 'is' : 'are'} larger than twice the best`;
  const parts = [...(larger > 0 ? [worse] : []), ...(uncovered > 0 ? [others] : [])];
  return parts.length === 0 ? null : `${parts.join('; ')}. Add --all to show them.`;
}

/**
 * The answer for a person: the guarantee in one sentence, and the bounds, best first and marked.
 *
 * Every number is rounded to the side on which it stays true.
 */
export function tableReport(answer: Answer, composed: Composed, options: TableOptions): string {
  const { all, byName = false } = options;
  const applicable = answer.bounds.filter((row) => row.applies);
  const visible = all || byName ? applicable : closeTo(answer, applicable);
  const others = answer.bounds.filter((row) => !row.applies);
  const uncovered = others.filter(({ reason }) => reason.code !== 'interrupted' && reason.code !== 'needless').length;
  return pageText(
    [
      heading(composed.name),
      heading(statement(answer, composed)),
      boundsTable(answer, visible),
      withoutDecimal(visible),
      inapplicableTable(all ? others : []),
      quiet(all ? directionsText(answer) : null),
      quiet(answer.plan === undefined ? null : planNote(answer.plan)),
      quiet(all ? null : moreText(applicable.length - visible.length, uncovered)),
    ],
    options,
  );
}
