import type { Output } from '../kit/page.ts';

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
export const endsOf = (
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
  const names = (wanted: boolean): string[] =>
    lines.filter(({ isReference = false }) => isReference === wanted).map(({ name }) => name);
  return [...new Set([...names(false), ...names(true)])];
}
