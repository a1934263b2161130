import { area, line as linePath, symbol, symbolsFill } from 'd3-shape';
import { escapeXml } from '../kit/page.ts';
import { printable, wrapped } from '../kit/prose.ts';
import {
  lineNames,
  type Chart,
  type ChartLine,
  type ChartPoint,
  type Panel,
  panelScales,
  positionOf,
  type PanelScales,
} from './chart.ts';

/** Distances in CSS pixels. */
const MARGIN = { left: 74, right: 24, top: 20, bottom: 52 };
const TITLE = { size: 17, leading: 23 };
const TEXT = { size: 13, leading: 19 };
/** The plot area of the only panel, and of one of several. */
const ALONE = { width: 640, height: 360 };
const BESIDE = { width: 300, height: 300 };
const SAMPLE = 34;
const SPACE = 26;

/** The width of a letter as a part of the size of the type: more than it usually is. */
const LETTER = 0.56;

/**
 * Colours of lines on light and on dark ground, after Okabe and Ito: told apart by those who do not see all colours, and
 * with a contrast to the ground of at least 3 to 1.
 */
const COLORS: readonly (readonly [string, string])[] = [
  ['#0060a8', '#56b4e9'],
  ['#c24e00', '#f08a4b'],
  ['#00785a', '#2fc79b'],
  ['#a2467c', '#e08fbd'],
  ['#7d6100', '#e6b422'],
  ['#333333', '#e0e0e0'],
  ['#5a3fb0', '#a796f0'],
];

const DASHES = { solid: null, dashed: '8 5', dotted: '1.5 5' } as const;
/** Of lines beyond the first set of colours and symbols. */
const FURTHER_DASHES = ['5 3', '9 3 2 3'];

/** Marks on a line that tell it from others without colour; as many as this, or all points of a short line. */
const MARKS = 7;
const MARK_AREA = 46;

/** How far apart the ends of an enclosure must be for a band. */
const VISIBLE = 0.75;

/** The colours of everything but lines, on light and on dark ground. */
const INKS = {
  ground: ['#ffffff', '#0d1117'],
  text: ['#24292f', '#e6edf3'],
  note: ['#57606a', '#9da7b3'],
  grid: ['#d8dee4', '#2b323b'],
  axis: ['#57606a', '#9da7b3'],
} as const satisfies Record<string, readonly [string, string]>;
type Ink = keyof typeof INKS;

const FONTS = "system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', Helvetica, Arial, sans-serif";

const escape = (text: string): string => escapeXml(printable(text));

const pixel = (x: number): string => String(Number(x.toFixed(2)));

const textWidth = (text: string, size: number): number => text.length * size * LETTER;

const lettersIn = (width: number, size: number): number => Math.floor(width / (size * LETTER));

interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Text on its place. */
function text(x: number, y: number, content: string, more = '', ink: Ink = 'text'): string {
  return `<text x="${pixel(x)}" y="${pixel(y)}" fill="${INKS[ink][0]}"${more}>${escape(content)}</text>`;
}

/** The colours on dark ground, by the classes of elements. The colours for light ground are their attributes. */
function darkStyles(count: number): string {
  const dark = (ink: Ink): string => INKS[ink][1];
  const lines = COLORS.slice(0, count).map(
    ([, color], index) =>
      `.dpc .line.c${index} { stroke: ${color}; }\n.dpc .mark.c${index}, .dpc .band.c${index} { fill: ${color}; }`,
  );
  return `<style>
@media (prefers-color-scheme: dark) {
.dpc .ground { fill: ${dark('ground')}; }
.dpc text { fill: ${dark('text')}; }
.dpc .note { fill: ${dark('note')}; }
.dpc .grid { stroke: ${dark('grid')}; }
.dpc .axis { stroke: ${dark('axis')}; }
${lines.join('\n')}
}
</style>`;
}

const colorClass = (index: number): string => `c${index % COLORS.length}`;
const colorOf = (index: number): string => COLORS[index % COLORS.length]![0];

/** How a line is stroked: as its chart says, and otherwise by its number. */
function dash(stroke: ChartLine['stroke'], index: number): string {
  const further = Math.floor(index / COLORS.length);
  const pattern = DASHES[stroke] ?? (further === 0 ? null : FURTHER_DASHES[(further - 1) % FURTHER_DASHES.length]);
  return pattern == null ? '' : ` stroke-dasharray="${pattern}"`;
}

const linePathOf = (d: string, stroke: ChartLine['stroke'], index: number): string =>
  `<path class="line ${colorClass(index)}" fill="none" stroke="${colorOf(index)}" stroke-width="2" stroke-linejoin="round" stroke-linecap="round"${dash(stroke, index)} d="${d}"/>`;

/** A line that others are compared with. */
const referencePath = (d: string): string =>
  `<path class="axis" fill="none" stroke="${INKS.axis[0]}" stroke-width="1.5" stroke-dasharray="${DASHES.dotted}" stroke-linecap="round" d="${d}"/>`;

const markShape = (index: number): string =>
  symbol(symbolsFill[index % symbolsFill.length], MARK_AREA).digits(2)() ?? '';

function mark(x: number, y: number, index: number): string {
  return `<path class="mark ${colorClass(index)}" fill="${colorOf(index)}" transform="translate(${pixel(x)},${pixel(y)})" d="${markShape(index)}"/>`;
}

const gridLine = (d: string): string => `<path class="grid" stroke="${INKS.grid[0]}" d="${d}"/>`;

/** A point on its place in pixels; null where it has none. */
interface Placed {
  readonly x: number;
  readonly line: number | null;
  readonly other: number | null;
}

/** Where the points of a panel are placed. */
interface Place {
  readonly panel: Panel;
  readonly scales: PanelScales;
  readonly frame: Frame;
}

function place(point: ChartPoint, { panel, scales, frame }: Place): Placed | null {
  const position = positionOf(panel, scales, point);
  if (position === null) return null;
  const up = (end: number | null): number | null => (end === null ? null : frame.top + frame.height * (1 - end));
  return { x: frame.left + frame.width * position.across, line: up(position.line), other: up(position.other) };
}

/** Points by their number: all of few. */
function everySo(placed: readonly Placed[], shift: number): readonly Placed[] {
  const every = Math.max(1, Math.ceil(placed.length / MARKS));
  const first = Math.floor(shift * every);
  return placed.filter((_, at) => at % every === first);
}

/** Points at about equal distances along a line. */
function spread(placed: readonly Placed[], shift: number): readonly Placed[] {
  const visible = placed.filter((point) => point.line !== null);
  const lengths = visible.map((point, at) => {
    const before = visible[Math.max(0, at - 1)]!;
    return Math.hypot(point.x - before.x, point.line! - before.line!);
  });
  const length = lengths.reduce((sum, part) => sum + part, 0);
  const chosen = new Set<Placed>();
  let [passed, next] = [0, shift + 0.25];
  visible.forEach((point, at) => {
    passed += lengths[at]!;
    if (passed * MARKS < next * length) return;
    chosen.add(point);
    next = Math.floor((passed * MARKS) / length - shift - 0.25) + 1 + shift + 0.25;
  });
  return [...chosen];
}

function drawnLine(
  line: ChartLine,
  index: number,
  { marked, ...where }: Place & { readonly marked: { readonly shift: number } | null },
): string {
  const placed = line.points.flatMap((point) => place(point, where) ?? []);
  const path = linePath<Placed>(
    (point) => point.x,
    (point) => point.line ?? 0,
  )
    .defined((point) => point.line !== null)
    .digits(2)(placed);
  if (line.isReference === true) return path === null ? '' : referencePath(path);
  const isWide = placed.some(
    (point) => point.line !== null && Math.abs((point.other ?? point.line) - point.line) > VISIBLE,
  );
  const band = isWide
    ? area<Placed>(
        (point) => point.x,
        (point) => point.other ?? 0,
        (point) => point.line ?? 0,
      )
        .defined((point) => point.line !== null && point.other !== null)
        .digits(2)(placed)
    : null;
  const markedPoints = marked === null ? [] : (line.isUneven === true ? spread : everySo)(placed, marked.shift);
  const marks = markedPoints.flatMap((point) => (point.line === null ? [] : [mark(point.x, point.line, index)]));
  return [
    ...(band === null
      ? []
      : [`<path class="band ${colorClass(index)}" fill="${colorOf(index)}" fill-opacity="0.25" d="${band}"/>`]),
    ...(path === null ? [] : [linePathOf(path, line.stroke, index)]),
    ...marks,
  ].join('\n');
}

function drawnPanel(panel: Panel, frame: Frame, names: readonly string[]): string {
  const scales = panelScales(panel);
  const { left, top, width, height } = frame;
  const bottom = top + height;
  const xTicks = scales.x.ticks(Math.floor(width / 80)).map(({ value, text: label }) => ({
    at: left + width * (scales.x.position(value) ?? 0),
    label,
  }));
  const yTicks = scales.y.ticks(Math.floor(height / 42)).map(({ value, text: label }) => ({
    at: bottom - height * (scales.y.position(value) ?? 0),
    label,
  }));
  const middle = left + width / 2;
  const centre = top + height / 2;
  const labelled = left - MARGIN.left + 19;
  return [
    '<g>',
    ...(panel.title === null ? [] : [text(middle, top - 9, panel.title, ' text-anchor="middle"')]),
    ...xTicks.map(({ at }) => gridLine(`M${pixel(at)},${pixel(top)}V${pixel(bottom)}`)),
    ...yTicks.map(({ at }) => gridLine(`M${pixel(left)},${pixel(at)}H${pixel(left + width)}`)),
    `<path class="axis" fill="none" stroke="${INKS.axis[0]}" d="M${pixel(left)},${pixel(top)}V${pixel(bottom)}H${pixel(left + width)}"/>`,
    ...xTicks.map(({ at, label }) => text(at, bottom + 18, label, ' text-anchor="middle"')),
    ...yTicks.map(({ at, label }) => text(left - 7, at + 4.5, label, ' text-anchor="end"')),
    text(middle, bottom + 42, panel.x.label, ' text-anchor="middle"'),
    text(
      labelled,
      centre,
      panel.y.label,
      ` text-anchor="middle" transform="rotate(-90 ${pixel(labelled)} ${pixel(centre)})"`,
    ),
    ...panel.lines.map((line) => {
      const index = names.indexOf(line.name);
      const marked = names.length > 1 ? { shift: index / names.length } : null;
      return drawnLine(line, index, { panel, scales, frame, marked });
    }),
    '</g>',
  ].join('\n');
}

/** The legend in rows as wide as there is room, from `top` down, and its height. */
function legend(chart: Chart, names: readonly string[], from: number, top: number, width: number) {
  let [x, y] = [0, top];
  const items = names.map((name, index) => {
    const line = chart.panels.flatMap(({ lines }) => lines).find((candidate) => candidate.name === name);
    const length = SAMPLE + 8 + textWidth(name, TEXT.size) + SPACE;
    if (x > 0 && x + length - SPACE > width) [x, y] = [0, y + TEXT.leading + 3];
    const at = from + x;
    x += length;
    const sample = `M${pixel(at)},${pixel(y - 4.5)}h${SAMPLE}`;
    return [
      ...(line?.isReference === true
        ? [referencePath(sample)]
        : [linePathOf(sample, line?.stroke ?? 'solid', index), mark(at + SAMPLE / 2, y - 4.5, index)]),
      text(at + SAMPLE + 8, y, name),
    ].join('\n');
  });
  return { items, height: y - top + TEXT.leading };
}

/**
 * A chart as an SVG document: panels beside each other, a legend under them, lines told apart by colour and by marks.
 * Its colours are attributes, those of light ground, so that converters to PNG and PDF see them; where a page is shown on
 * dark ground, a style gives others. Both ends of an enclosure are the edges of a band where they differ visibly.
 *
 * @param plot - the area of the only panel in CSS pixels, for a narrow page
 */
export function chartSvg(chart: Chart, plot = ALONE): string {
  const { panels } = chart;
  const names = lineNames(chart);
  const size = panels.length === 1 ? plot : BESIDE;
  const step = MARGIN.left + size.width + MARGIN.right;
  const width = step * panels.length;
  const inner = width - 2 * MARGIN.right;
  const titles = wrapped(chart.title, lettersIn(inner, TITLE.size)).split('\n');
  const titled = panels.some(({ title }) => title !== null);
  const top = MARGIN.top + titles.length * TITLE.leading + (titled ? TEXT.leading + 4 : 6);
  const below = top + size.height + MARGIN.bottom + TEXT.leading;
  const key = names.length > 1 ? legend(chart, names, MARGIN.right, below, inner) : { items: [], height: -8 };
  const notes = chart.notes.flatMap((note) => wrapped(note, lettersIn(inner, TEXT.size)).split('\n'));
  const noted = below + key.height + 6;
  const height = Math.ceil(noted + notes.length * TEXT.leading);
  const titleStyle = ` class="title" font-size="${TITLE.size}" font-weight="600"`;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" class="dpc" role="img" aria-labelledby="dpc-title dpc-desc" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONTS}" font-size="${TEXT.size}">`,
    `<title id="dpc-title">${escape(chart.title)}</title>`,
    `<desc id="dpc-desc">${escape(chart.description)}</desc>`,
    darkStyles(names.length),
    `<rect class="ground" fill="${INKS.ground[0]}" width="${width}" height="${height}"/>`,
    ...titles.map((line, row) => text(MARGIN.right, MARGIN.top + 8 + row * TITLE.leading, line, titleStyle)),
    ...panels.map((panel, index) => drawnPanel(panel, { left: index * step + MARGIN.left, top, ...size }, names)),
    ...key.items,
    ...notes.map((note, row) => text(MARGIN.right, noted + row * TEXT.leading, note, ' class="note"', 'note')),
    '</svg>',
  ].join('\n')}\n`;
}
