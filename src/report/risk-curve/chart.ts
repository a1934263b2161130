import type { RiskCurve } from '../../composition/risk-curve/risk-curve.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { Chart, ChartLine, ChartPoint, Panel } from '../chart/chart.ts';
import { counted, listed } from '../kit/prose.ts';
import { bandNote, hasZero, isDrawn, QUANTITIES, riskCurveHeading, riskCurveNotes } from './statement.ts';

/** The line of results that tell nothing. */
const NO_INFORMATION = 'no information';

/** So many points on a line that a logarithmic axis bends. */
const POINTS = 200;

/** beta = 1 - alpha: who guesses without looking; none where no rate is on the axis. */
function noInformation({ scales }: RiskCurve, [first, ...others]: readonly Decimal[]): readonly ChartLine[] {
  if (first === undefined) return [];
  const last = others.at(-1) ?? first;
  const [from, to] = [first.toNumber(), last.toNumber()];
  const points = Array.from({ length: POINTS + 1 }, (_, index): ChartPoint => {
    const share = index / POINTS;
    const x = scales.x === 'linear' ? from + (to - from) * share : from * (to / from) ** share;
    return { x, lower: 1 - x, upper: null };
  });
  return [{ name: NO_INFORMATION, stroke: 'dotted', isReference: true, points }];
}

/** Where a logarithmic axis of deltas ends, unless all are below. */
const LEAST_DELTA = 1e-12;

/** The points down to the least delta, with the one between points where the line reaches it. */
function downTo(least: number, points: readonly ChartPoint[]): readonly ChartPoint[] {
  const below = points.findIndex(({ upper }) => upper !== null && upper < least);
  const [before, after] = [points[below - 1], points[below]];
  if (before?.upper == null || after?.upper == null) return points;
  const share = Math.log(before.upper / least) / Math.log(before.upper / Math.max(after.upper, Number.MIN_VALUE));
  return [...points.slice(0, below), { x: before.x + share * (after.x - before.x), lower: least, upper: least }];
}

/** A curve on its axes. */
export function riskCurvePanel(curve: RiskCurve, title: string | null = null): Panel {
  const { of, scales } = curve;
  const { x, y } = QUANTITIES[of];
  // A logarithmic axis has no place for 0.
  const at = curve.values
    .map((value, index) => ({ value, index }))
    .filter(({ value }) => scales.x === 'linear' || value.gt(0));
  const lines = curve.lines.filter(isDrawn).map(({ name, points }): ChartLine => ({
    name,
    stroke: 'solid',
    isUneven: true,
    points: at.map(({ value, index }) => ({ x: value.toNumber(), ...points[index]! })),
  }));
  const axes = { title, x: { label: x, scale: scales.x }, y: { label: y, scale: scales.y } };
  if (of === 'tradeoff') {
    const values = at.map(({ value }) => value);
    return { ...axes, lines: [...lines, ...noInformation(curve, values)], follows: 'lower' };
  }
  const cut = scales.y === 'log' && lines.some(({ points }) => points.some(({ upper }) => (upper ?? 0) >= LEAST_DELTA));
  return cut
    ? { ...axes, lines: lines.map((line) => ({ ...line, points: downTo(LEAST_DELTA, line.points) })) }
    : { ...axes, lines };
}

/** A curve as a chart; `names` are those of the compositions. */
export function riskCurveChart(curve: RiskCurve, names: readonly string[]): Chart {
  const { scales, lines } = curve;
  const panel = riskCurvePanel(curve);
  const title = riskCurveHeading(curve, names);
  const drawn = lines.filter(isDrawn).map(({ name }) => name);
  const outside = [
    ...(scales.x === 'log' && curve.values.some((value) => value.lte(0))
      ? ['What is at 0 is not on the logarithmic axis.']
      : []),
    ...(scales.y === 'log' && hasZero(curve) ? ['Where the value is 0 it is below the logarithmic axis.'] : []),
  ];
  return {
    title,
    description: `${title}: ${panel.y.label} over ${panel.x.label}. ${counted(drawn.length, 'line')}: ${listed(drawn)}.`,
    notes: [...riskCurveNotes(curve), ...bandNote(curve), ...outside],
    panels: [panel],
  };
}
