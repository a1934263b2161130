import {
  claimedEnd,
  type RiskCurve,
  type RiskLine,
  type RiskMeasure,
  type Ends,
} from '../composition/risk-curve/risk-curve.ts';
import { inapplicabilityMessage } from './kit/message.ts';
import { meet, exactGivenText, lowerText, upperText } from './kit/number.ts';
import { counted, printable, listed } from './kit/prose.ts';
import { BOUND_IDS } from '../bounds/core/bound.ts';
import type { ExactForm } from '../document/structure/normal-form.ts';
import type { Decimal } from '../numeric/decimal.ts';
import { FINITE, GIVEN, INPUT, LOWER, TEXT, UPPER } from './kit/codecs.ts';
import { WARNING } from './refusal/refusal.ts';
import { csvText, type CsvField, endsOf, ifAny, table, type Column } from './kit/table.ts';
import { heading, paragraph } from './kit/page.ts';
import type { Chart, DrawnOutput, ChartLine, ChartPoint, Panel } from './chart/chart.ts';
import * as json from './kit/codec.ts';

/** How the quantities of a curve are called. */
interface Quantities {
  /** Of one line, and of several. */
  readonly title: readonly [one: string, several: string];
  readonly x: string;
  readonly y: string;
  /** The headings of a table. */
  readonly along: string;
  readonly value: string;
}

/** A test says whether the data are one of two neighbouring sets; delta is a probability, epsilon a logarithm of a ratio. */
const QUANTITIES: Readonly<Record<RiskMeasure, Quantities>> = {
  tradeoff: {
    title: ['Trade-off function', 'Trade-off functions'],
    x: 'alpha (false-positive rate)',
    y: 'beta (false-negative rate)',
    along: 'alpha',
    value: 'beta',
  },
  profile: {
    title: ['Privacy profile', 'Privacy profiles'],
    x: 'epsilon (nats)',
    y: 'delta (probability)',
    along: 'epsilon',
    value: 'delta',
  },
};

/** The lines that have points. */
type DrawnLine = Extract<RiskLine, { readonly points: unknown }>;

export const isDrawn = (line: RiskLine): line is DrawnLine => 'points' in line;

/** `Trade-off function of "noise"`; `names` are those of the compositions. */
function riskCurveHeading({ of }: Pick<RiskCurve, 'of'>, names: readonly string[]): string {
  const [singular, plural] = QUANTITIES[of].title;
  return names.length === 1
    ? `${singular} of ${printable(names[0]!)}`
    : `${plural} of ${counted(names.length, 'composition')}`;
}

/** Whether both ends of some value are known, and differ. */
const hasBand = ({ points }: DrawnLine): boolean =>
  points.some(({ lower, upper }) => lower !== null && upper !== null && !meet(lower, upper));

const MEANING: Readonly<Record<RiskMeasure, string>> = {
  tradeoff:
    'Every test between two neighboring data sets with a false-positive rate of at most alpha has a false-negative rate of at least beta.',
  profile: 'For every epsilon the results are (epsilon, delta)-differentially private.',
};

const BAND: Readonly<Record<RiskMeasure, string>> = {
  tradeoff: 'A band reaches from the claim up to what a test on some of the mechanisms has, where that can be seen.',
  profile: 'A band shows the gap between lower and upper bound, if it is visible.',
};

/** The meaning of the bands of a picture, where it has any. */
const bandNote = ({ of, lines }: RiskCurve): string[] => (lines.filter(isDrawn).some(hasBand) ? [BAND[of]] : []);

/** In sentences: what the lines say, and which are left out and why. */
function riskCurveNotes({ of, lines }: RiskCurve): string[] {
  const omissions = lines.flatMap((line) =>
    isDrawn(line) ? [] : [`${printable(line.name)} has no line here: ${inapplicabilityMessage(line.reason)}.`],
  );
  return [MEANING[of], ...omissions];
}

/** Whether a claim is 0 somewhere, which a logarithmic axis has no place for. */
const hasZero = ({ of, lines }: RiskCurve): boolean =>
  lines.filter(isDrawn).some(({ points }) => points.some((point) => claimedEnd(of, point) === 0));

/** Both ends are certain, null where none is known. */
const ENDS = json.object({
  lower: json.orNull({ ...FINITE, encode: LOWER.encode }),
  upper: json.orNull({ ...FINITE, encode: UPPER.encode }),
});

const POINT = json.anyOf(
  json.object({ alpha: GIVEN, beta: json.described('The lower end is the claim.', ENDS) }),
  json.object({ epsilon: GIVEN, delta: json.described('The upper end is the claim.', ENDS) }),
);

const LINE = json.object({
  name: TEXT,
  bound: json.described(
    'The bound that the curve belongs to; null for the guarantee.',
    json.orNull(json.choice(...BOUND_IDS)),
  ),
  points: json.list(POINT),
  code: json.optional(json.described('Why the bound has no points.', TEXT)),
  reason: json.optional(TEXT),
});

/** A named specification. */
export const NAMED_INPUT = json.object({ name: TEXT, input: INPUT });

/** Trade-off functions or privacy profiles. */
export const RISK_CURVE = json.document(
  'risk-curve',
  'Trade-off functions (smallest false-negative rate beta over false-positive rate alpha) or privacy profiles (delta over epsilon): the output of curve --of tradeoff or profile with --json.',
  {
    of: json.choice<RiskMeasure>('tradeoff', 'profile'),
    inputs: json.list(NAMED_INPUT),
    lines: json.list(LINE),
    warnings: json.list(WARNING),
  },
);

const pointOf = (of: RiskMeasure, at: Decimal, ends: Ends) =>
  of === 'tradeoff' ? { alpha: at, beta: ends } : { epsilon: at, delta: ends };

/** Both ends of each line, empty where none is known. */
const columnsOf = ({ of, lines }: RiskCurve): Column<number, CsvField>[] =>
  lines.flatMap((line) =>
    endsOf<number>(lines.length === 1 ? QUANTITIES[of].value : printable(line.name), (at) =>
      isDrawn(line) ? line.points[at]! : null,
    ),
  );

/** The claim, rounded to the side on which it stays true. */
function claimText(of: RiskMeasure, { lower, upper }: Ends): string {
  if (of === 'tradeoff') return lower === null ? '-' : lowerText(lower);
  return upper === null ? '-' : upperText({ lower, upper });
}

/** The other end, where it is known and is another number to a reader. */
function otherText(of: RiskMeasure, { lower, upper }: Ends): string {
  if (lower === null || upper === null || meet(lower, upper)) return '';
  return of === 'tradeoff' ? upperText({ lower, upper }) : lowerText(lower);
}

const OTHER: Readonly<Record<RiskMeasure, string>> = { tradeoff: 'upper bound', profile: 'lower bound' };

/** The columns beside each value: of one line both ends, of several their claims. */
function beside(of: RiskMeasure, lines: readonly DrawnLine[]): readonly Column<number>[] {
  const [only, ...others] = lines;
  if (only === undefined) return [];
  if (others.length > 0) {
    return lines.map(({ name, points }) => [printable(name), (at) => claimText(of, points[at]!)]);
  }
  const { points } = only;
  return [
    [QUANTITIES[of].value, (at) => claimText(of, points[at]!)],
    ...ifAny(Array.from(points.keys()), OTHER[of], (at) => otherText(of, points[at]!)),
  ];
}

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
function downTo(floor: number, points: readonly ChartPoint[]): readonly ChartPoint[] {
  const below = points.findIndex(({ upper }) => upper !== null && upper < floor);
  const [before, after] = [points[below - 1], points[below]];
  if (before?.upper == null || after?.upper == null) return points;
  const share = Math.log(before.upper / floor) / Math.log(before.upper / Math.max(after.upper, Number.MIN_VALUE));
  return [...points.slice(0, below), { x: before.x + share * (after.x - before.x), lower: floor, upper: floor }];
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
function riskCurveChart(curve: RiskCurve, names: readonly string[]): Chart {
  const { scales, lines } = curve;
  const panel = riskCurvePanel(curve);
  const title = riskCurveHeading(curve, names);
  const drawnNames = lines.filter(isDrawn).map(({ name }) => name);
  const outside = [
    ...(scales.x === 'log' && curve.values.some((value) => value.lte(0))
      ? ['What is at 0 is not on the logarithmic axis.']
      : []),
    ...(scales.y === 'log' && hasZero(curve) ? ['Where the value is 0 it is below the logarithmic axis.'] : []),
  ];
  return {
    title,
    description: `${title}: ${panel.y.label} over ${panel.x.label}. ${counted(drawnNames.length, 'line')}: ${listed(drawnNames)}.`,
    notes: [...riskCurveNotes(curve), ...bandNote(curve), ...outside],
    panels: [panel],
  };
}

/** A curve; `inputs` are the specifications in normal form, without their targets. */
export function riskCurveOutput(
  curve: RiskCurve,
  inputs: readonly { readonly name: string; readonly input: ExactForm }[],
): DrawnOutput {
  const { of, values, lines, warnings } = curve;
  const { along } = QUANTITIES[of];
  const names = inputs.map(({ name }) => name);
  const rows = Array.from(values.keys());
  return {
    page: () => [
      heading(riskCurveHeading(curve, names)),
      table(rows, [
        [along, (at) => exactGivenText(values[at]!), { inBlock: along }],
        ...beside(of, lines.filter(isDrawn)),
      ]),
      ...riskCurveNotes(curve).map(paragraph),
    ],
    json: (version) =>
      json.documentText(RISK_CURVE, {
        version,
        of,
        inputs,
        lines: lines.map((line) => {
          const { name, bound } = line;
          return isDrawn(line)
            ? { name, bound, points: line.points.map((ends, at) => pointOf(of, values[at]!, ends)) }
            : { name, bound, points: [], code: line.reason.code, reason: inapplicabilityMessage(line.reason) };
        }),
        warnings,
      }),
    csv: () => csvText(rows, [[along, (at) => values[at]!.toString()], ...columnsOf(curve)]),
    chart: () => riskCurveChart(curve, names),
  };
}
