import Table from 'cli-table3';
import { wrapped } from './prose.ts';
import type { Style } from './style.ts';

/** Which characters may be printed. */
export type Characters = 'unicode' | 'ascii';

/** What a table has to fit in, and how it is marked. */
export interface Layout {
  /** Columns of the terminal; Infinity where there is none. */
  readonly width: number;
  readonly style: Style;
  /** With which characters lines are drawn and symbols written; ASCII where it is left out. */
  readonly characters?: Characters;
}

/** One row; the best one is marked. */
export interface Line {
  readonly cells: readonly string[];
  readonly best: boolean;
}

/** Narrowest column in which a theorem or a reason is still readable. */
const READABLE = 24;
const GAP = 2;
const NO_BORDER = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
    .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'])
    .map((name) => [name, '']),
);

/** Widest cell of each column. */
function widths(rows: readonly (readonly string[])[]): number[] {
  const columns = rows[0]?.length ?? 0;
  return Array.from({ length: columns }, (_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
}

/** A text whose words are no longer than that: what does not fit goes on in a new one. */
const inPieces = (text: string, longest: number): string =>
  Number.isFinite(longest) ? text.replace(new RegExp(`\\S{${longest}}(?=\\S)`, 'gu'), '$& ') : text;

/** Rows under their headings, the last column wrapped to what is left; null where it does not fit. */
export function columns(head: readonly string[], lines: readonly Line[], options: Layout): string | null {
  const natural = widths([head, ...lines.map((line) => line.cells)]);
  const fixed = natural.slice(0, -1).reduce((sum, width) => sum + width + GAP, 0);
  const last = natural.at(-1) ?? 0;
  const room = options.width - fixed;
  if (room < Math.min(last, READABLE)) return null;
  const table = new Table({
    head: head.map(options.style.heading),
    chars: NO_BORDER,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP },
    ...(last > room && {
      colWidths: [...natural.slice(0, -1).map((width) => width + GAP), room + GAP],
      wordWrap: true,
    }),
  });
  for (const { cells, best } of lines) {
    const fitting = cells.map((cell, at) => (at === cells.length - 1 && last > room ? inPieces(cell, room) : cell));
    table.push(fitting.map((cell) => (best ? options.style.best(cell) : cell)));
  }
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** One block per row, for terminals that are too narrow for columns. */
export function blocks(head: readonly string[], lines: readonly Line[], { style, width }: Layout): string {
  return lines
    .map(({ cells, best }) => {
      const [name = '', ...rest] = cells;
      const facts = rest.flatMap((cell, index) => (cell === '' ? [] : [`${head[index + 1] ?? ''} ${cell}`]));
      const body = facts.map((fact) => wrapped(fact, width - 4).replace(/^/gm, '    '));
      return [best ? style.best(name) : name, ...body].join('\n');
    })
    .join('\n');
}
