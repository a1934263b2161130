import Table from 'cli-table3';
import type { Layout } from './columns.ts';
import { escaped, markdownText, plainText, type Inline } from './inline.ts';
import { NOTHING, type Block } from './page.ts';
import { wrapped } from './prose.ts';

/** How a column differs from others. */
interface Traits<Row> {
  /** Whether Markdown puts it to the right. */
  readonly right?: boolean;
  /** Stands before its cell where each row is a block; without it its heading, and of the first column nothing. */
  readonly inBlock?: string;
  /** Of the last: that it is left out where it has no room, of columns only or of blocks too. */
  readonly spare?: 'columns' | 'always';
  /** Of the first: that its heading stands above rows that are blocks. */
  readonly titled?: boolean;
  /** Of the first: the rows that it marks by a star, for which there is room in all. */
  readonly best?: (row: Row) => boolean;
  /** Of the first: the rows that only have the colour of such. */
  readonly bright?: (row: Row) => boolean;
}

type Written<Row, Value> = readonly [heading: string, value: (row: Row) => Value, traits?: Traits<Row>];

/** The keys of a row whose values are of a type. */
type KeyOf<Row, Value> = { [Key in keyof Row]-?: Row[Key] extends Value ? Key : never }[keyof Row] & string;

/** A column of a table for people, or of comma-separated values: its heading and its value in a row; a key is both. */
export type Column<Row, Value = Inline> = KeyOf<Row, Value> | Written<Row, Value>;

/** Columns with what their keys stand for. */
export const written = <Row, Value>(columns: readonly Column<Row, Value>[]): readonly Written<Row, Value>[] =>
  columns.map((column) => (typeof column === 'string' ? [column, (row) => row[column] as Value] : column));

/** Narrowest column in which a theorem or a reason is still readable. */
const READABLE = 24;
const GAP = 2;
const NO_BORDER = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
    .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'])
    .map((name) => [name, '']),
);

/** A text whose words are no longer than that: what does not fit goes on in a new one. */
const inPieces = (text: string, longest: number): string =>
  Number.isFinite(longest) ? text.replace(new RegExp(`\\S{${longest}}(?=\\S)`, 'gu'), '$& ') : text;

/** The texts of a table. */
interface Texts {
  readonly head: readonly string[];
  readonly rows: readonly { readonly cells: readonly string[]; readonly isBright: boolean }[];
}

/** Rows under their headings, the last column wrapped to what is left; null where it does not fit. */
function inColumns({ head, rows }: Texts, { width, style }: Layout): string | null {
  const natural = head.map((name, at) => Math.max(name.length, ...rows.map(({ cells }) => cells[at]!.length)));
  const fixed = natural.slice(0, -1).reduce((sum, each) => sum + each + GAP, 0);
  const last = natural.at(-1)!;
  const rest = width - fixed;
  if (rest < Math.min(last, READABLE)) return null;
  const table = new Table({
    head: head.map(style.heading),
    chars: NO_BORDER,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP },
    ...(last > rest && {
      colWidths: [...natural.slice(0, -1).map((each) => each + GAP), rest + GAP],
      wordWrap: true,
    }),
  });
  for (const { cells, isBright } of rows) {
    const fitting = cells.map((cell, at) => (at === cells.length - 1 && last > rest ? inPieces(cell, rest) : cell));
    table.push(fitting.map((cell) => (isBright ? style.best(cell) : cell)));
  }
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** One block per row, for terminals that are too narrow for columns. */
const inBlocks = ({ head, rows }: Texts, { style, width }: Layout): string =>
  rows
    .map(({ cells, isBright }) => {
      const [first = '', ...facts] = cells.flatMap((cell, at) =>
        at > 0 && cell === '' ? [] : [`${head[at]!}${head[at] === '' ? '' : ' '}${cell}`],
      );
      const body = facts.map((fact) => wrapped(fact, width - 4).replace(/^/gm, '    '));
      return [isBright ? style.best(first) : first, ...body].join('\n');
    })
    .join('\n');

function drawn<Row>(rows: readonly Row[], columns: readonly Written<Row, Inline>[], layout: Layout): string {
  const [title, , traits] = columns[0]!;
  const { titled, best, bright = best } = traits ?? {};
  const texts = (head: readonly string[], count = columns.length): Texts => ({
    head: head.slice(0, count),
    rows: rows.map((row) => {
      const isBright = bright?.(row) ?? false;
      const [first, ...others] = columns.slice(0, count).map(([, value]) => plainText(value(row)));
      return { cells: [`${best ? (isBright ? '* ' : '  ') : ''}${first!}`, ...others], isBright };
    }),
  });
  const head = columns.map(([name], at) => (at === 0 && best ? `  ${name}` : name));
  const names = columns.map(([name, , own], at) => own?.inBlock ?? (at === 0 ? '' : name));
  const spare = columns.at(-1)?.[2]?.spare;
  const fewer = columns.length - (spare === undefined ? 0 : 1);
  const above = titled === true && title !== '' ? `${layout.style.heading(wrapped(`${title}:`, layout.width))}\n` : '';
  return (
    inColumns(texts(head), layout) ??
    inColumns(texts(head, fewer), layout) ??
    `${above}${inBlocks(texts(names, spare === 'always' ? fewer : columns.length), layout)}`
  );
}

/** Rows under their headings; where there is no room for columns, a block for each row. Nothing where there are no rows. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Block {
  if (rows.length === 0) return NOTHING;
  const all = written(columns);
  return {
    text: (layout) => drawn(rows, all, layout),
    markdown: () =>
      [
        all.map(([heading]) => escaped(heading)),
        all.map(([, , traits]) => (traits?.right === true ? '---:' : '---')),
        ...rows.map((row) => all.map(([, value]) => markdownText(value(row)))),
      ]
        .map((cells) => `| ${cells.join(' | ')} |`)
        .join('\n'),
  };
}
