import type { Answer, BoundRow, PlanTotals } from '../../composition/core/outcome.ts';
import { THEIR_PAPER } from '../../composition/theorems/theorem.ts';
import { type Layout, heading, pageText, paragraph, quiet, stack, type Block } from '../kit/page.ts';
import { inapplicabilityMessage } from '../kit/inapplicability.ts';
import { unavailableMessage } from '../refusal/warnings.ts';
import { bracketText, lowerText, upperText } from '../kit/number.ts';
import { grouped, listed } from '../kit/prose.ts';
import { statement, type Composed } from '../kit/statement.ts';
import { ifAny, table } from '../kit/table.ts';

/** How the table is shown. */
export interface TableOptions extends Layout {
  /** Also list the bounds that do not apply. */
  readonly all: boolean;
}

type Applicable = Extract<BoundRow, { applies: true }>;

/** The decimal where there is one, else the double to ten digits. */
function valueText(row: Applicable, solved: 'epsilon' | 'delta'): string {
  const { decimal } = row;
  if (!decimal || !('digits' in decimal)) return upperText(row[solved]);
  return decimal.digits === 'Infinity' ? 'infinity' : decimal.digits.replace('e+', 'e');
}

/** The bounds that give the answer or a larger one. */
function applicable(answer: Answer): Block {
  const solved = answer.query.solveFor;
  const rows = answer.bounds.filter((row) => row.applies);
  const least = ({ [solved]: { lower } }: Applicable): string => (lower === null ? '' : lowerText(lower));
  return table(rows, [
    ['bound', ({ id }) => id, { best: ({ id }) => id === answer.bound }],
    [solved, (row) => valueText(row, solved)],
    ...ifAny(rows, 'at least', least),
    ['theorem', ({ name, reference }) => `${name} [${reference}]`, { spare: 'always' }],
  ]);
}

/** A line for every bound a second opinion was asked of in vain. */
const withoutDecimal = ({ bounds }: Answer): Block =>
  stack(
    bounds.flatMap((row) =>
      row.applies && row.decimal && 'unavailable' in row.decimal
        ? [quiet(`${row.id} ${unavailableMessage(row.decimal.unavailable)}.`)]
        : [],
    ),
  );

/** The answer for each direction of neighbours that differ by a record; null where they are not composed apart. */
function directionsText({ directions, query: { solveFor } }: Answer): string | null {
  if (directions === undefined) return null;
  const { remove, add } = directions;
  return `Where a record is removed ${solveFor} is ${bracketText(remove)}, where one is added ${bracketText(add)}: the larger is claimed.`;
}

/** Which theorems lead from the parts of a plan to the mechanisms that are composed. */
export function planNote({ theorems }: PlanTotals): string {
  const own = theorems.filter(({ reference }) => reference.startsWith(THEIR_PAPER));
  const numbers = [...new Set(own.map(({ number }) => number))];
  const basis = numbers.length === 0 ? '' : `Its parts compose by ${listed(numbers)} of ${THEIR_PAPER}; `;
  const derived = [...new Set(theorems.filter(({ number }) => number === 'derived').map(({ name }) => name))];
  const besides = derived.length === 0 ? '' : `derived: ${listed(derived)}; `;
  return `${basis}${besides}dpcompose plan shows what covers each of them and what it costs.`;
}

/**
 * The answer for a person: the bounds, best first and marked, and the guarantee in one sentence.
 *
 * Every number is rounded to the side on which it stays true.
 */
export function tableReport(answer: Answer, composed: Composed, options: TableOptions): string {
  const others = answer.bounds.filter((row) => !row.applies);
  const uncovered = others.filter(({ reason }) => reason.code !== 'interrupted' && reason.code !== 'needless').length;
  const more = `${grouped(uncovered)} more ${uncovered === 1 ? 'bound does' : 'bounds do'} not apply here; --all says why.`;
  return pageText(
    [
      heading(composed.name),
      applicable(answer),
      withoutDecimal(answer),
      table(options.all ? others : [], [
        ['does not apply', ({ id }) => id, { best: () => false }],
        ['because it', ({ reason }) => inapplicabilityMessage(reason), { inBlock: 'it' }],
      ]),
      quiet(options.all ? directionsText(answer) : null),
      paragraph(statement(answer, composed)),
      quiet(answer.plan === undefined ? null : planNote(answer.plan)),
      quiet(options.all || uncovered === 0 ? null : more),
    ],
    options,
  );
}
