import { fc } from '../../reference/properties.ts';
import type { Chart, ChartPoint, Panel } from '../../../src/output/chart/chart.ts';

/** A chart of one panel with lines of the given points, on axes as asked. */
export function chartOf(
  lines: readonly (readonly ChartPoint[])[],
  { x = 'linear', y = 'linear' }: { x?: Panel['x']['scale']; y?: Panel['y']['scale'] } = {},
): Chart {
  return {
    title: 'Smallest epsilon',
    description: 'One panel.',
    notes: [],
    panels: [
      {
        title: null,
        x: { label: 'number of mechanisms', scale: x },
        y: { label: 'epsilon (nats)', scale: y },
        lines: lines.map((points, index) => ({ name: `bound-${index}`, stroke: 'solid', points })),
      },
    ],
  };
}

const exact = (x: number, upper: number | null): ChartPoint => ({ x, lower: upper, upper });

/** Points of a function at whole numbers from 1. */
export const pointsOf = (count: number, value: (x: number) => number | null): ChartPoint[] =>
  Array.from({ length: count }, (_, index) => exact(index + 1, value(index + 1)));

const value = fc.oneof(
  fc.double({ min: 0, max: 100, noNaN: true }),
  fc.double({ min: 1e-300, max: 1e300, noNaN: true }),
  fc.constantFrom(0, Infinity, null),
);

/** Lines with gaps, zeros, infinities and enclosures, in the order of x. */
export const anyLine = fc
  .array(fc.tuple(fc.double({ min: 0, max: 1e6, noNaN: true }), value, fc.double({ min: 0, max: 1, noNaN: true })), {
    maxLength: 20,
  })
  .map((points) =>
    points
      .sort(([a], [b]) => a - b)
      .map(([x, upper, share]) => ({
        x,
        upper,
        lower: upper === null ? null : upper === Infinity ? null : upper * share,
      })),
  );

/** Either division of an axis. */
export const anyScale = fc.constantFrom('linear' as const, 'log' as const);
