import type { Characters, Layout } from '../kit/page.ts';
import { printable, wrapped } from '../kit/prose.ts';
import {
  lineNames,
  type Chart,
  type ChartPoint,
  type Panel,
  panelScales,
  positionOf,
  type PanelScales,
  type PlotScale,
  type Tick,
} from './chart.ts';

const NAMES: Readonly<Record<string, string>> = {
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  δ: 'delta',
  ε: 'epsilon',
  λ: 'lambda',
  μ: 'mu',
  ρ: 'rho',
  σ: 'sigma',
};

/** A text with the symbols of formulas spelled out, for where they cannot be shown; other text of users stays as it is. */
const spelled = (text: string): string => text.replace(/[\u03b1-\u03c3]/g, (symbol) => NAMES[symbol] ?? symbol);

/** Dots that are drawn as characters, several dots to one. */
interface DotCanvas {
  /** In dots. */
  readonly width: number;
  readonly height: number;
  /** Sets the dot in column x, row y (from the top); `letter` is what an ASCII canvas shows there. */
  readonly set: (x: number, y: number, letter: string) => void;
  /** Puts a character in the place of the dots around (x, y), unless another one stands there. */
  readonly write: (x: number, y: number, character: string) => void;
  readonly rows: () => readonly string[];
}

/** How a canvas is made of so many columns and rows of characters. */
interface Dots {
  /** Dots in one character. */
  readonly across: number;
  readonly down: number;
  /** The character of the dots that are set, as bits, or what was put there. */
  readonly character: (bits: number, letter: string) => string;
}

/** The bit of each dot of a braille character, row by row. */
const BRAILLE_BITS = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80];

/** Two by four dots in each character (Unicode U+2800 to U+28FF). */
const BRAILLE: Dots = {
  across: 2,
  down: 4,
  character: (bits) => (bits === 0 ? ' ' : String.fromCodePoint(0x2800 + bits)),
};

/** One dot in each character, shown as the letter of its line. */
const LETTERS: Dots = { across: 1, down: 1, character: (bits, letter) => (bits === 0 ? ' ' : letter) };

/** An empty canvas. */
function dotCanvas(columns: number, rows: number, { across, down, character }: Dots): DotCanvas {
  const bits = new Uint8Array(columns * rows);
  const letters = new Map<number, string>();
  const overlay = new Map<number, string>();
  const cellOf = (x: number, y: number): number => Math.floor(y / down) * columns + Math.floor(x / across);
  return {
    width: columns * across,
    height: rows * down,
    set(x, y, letter) {
      const cell = cellOf(x, y);
      bits[cell]! |= BRAILLE_BITS[(y % down) * across + (x % across)]!;
      if (!letters.has(cell)) letters.set(cell, letter);
    },
    write(x, y, letter) {
      const cell = cellOf(x, y);
      if (!overlay.has(cell)) overlay.set(cell, letter);
    },
    rows: () =>
      Array.from({ length: rows }, (_, row) =>
        Array.from({ length: columns }, (_, column) => {
          const cell = row * columns + column;
          return overlay.get(cell) ?? character(bits[cell]!, letters.get(cell) ?? '');
        }).join(''),
      ),
  };
}

/** The width where there is no terminal, and the most that is of use. */
const USUAL_WIDTH = 80;
const WIDEST = 200;
/** Narrower than this nothing is plotted that could be read. */
const NARROWEST = 24;
const ROWS = { least: 8, most: 20, columnsEach: 4 };

const FRAMES = {
  unicode: { up: '│', tick: '┤', corner: '└', along: '─', mark: '┬', dots: BRAILLE },
  ascii: { up: '|', tick: '+', corner: '+', along: '-', mark: '+', dots: LETTERS },
} as const satisfies Record<Characters, Record<string, string | Dots>>;

/** How far apart, in dots, the ends of an enclosure must be for a band. */
const VISIBLE = 2;

const letterOf = (index: number): string => String.fromCharCode('A'.charCodeAt(0) + (index % 26));

interface Dot {
  readonly x: number;
  readonly line: number | null;
  /** The other end of the value. */
  readonly other: number | null;
}

/** Where a point lies on a canvas, in whole dots. */
function dotOf(point: ChartPoint, panel: Panel, scales: PanelScales, { width, height }: DotCanvas): Dot | null {
  const position = positionOf(panel, scales, point);
  if (position === null) return null;
  const row = (end: number | null): number | null => (end === null ? null : Math.round((height - 1) * (1 - end)));
  return { x: Math.round((width - 1) * position.across), line: row(position.line), other: row(position.other) };
}

/** The height of the straight line from a to b at x. */
const between = (x: number, a: number, ya: number, b: number, yb: number): number =>
  a === b ? yb : Math.round(ya + ((yb - ya) * (x - a)) / (b - a));

/** Draws the line from one point to the next, with the band beside it. */
function join(a: Dot, b: Dot, canvas: DotCanvas, letter: string): void {
  if (a.line === null || b.line === null) return;
  const steps = Math.max(1, Math.abs(b.x - a.x), Math.abs(b.line - a.line));
  for (let step = 0; step <= steps; step++) {
    const share = step / steps;
    canvas.set(Math.round(a.x + (b.x - a.x) * share), Math.round(a.line + (b.line - a.line) * share), letter);
  }
  if (a.other === null || b.other === null) return;
  for (let x = a.x; x <= b.x; x++) {
    const [line, other] = [between(x, a.x, a.line, b.x, b.line), between(x, a.x, a.other, b.x, b.other)];
    if (Math.abs(other - line) < VISIBLE) continue;
    const [from, to] = line < other ? [line + 1, other] : [other, line - 1];
    for (let y = from; y <= to; y++) if ((x + y) % 2 === 0 || y === other) canvas.set(x, y, '.');
  }
}

/** How many columns lie between two letters on one line, and how many letters a line has at most. */
const LETTER_SPACING = { minimum: 12, perLine: 4, across: 8 };

/** Puts the letter of a line on it here and there, at other places than those of other lines. */
function letter(dots: readonly Dot[], canvas: DotCanvas, index: number, lines: number, dotsAcross: number): void {
  const { minimum, perLine, across } = LETTER_SPACING;
  const spacing = Math.max(minimum, perLine * lines, Math.floor(canvas.width / dotsAcross / across)) * dotsAcross;
  const first = Math.floor(((index + 0.5) / lines) * spacing);
  for (let x = first; x < canvas.width; x += spacing) {
    const after = dots.findIndex((dot) => dot.x >= x);
    const [a, b] = [dots[Math.max(0, after - 1)], dots[after]];
    if (a?.line == null || b?.line == null || x < a.x) continue;
    canvas.write(x, between(x, a.x, a.line, b.x, b.line), letterOf(index));
  }
}

/** Labels under an axis, each in the middle of its mark, as many as there is room for. */
function labelRow(marks: readonly { readonly at: number; readonly text: string }[], width: number): string {
  let row = '';
  for (const { at, text } of marks) {
    const start = Math.max(0, Math.min(Math.round(at - (text.length - 1) / 2), width - text.length));
    if (row !== '' && start < row.length + 1) continue;
    row = row.padEnd(start) + text;
  }
  return row;
}

/** The tick of each row of characters that has one. */
function tickRows(ticks: readonly Tick[], scale: PlotScale, rows: number): ReadonlyMap<number, string> {
  return new Map(
    ticks.map(({ value, text }) => [Math.round((rows - 1) * (1 - (scale.position(value) ?? 0))), text] as const),
  );
}

function panelLines(panel: Panel, names: readonly string[], { width, style, characters = 'ascii' }: Layout): string[] {
  const frame = FRAMES[characters];
  const scales = panelScales(panel);
  const rows = Math.max(ROWS.least, Math.min(ROWS.most, Math.round(width / ROWS.columnsEach)));
  const labels = tickRows(scales.y.ticks(Math.floor(rows / 3)), scales.y, rows);
  const margin = Math.max(...[...labels.values()].map((text) => text.length)) + 1;
  const columns = Math.max(1, width - margin - 1);
  const canvas = dotCanvas(columns, rows, frame.dots);
  for (const { name, points } of panel.lines) {
    const index = names.indexOf(name);
    const mark = names.length === 1 ? '*' : letterOf(index);
    const dots = points.flatMap((point) => dotOf(point, panel, scales, canvas) ?? []);
    dots.forEach((dot, at) => {
      join(dots[at - 1] ?? dot, dot, canvas, mark);
      join(dot, dot, canvas, mark);
    });
    if (names.length > 1 && characters === 'unicode') letter(dots, canvas, index, names.length, frame.dots.across);
  }
  const marks = scales.x.ticks(Math.max(2, Math.floor(columns / 12))).map(({ value, text }) => ({
    at: Math.round((columns - 1) * (scales.x.position(value) ?? 0)),
    text,
  }));
  const marked = new Set(marks.map(({ at }) => at));
  const along = Array.from({ length: columns }, (_, at) => (marked.has(at) ? frame.mark : frame.along)).join('');
  const pad = ' '.repeat(margin);
  const xLabel = printable(panel.x.label);
  return [
    ...(panel.title === null ? [] : [style.heading(printable(panel.title))]),
    ...wrapped(printable(panel.y.label), width).split('\n'),
    ...canvas.rows().map((row, index) => {
      const label = labels.get(index);
      return `${(label ?? '').padStart(margin - 1)} ${label === undefined ? frame.up : frame.tick}${row}`.trimEnd();
    }),
    `${pad}${frame.corner}${along}`,
    `${pad} ${labelRow(marks, columns)}`.trimEnd(),
    ...(xLabel.length > width
      ? wrapped(xLabel, width).split('\n')
      : [xLabel.padStart(Math.min(width, Math.max(xLabel.length, Math.floor((margin + width + xLabel.length) / 2))))]),
  ];
}

/** `A dp-optimal   B basic`, in lines of at most `width` columns. */
function legendLines(names: readonly string[], width: number): string[] {
  if (names.length < 2) return [];
  const items = names.map((name, index) => `${letterOf(index)} ${printable(name)}`);
  const lines: string[] = [];
  for (const item of items) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 3 + item.length <= width) lines[lines.length - 1] = `${line}   ${item}`;
    else lines.push(item);
  }
  return lines.flatMap((line) => wrapped(line, width).split('\n'));
}

/** A chart whose symbols are spelled out. */
const inAscii = ({ title, description, notes, panels }: Chart): Chart => ({
  title: spelled(title),
  description,
  notes: notes.map(spelled),
  panels: panels.map(({ title, x, y, lines, ...panel }) => ({
    ...panel,
    title: title === null ? null : spelled(title),
    x: { ...x, label: spelled(x.label) },
    y: { ...y, label: spelled(y.label) },
    lines: lines.map((line) => ({ ...line, name: spelled(line.name) })),
  })),
});

/**
 * A chart in the characters of a terminal: panels under each other, lines told apart by letters. Between the ends of an
 * enclosure that differ visibly there are dots.
 */
export function terminalPlot(source: Chart, layout: Layout): string {
  const chart = layout.characters === 'unicode' ? source : inAscii(source);
  const width = Math.max(NARROWEST, Math.min(WIDEST, Number.isFinite(layout.width) ? layout.width : USUAL_WIDTH));
  const names = lineNames(chart);
  const sized = { ...layout, width };
  const paragraphs = [
    layout.style.heading(wrapped(printable(chart.title), width)),
    ...chart.panels.map((panel) => panelLines(panel, names, sized).join('\n')),
    ...[legendLines(names, width).join('\n')].filter((text) => text !== ''),
    ...chart.notes.map((note) => wrapped(printable(note), width)),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}
