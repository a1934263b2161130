import type { CurveAnswer, CurvePoint, CurveQuestion } from '../../composition/curve/curve.ts';
import type { Chart, ChartPoint, Panel } from '../chart/chart.ts';
import { SMALLEST } from '../chart/plot-scale.ts';
import { alongLabel, curveHeading, curveNotes, isMissing, measureLabel } from './statement.ts';
import { meet } from '../kit/number.ts';
import { listed } from '../kit/prose.ts';

/** How axes are divided where that is asked for. */
export interface AxisChoice {
  readonly x?: 'linear' | 'log';
  readonly y?: 'linear' | 'log';
}

/** Counts that are spread over more than this factor, with most of them at the lower end, are read by their ratios. */
const WIDE = 20;

function scaleOfX({ along, values }: CurveQuestion): 'linear' | 'log' {
  if (along.name === 'delta') return 'log';
  if (along.name === 'epsilon') return 'linear';
  const [first, last] = [values[0]!.toNumber(), values.at(-1)!.toNumber()];
  const middle = values[Math.floor(values.length / 2)]!.toNumber();
  return last > WIDE * first && middle < (first + last) / 4 ? 'log' : 'linear';
}

/** A point of a curve in a chart. */
export function pointOf(point: CurvePoint, x: number): ChartPoint {
  if (isMissing(point)) return { x, lower: null, upper: null };
  return { x, lower: point.value.lower, upper: point.value.upper };
}

/** Notes on values that a logarithmic axis has no place for. */
function outside({ x, y, lines }: Panel): string[] {
  const at = lines.flatMap(({ points }) => points);
  return [
    ...(x.scale === 'log' && at.some((point) => point.x < SMALLEST)
      ? ['What is at 0 is not on the logarithmic axis.']
      : []),
    ...(y.scale === 'log' && at.some(({ upper }) => upper !== null && upper < SMALLEST)
      ? ['Where the value is 0 it is below the logarithmic axis.']
      : []),
  ];
}

/** A note on the meaning of a band, where one is visible. */
function banded({ lines }: Panel): string[] {
  const isWide = ({ lower, upper }: ChartPoint): boolean => lower !== null && upper !== null && !meet(lower, upper);
  const has = lines.some(({ points }) => points.some(isWide));
  return has ? ['A band reaches from what no claim can go below up to the claim, where that can be seen.'] : [];
}

/** A curve as a chart: deltas on a logarithmic axis, epsilons on a linear one. */
export function curveChart(answer: CurveAnswer, name: string | null, axes: AxisChoice = {}): Chart {
  const { question, lines } = answer;
  const { values, solveFor, along, problem } = question;
  const panel: Panel = {
    title: null,
    x: {
      label: alongLabel(along, problem),
      scale: axes.x ?? scaleOfX(question),
      whole: along.name === 'count' || along.name === 'times',
    },
    y: { label: measureLabel(solveFor), scale: axes.y ?? (solveFor === 'delta' ? 'log' : 'linear') },
    lines: lines.map((line) => ({
      name: line.id,
      stroke: 'solid',
      points: line.points.map((point, index) => pointOf(point, values[index]!.toNumber())),
    })),
  };
  const title = curveHeading(question, name);
  return {
    title,
    description: `${title}, over ${panel.x.label}. ${lines.length === 1 ? 'One line' : `${lines.length} lines`}: ${listed(lines.map(({ id }) => id))}.`,
    notes: [...curveNotes(answer), ...banded(panel), ...outside(panel)],
    panels: [panel],
  };
}
