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
  readonly stroke: 'solid' | 'dashed' | 'dotted';
  readonly points: readonly ChartPoint[];
}

/** One pair of axes with its lines. */
export interface Panel {
  readonly title: string | null;
  readonly x: Axis;
  readonly y: Axis;
  readonly lines: readonly ChartLine[];
}

/** A chart; panels beside each other have lines of the same names. */
export interface Chart {
  readonly title: string;
  /** In sentences, for those who do not see it. */
  readonly description: string;
  /** Sentences that stand under it. */
  readonly notes: readonly string[];
  readonly panels: readonly Panel[];
}

/** The names of all lines, each once. */
export const lineNames = ({ panels }: Chart): readonly string[] => [
  ...new Set(panels.flatMap(({ lines }) => lines.map(({ name }) => name))),
];
