import type { Answer, BoundRow, PlanTotals } from '../../composition/core/outcome.ts';
import { THEIR_PAPER } from '../../composition/theorems/theorem.ts';
import { blocks, columns, type Layout, type Line } from '../kit/columns.ts';
import { inapplicabilityMessage } from '../kit/inapplicability.ts';
import { unavailableMessage } from '../refusal/messages.ts';
import { lowerText, upperText } from '../kit/number.ts';
import { grouped, listed, printable, wrapped } from '../kit/prose.ts';
import { statement, type Composed } from '../kit/statement.ts';

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

/** One line for every bound a second opinion was asked of in vain. */
function withoutDecimal(answer: Answer, { style, width }: TableOptions): string[] {
  const lines = answer.bounds.flatMap((row) =>
    row.applies && row.decimal && 'unavailable' in row.decimal
      ? [wrapped(`${row.id} ${unavailableMessage(row.decimal.unavailable)}.`, width)]
      : [],
  );
  return lines.length > 0 ? [style.quiet(lines.join('\n'))] : [];
}

function applicable(answer: Answer, options: TableOptions): string {
  const solved = answer.query.solveFor;
  const rows = answer.bounds.filter((row) => row.applies);
  const bounded = rows.some((row) => row[solved].lower !== null);
  const lines = rows.map((row): Line => {
    const best = row.id === answer.bound;
    const { lower } = row[solved];
    const numbers = [valueText(row, solved), ...(bounded ? [lower === null ? '' : lowerText(lower)] : [])];
    return { cells: [`${best ? '*' : ' '} ${row.id}`, ...numbers, `${row.name} [${row.reference}]`], best };
  });
  const head = ['  bound', solved, ...(bounded ? ['at least'] : []), 'theorem'];
  const short = { head: head.slice(0, -1), lines: lines.map((line) => ({ ...line, cells: line.cells.slice(0, -1) })) };
  return (
    columns(head, lines, options) ??
    columns(short.head, short.lines, options) ??
    blocks(short.head, short.lines, options)
  );
}

type Inapplicable = Extract<BoundRow, { applies: false }>;

function inapplicable(rows: readonly Inapplicable[], options: TableOptions): string {
  const lines = rows.map((row) => ({
    cells: [`  ${row.id}`, printable(inapplicabilityMessage(row.reason))],
    best: false,
  }));
  return (
    columns(['  does not apply', 'because it'], lines, options) ?? blocks(['  does not apply', 'it'], lines, options)
  );
}

/** Which theorems lead from the parts of a plan to the mechanisms that are composed. */
function planNote({ theorems }: PlanTotals): string {
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
  const { style, width } = options;
  const others = answer.bounds.filter((row) => !row.applies);
  const paragraphs = [
    ...(composed.name === null ? [] : [style.heading(wrapped(printable(composed.name), width))]),
    applicable(answer, options),
    ...withoutDecimal(answer, options),
    ...(options.all && others.length > 0 ? [inapplicable(others, options)] : []),
    wrapped(statement(answer, composed), width),
    ...(answer.plan === undefined ? [] : [style.quiet(wrapped(planNote(answer.plan), width))]),
  ];
  const uncovered = others.filter(({ reason }) => reason.code !== 'interrupted' && reason.code !== 'needless');
  if (!options.all && uncovered.length > 0) {
    const note = `${grouped(uncovered.length)} more ${uncovered.length === 1 ? 'bound does' : 'bounds do'} not apply here; --all says why.`;
    paragraphs.push(style.quiet(wrapped(note, width)));
  }
  return `${paragraphs.join('\n\n')}\n`;
}
