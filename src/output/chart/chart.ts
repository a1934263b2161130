import type { Output } from '../kit/page.ts';
import { scaleLinear, scaleLog } from 'd3-scale';
import { grouped } from '../kit/prose.ts';

/** An axis: the quantity on it, with its unit, and its scale. */
export interface Axis {
  readonly label: string;
  readonly scale: 'linear' | 'log';
  /** Whether it counts something, so that it has marks at whole numbers only. */
  readonly whole?: boolean;
}

/** A value with the lower end of its enclosure, where one is known; null where there is no value. */
export interface ChartPoint {
  readonly x: number;
  readonly lower: number | null;
  readonly upper: number | null;
}

/** A line, its points in the order of x. */
export interface ChartLine {
  readonly name: string;
  /** Whether it is there to be compared with: it is drawn like an axis, without marks. */
  readonly isReference?: boolean;
  /** Whether its points lie closer where it bends: its marks are then spread over its length. */
  readonly isUneven?: boolean;
  readonly stroke: 'solid' | 'dashed' | 'dotted';
  readonly points: readonly ChartPoint[];
}

/** One pair of axes with its lines. */
export interface Panel {
  readonly title: string | null;
  readonly x: Axis;
  readonly y: Axis;
  readonly lines: readonly ChartLine[];
  /** The end of their values that lines follow, from which a band reaches to the other end; left out: the upper one. */
  readonly follows?: 'lower';
}

/** The end of a value that its line follows, and the other one. */
const endsOf = (
  { follows }: Pick<Panel, 'follows'>,
  { lower, upper }: ChartPoint,
): { readonly line: number | null; readonly other: number | null } =>
  follows === 'lower' ? { line: lower, other: upper } : { line: upper, other: lower };

/** A chart; panels beside each other have lines of the same names. */
export interface Chart {
  readonly title: string;
  /** In sentences, for those who do not see it. */
  readonly description: string;
  /** Sentences that stand under it. */
  readonly notes: readonly string[];
  readonly panels: readonly Panel[];
}

/** A result that can be drawn too. */
export interface DrawnOutput extends Output {
  readonly chart: () => Chart;
}

/** The names of all lines, each once, those to compare with last. */
export function lineNames({ panels }: Chart): readonly string[] {
  const lines = panels.flatMap((panel) => panel.lines);
  const names = (references: boolean): string[] =>
    lines.filter(({ isReference = false }) => isReference === references).map(({ name }) => name);
  return [...new Set([...names(false), ...names(true)])];
}

/** A mark of an axis, and what is written at it. */
export interface Tick {
  readonly value: number;
  readonly text: string;
}

/** Where values lie along an axis. */
export interface PlotScale {
  readonly from: number;
  readonly to: number;
  /** From 0 to 1; null for what has no place there: what is not finite, and what is not above 0 on a logarithmic axis. */
  readonly position: (value: number | null) => number | null;
  /** About as many as asked, or fewer, all of them on the axis. */
  readonly ticks: (about: number) => readonly Tick[];
}

/** A number at a mark: `0.25`, `1,000`, `1e-6`. */
export function tickText(value: number): string {
  const short = Number(value.toPrecision(12));
  const size = Math.abs(short);
  if (size !== 0 && (size < 1e-3 || size >= 1e7)) return short.toExponential().replace('e+', 'e');
  const [whole = '', ...fraction] = String(short).split('.');
  return [whole.replace(/\d+/, (digits) => grouped(BigInt(digits))), ...fraction].join('.');
}

/** Every one of few, or every second, third, ... of many; the last always among them where that is possible. */
function thinned(values: readonly number[], limit: number): readonly number[] {
  const every = Math.max(1, Math.ceil(values.length / Math.max(1, limit)));
  return values.filter((_, index) => (values.length - 1 - index) % every === 0);
}

/** The powers of ten from one to the other. */
function decades(from: number, to: number): readonly number[] {
  const [first, last] = [Math.ceil(Math.log10(from) - 1e-9), Math.floor(Math.log10(to) + 1e-9)];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => Number(`1e${first + index}`));
}

/** The largest value that has a place, and on a logarithmic axis the smallest: powers of ten beyond are no doubles. */
const LARGEST = 1e300;
export const SMALLEST = 1e-300;

/** How far below the least upper end a logarithmic axis follows lower ends. */
const FARTHEST = 1000;

/** Values closer than this, relatively, are one. */
const SAME = 1e-12;

/** The least and the most of values, apart by more than rounding. */
function extent(values: readonly number[]): readonly [number, number] {
  if (values.length === 0) return [0, 1];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low > Math.max(SAME * size, SMALLEST)) return [low, high];
  return size <= SMALLEST ? [low - 0.5, high + 0.5] : [low - size / 2, high + size / 2];
}

const isPlaced = (scale: Axis['scale'], value: number): boolean =>
  Math.abs(value) <= LARGEST && (scale !== 'log' || value >= SMALLEST);

function logScale(values: readonly number[], nice: boolean): PlotScale {
  const [low, high] = values.length === 0 ? [1, 10] : extent(values);
  const scale = scaleLog().domain([low, high]);
  if (nice) scale.nice();
  const [from = 1, to = 10] = scale.domain();
  return {
    from,
    to,
    position: (value) => (value !== null && value >= from && value <= to ? scale(value) : null),
    ticks(about) {
      const powers = decades(from, to);
      const chosen = powers.length >= 3 ? thinned(powers, about) : thinned(scale.ticks(about), about);
      return chosen.filter((value) => value >= from && value <= to).map((value) => ({ value, text: tickText(value) }));
    },
  };
}

function linearScale(values: readonly number[], nice: boolean): PlotScale {
  const [low, high] = extent(values);
  // What begins near 0 begins at 0, so that lengths can be compared.
  const scale = scaleLinear().domain([nice && low > 0 && low < high / 2 ? 0 : low, high]);
  if (nice) scale.nice();
  const [from = 0, to = 1] = scale.domain();
  return {
    from,
    to,
    position: (value) => (value !== null && value >= from && value <= to ? scale(value) : null),
    ticks: (about) =>
      scale
        .ticks(Math.max(1, about))
        .filter((value) => value >= from && value <= to)
        .map((value) => ({ value, text: tickText(value) })),
  };
}

function scaleOf({ scale, whole = false }: Axis, values: readonly number[], nice: boolean): PlotScale {
  const placed = values.filter((value) => isPlaced(scale, value));
  const plotted = scale === 'log' ? logScale(placed, nice) : linearScale(placed, nice);
  if (!whole) return plotted;
  return { ...plotted, ticks: (about) => plotted.ticks(about).filter(({ value }) => Number.isInteger(value)) };
}

/** Where a point lies, from 0 to 1 along both axes; null where it has no place on the first. */
interface Position {
  readonly across: number;
  readonly line: number | null;
  /** The other end of the value; at the edge of the plot where it is 0 on a logarithmic axis. */
  readonly other: number | null;
}

export type PanelScales = Readonly<Record<'x' | 'y', PlotScale>>;

/** Where a point of a panel lies. */
export function positionOf(panel: Panel, { x, y }: PanelScales, point: ChartPoint): Position | null {
  const { line, other } = endsOf(panel, point);
  const [across, high] = [x.position(point.x), y.position(line)];
  if (across === null) return null;
  return { across, line: high, other: high === null || other === null ? null : (y.position(other) ?? 0) };
}

/** The scales of the axes of a panel, wide enough for all values that have a place. */
export function panelScales(panel: Panel): PanelScales {
  const { x, y, lines } = panel;
  const points = lines.flatMap((line) => line.points);
  const ends = points.map((point) => endsOf(panel, point));
  const claims = ends.flatMap(({ line }) => line ?? []);
  // A lower end far below all else would leave no room for what is claimed; its band ends at the edge.
  const floor = y.scale === 'log' ? Math.min(...claims.filter((end) => end >= SMALLEST)) / FARTHEST : -Infinity;
  const others = ends.flatMap(({ other }) => (other === null || other < floor ? [] : other));
  return {
    x: scaleOf(
      x,
      points.map((point) => point.x),
      false,
    ),
    y: scaleOf(y, [...claims, ...others], true),
  };
}
