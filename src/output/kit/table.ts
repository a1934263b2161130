import Table from 'cli-table3';
import { type Layout, NOTHING, type Block, escaped, markdownText, plainText, type Inline } from './page.ts';
import { boundText, type Side } from './json-value.ts';
import { printable, wrapped } from './prose.ts';

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
const columnsOf = <Row, Value>(columns: readonly Column<Row, Value>[]): readonly Written<Row, Value>[] =>
  columns.map((column) => (typeof column === 'string' ? [column, (row) => row[column] as Value] : column));

/** A column of texts, if any of them says something. */
export const ifAny = <Row>(
  rows: readonly Row[],
  heading: string,
  text: (row: Row) => string,
): readonly (readonly [string, (row: Row) => string])[] =>
  rows.some((row) => text(row) !== '') ? [[heading, text]] : [];

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

type Cells = readonly string[];

/** So many rows are laid out at a time: cli-table3 compares each with all before it. */
const AT_ONCE = 40;

/** Matches text that is as wide as it has characters; how wide other text is, and where it breaks, takes cli-table3. */
const PLAIN_TEXT = /^[ -~]*$/;

interface Drawing {
  /** Of each column with its gap; by default as wide as it has to be. */
  readonly widths?: readonly number[];
  readonly wraps?: boolean;
}

/** Rows under their headings, if there are any, and the widths of the columns. */
function drawnPart(
  head: Cells,
  rows: readonly Cells[],
  { widths = [], wraps = false }: Drawing,
): { readonly text: string; readonly widths: readonly number[] } {
  const table = new Table({
    head: [...head],
    chars: NO_BORDER,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP },
    colWidths: [...widths],
    ...(wraps && { wordWrap: true }),
  });
  table.push(...rows.map((cells) => [...cells]));
  const text = table.toString();
  return { text, widths: table.options.colWidths.map(Number) };
}

/** Rows under their headings. */
function drawnRows(head: Cells, rows: readonly Cells[], drawing: Drawing): string {
  const parts = Array.from({ length: Math.max(1, Math.ceil(rows.length / AT_ONCE)) }, (_, i) => ({
    head: i === 0 ? head : [],
    rows: rows.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
  }));
  const draw = (all: Drawing) => parts.map((part) => drawnPart(part.head, part.rows, all));
  const first = draw(drawing);
  const widest = head.map((_, at) => largest(first.map(({ widths }) => widths[at] ?? 0)));
  const all = first.length === 1 || drawing.widths !== undefined ? first : draw({ ...drawing, widths: widest });
  return all.map(({ text }) => text).join('\n');
}

const largest = (values: readonly number[]): number => values.reduce((maximum, value) => Math.max(maximum, value), 0);

/** Rows under their headings, the last column wrapped to what is left; null where it does not fit. */
function inColumns({ head, rows }: Texts, { width, style }: Layout): string | null {
  const natural = head.map((name, at) => Math.max(name.length, largest(rows.map(({ cells }) => cells[at]!.length))));
  const fixed = natural.slice(0, -1).reduce((sum, width) => sum + width + GAP, 0);
  const last = natural.at(-1)!;
  const rest = width - fixed;
  if (rest < Math.min(last, READABLE)) return null;
  const isLong = rows.length > AT_ONCE && last <= rest;
  if (isLong && rows.every(({ cells }) => cells.every((cell) => PLAIN_TEXT.test(cell)))) {
    const padded = (cells: Cells, styled: (cell: string) => string): string =>
      cells
        .map((cell, at) => `${styled(cell)}${' '.repeat(natural[at]! + GAP - cell.length)}`)
        .join('')
        .trimEnd();
    const lines = rows.map(({ cells, isBright }) => padded(cells, isBright ? style.best : (cell) => cell));
    return [padded(head, style.heading), ...lines].join('\n');
  }
  const all = rows.map(({ cells, isBright }) => {
    const fitting = cells.map((cell, at) => (at === cells.length - 1 && last > rest ? inPieces(cell, rest) : cell));
    return fitting.map((cell) => (isBright ? style.best(cell) : cell));
  });
  const gapped = natural.map((width) => width + GAP);
  const drawing = last > rest ? { widths: [...gapped.slice(0, -1), rest + GAP], wraps: true } : {};
  return drawnRows(head.map(style.heading), all, drawing)
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

function tableText<Row>(rows: readonly Row[], columns: readonly Written<Row, Inline>[], layout: Layout): string {
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

const markdownLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A table in Markdown line by line: its first two, and that of a row. */
function markdownLines<Row>(columns: readonly Column<Row>[]): {
  readonly head: string;
  readonly line: (row: Row) => string;
} {
  const all = columnsOf(columns);
  const marks = all.map(([, , traits]) => (traits?.right === true ? '---:' : '---'));
  return {
    head: `${markdownLine(all.map(([heading]) => escaped(heading)))}\n${markdownLine(marks)}`,
    line: (row) => markdownLine(all.map(([, value]) => markdownText(value(row)))),
  };
}

/** Rows under their headings; where there is no room for columns, a block for each row. Nothing where there are no rows. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Block {
  if (rows.length === 0) return NOTHING;
  const all = columnsOf(columns);
  return {
    text: (layout) => tableText(rows, all, layout),
    markdown: () => {
      const { head, line } = markdownLines(columns);
      return [head, ...rows.map(line)].join('\n');
    },
  };
}

/** A field of comma-separated values; null is an empty one. */
export type CsvField = string | number | boolean | null;

/** Quoted where a comma, a quote or a line end stands in it, or blanks at its ends, which some readers drop; see {@link printable}. */
const field = (value: CsvField): string => {
  const text = value === null ? '' : String(value).replace(/[^\t\r\n]+/g, printable);
  return /[",\r\n]/.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text;
};

/** An end as JSON has it. */
export const endText = (end: number | null | undefined, side: Side): string | null =>
  end == null ? null : boundText(end, side);

/** Both ends of a number, under the names of its members in JSON; empty in rows that have none. */
export const endsOf = <Row>(
  name: string,
  of: (row: Row) => { readonly lower: number | null; readonly upper: number | null } | null,
): readonly Column<Row, CsvField>[] => [
  [`${name}.lower`, (row) => endText(of(row)?.lower, 'down')],
  [`${name}.upper`, (row) => endText(of(row)?.upper, 'up')],
];

const line = (fields: readonly CsvField[]): string => `${fields.map(field).join(',')}\r\n`;

/** Comma-separated values (RFC 4180) line by line: the header, and the record of a row. */
export function csvLines<Row>(columns: readonly Column<Row, CsvField>[]): {
  readonly head: string;
  readonly record: (row: Row) => string;
} {
  const all = columnsOf(columns);
  return { head: line(all.map(([name]) => name)), record: (row) => line(all.map(([, value]) => value(row))) };
}

/** A header and a record for each row as comma-separated values (RFC 4180). */
export function csvText<Row>(rows: readonly Row[], columns: readonly Column<Row, CsvField>[]): string {
  const { head, record } = csvLines(columns);
  return [head, ...rows.map(record)].join('');
}
