import { BOUND_IDS, type RowId } from '../bounds/core/bound.ts';
import type { Along, CurveAnswer, CurveLine, CurvePoint, CurveQuestion, NoValue } from '../composition/curve/curve.ts';
import { flatEntries, isEntry, withDescendants } from '../composition/core/plan-node.ts';
import { effectiveOrder } from '../privacy/curve.ts';
import { entryText, guaranteeText, mechanismsText } from './kit/statement.ts';
import { inapplicabilityMessage } from './kit/message.ts';
import { refusalMessage } from './refusal/messages.ts';
import { givenText, lowerText, upperText, meet } from './kit/number.ts';
import { grouped, listed, printable } from './kit/prose.ts';
import { ALL_BOUNDS } from '../bounds/all.ts';
import type { Decimal } from '../numeric/decimal.ts';
import type { ExactForm } from '../document/structure/normal-form.ts';
import { BRACKET, GIVEN, askedAt, INPUT, NEAREST, NULL, TEXT, type ReadNumber } from './kit/codecs.ts';
import { ROW_ID, WARNING } from './refusal/refusal.ts';
import { csvText, type CsvField, endsOf, ifAny, table, type Column } from './kit/table.ts';
import { heading, paragraph } from './kit/page.ts';
import { type Chart, type DrawnOutput, type ChartPoint, type Panel, SMALLEST } from './chart/chart.ts';
import * as json from './kit/codec.ts';

/** Whether there is nothing at a point, and why. */
const isMissing = (point: CurvePoint): point is NoValue => !('value' in point);

/** The composition along the curve: its name, or its mechanisms. */
function subject({ problem, along }: CurveQuestion, name: string | null): string {
  if (name !== null) return `"${printable(name)}"`;
  const entries = flatEntries(problem.entries);
  if (entries === null) return 'this plan';
  const [only, ...others] = entries;
  if (only !== undefined && others.length === 0) {
    if (along.name !== 'count') return entryText(only);
    const words = guaranteeText(only.mechanism);
    // What is drawn for each of them comes last.
    return only.mechanism.type === 'sampled' ? words : `${words} mechanisms`;
  }
  if (along.name === 'count') return `${grouped(entries.length)} entries, one of them of varying number`;
  return `${along.name === 'times' ? 'lists of ' : ''}${mechanismsText(entries)}`;
}

function manner({ adaptivity, order }: CurveQuestion['problem']): string {
  if (adaptivity === 'nonadaptive') return 'all fixed in advance';
  return effectiveOrder(adaptivity, order) === 'declared'
    ? 'adaptively chosen in the declared order'
    : 'chosen adaptively';
}

/** The question in one line: `Certified epsilon at delta 1e-6 of (0.1, 0)-DP mechanisms, chosen adaptively`. */
function curveHeading(question: CurveQuestion, name: string | null): string {
  const { solveFor, given, problem } = question;
  const at = given === null ? '' : ` at ${solveFor === 'epsilon' ? 'delta' : 'epsilon'} ${givenText(given)}`;
  return `Certified ${solveFor}${at} of ${subject(question, name)}, ${manner(problem)}`;
}

/** The label of the axis along which the curve runs, with its unit. */
export function alongLabel(along: Along, { entries }: Pick<CurveQuestion['problem'], 'entries'>): string {
  switch (along.name) {
    case 'count': {
      const all = entries.flatMap(withDescendants).filter(isEntry);
      const { label } = along.entry;
      if (all.length === 1) return 'number of mechanisms';
      return label === null ? 'number of mechanisms of one entry' : `number of "${printable(label)}"`;
    }
    case 'times':
      return 'times the list is run';
    case 'delta':
    case 'epsilon':
      return measureLabel(along.name);
  }
}

/** Epsilon bounds a natural logarithm of a ratio of probabilities, delta a probability. */
export const measureLabel = (measure: 'epsilon' | 'delta'): string =>
  measure === 'epsilon' ? 'epsilon (nats)' : 'delta (probability)';

const points = (count: number, all: number): string =>
  count === all ? (all === 1 ? 'at the only point' : 'at any point') : `at ${grouped(count)} of ${grouped(all)} points`;

/** Why a line has no value somewhere, each reason once, and where it is not finite. */
function gaps({ id, points: all }: CurveLine): string[] {
  const reasons = all.filter(isMissing).map((point) => {
    return 'reason' in point ? `${id} ${inapplicabilityMessage(point.reason)}` : refusalMessage(point.refusal);
  });
  const missing = [...new Set(reasons)].map((reason) => {
    const count = reasons.filter((other) => other === reason).length;
    const place = count === all.length ? `${id} has no line here` : `${id} has no value ${points(count, all.length)}`;
    return `${place}: ${reason.replace(/\.$/, '')}.`;
  });
  const infinite = all.filter((point) => !isMissing(point) && point.value.upper === Infinity).length;
  const finite = infinite === 0 ? [] : [`${id} gives no finite epsilon ${points(infinite, all.length)}.`];
  return [...missing, ...finite];
}

/** Which bound gives the claim. */
function bestBounds({ lines }: CurveAnswer): string[] {
  const claim = lines.find(({ id }) => id === 'claim');
  const bounds = claim?.points.flatMap((point) => (isMissing(point) ? [] : [point.bound])) ?? [];
  const ids = [...BOUND_IDS, 'grouped' as const].filter((id) => bounds.includes(id));
  if (ids.length === 0) return [];
  return [`The claim is that of ${listed(ids, 'or')}${ids.length === 1 ? '' : ', whichever is the least'}.`];
}

/** In sentences: which bound gives the claim, and what is left out and why. */
const curveNotes = (answer: CurveAnswer): string[] => [...bestBounds(answer), ...answer.lines.flatMap(gaps)];

const ALONG = ['count', 'times', 'delta', 'epsilon'] as const;
const SOLVED = ['epsilon', 'delta'] as const;

/** A point, at a value of what the curve runs along. */
export interface PlacedPoint {
  readonly along: Along['name'];
  readonly at: Decimal;
  readonly solveFor: (typeof SOLVED)[number];
  readonly point: CurvePoint;
}

type ReadPoint = Readonly<Partial<Record<(typeof ALONG)[number], ReadNumber | json.ReadOf<typeof BRACKET> | null>>> &
  ({ readonly bound: RowId } | { readonly code: string; readonly reason: string });

const POINT: json.Codec<PlacedPoint, ReadPoint> = {
  schema: {
    type: 'object',
    properties: { count: NEAREST.schema, times: NEAREST.schema, delta: {}, epsilon: {} },
    allOf: [{ anyOf: ALONG.map((along) => json.object({ [along]: NEAREST }).schema) }],
    anyOf: SOLVED.flatMap((solved) => [
      json.object({ [solved]: BRACKET, bound: ROW_ID }).schema,
      json.object({ [solved]: NULL, code: TEXT, reason: TEXT }).schema,
    ]),
  },
  encode: ({ along, at, solveFor, point }) => {
    const place = { [along]: NEAREST.encode(at) };
    if (!isMissing(point)) return { ...place, [solveFor]: BRACKET.encode(point.value), bound: point.bound };
    return 'reason' in point
      ? { ...place, [solveFor]: null, code: point.reason.code, reason: inapplicabilityMessage(point.reason) }
      : { ...place, [solveFor]: null, code: point.refusal.code, reason: refusalMessage(point.refusal) };
  },
};

/** A curve. */
export const CURVE = json.document(
  'curve',
  'The smallest epsilons or deltas along a range of counts, deltas or epsilons, as curve --json prints them.',
  {
    input: INPUT,
    query: json.described(
      'The question with all digits: the axis of the curve and the fixed values.',
      json.object({
        solveFor: json.choice(...SOLVED),
        delta: json.optional(GIVEN),
        epsilon: json.optional(GIVEN),
        along: json.choice(...ALONG),
        vary: json.optional(TEXT),
        values: json.list(GIVEN),
      }),
    ),
    lines: json.list(
      json.object({
        id: json.described('A bound, or the best of all.', json.choice<CurveLine['id']>(...BOUND_IDS, 'claim')),
        name: TEXT,
        reference: json.orNull(TEXT),
        points: json.list(POINT),
      }),
    ),
    warnings: json.list(WARNING),
  },
);

function theoremOf({ id }: CurveLine): { readonly name: string; readonly reference: string | null } {
  const bound = ALL_BOUNDS.find((candidate) => candidate.id === id);
  return bound ?? { name: 'the best of all bounds that apply', reference: null };
}

const valueOf = (point: CurvePoint) => (isMissing(point) ? null : point.value);

/** Both ends of a line, and the bound that gives the claim, or why there is no value. */
function columnsOf({ id, points }: CurveLine, solveFor: string): Column<number, CsvField>[] {
  const isClaim = id === 'claim';
  const name = isClaim ? solveFor : id;
  const last = (point: CurvePoint): string | null => {
    if (isMissing(point)) return 'reason' in point ? point.reason.code : point.refusal.code;
    return isClaim ? point.bound : null;
  };
  return [
    ...endsOf<number>(name, (at) => valueOf(points[at]!)),
    [isClaim ? 'bound' : `${name}.code`, (at) => last(points[at]!)],
  ];
}

const NOTHING = '-';

const upper = (point: CurvePoint | undefined): string =>
  point === undefined || isMissing(point) ? NOTHING : upperText(point.value);

const lower = (point: CurvePoint | undefined): string =>
  point === undefined || isMissing(point) || point.value.lower === null ? '' : lowerText(point.value.lower);

function xText({ along }: CurveQuestion, value: Decimal): string {
  return along.name === 'count' || along.name === 'times' ? grouped(BigInt(value.toFixed())) : givenText(value);
}

/** The columns beside each value: of the claim with its bound, of bounds one each. */
function beside({ lines, question }: CurveAnswer): readonly Column<number>[] {
  const [first] = lines;
  if (first?.id !== 'claim') return lines.map(({ id, points }) => [id, (at) => upper(points[at])]);
  const { points } = first;
  const bound = (point: CurvePoint | undefined): string => (point === undefined || isMissing(point) ? '' : point.bound);
  return [
    [question.solveFor, (at) => upper(points[at])],
    ...ifAny(Array.from(points.keys()), 'lower bound', (at) => lower(points[at])),
    ['bound', (at) => bound(points[at])],
  ];
}

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
  return has ? ['A band shows the gap between lower and upper bound, if it is visible.'] : [];
}

/** A curve as a chart: deltas on a logarithmic axis, epsilons on a linear one. */
function curveChart(answer: CurveAnswer, name: string | null, axes: AxisChoice): Chart {
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

/** A curve of the composition of that name; `input` is the specification in normal form, without its target. */
export function curveOutput(
  answer: CurveAnswer,
  { name, input, axes }: { readonly name: string | null; readonly input: ExactForm; readonly axes: AxisChoice },
): DrawnOutput {
  const { question, lines, warnings } = answer;
  const { along, values, solveFor, given } = question;
  const rows = Array.from(values.keys());
  return {
    page: () => [
      heading(curveHeading(question, name)),
      table(rows, [[along.name, (at) => xText(question, values[at]!), { inBlock: along.name }], ...beside(answer)]),
      ...curveNotes(answer).map(paragraph),
    ],
    json: (version) =>
      json.documentText(CURVE, {
        version,
        input,
        query: {
          ...askedAt(solveFor, given),
          along: along.name,
          vary: along.name === 'count' ? along.entry.label : null,
          values,
        },
        lines: lines.map((line) => ({
          ...theoremOf(line),
          id: line.id,
          points: line.points.map((point, at) => ({ along: along.name, at: values[at]!, solveFor, point })),
        })),
        warnings,
      }),
    csv: () =>
      csvText(rows, [
        [along.name, (at) => values[at]!.toString()],
        ...lines.flatMap((line) => columnsOf(line, solveFor)),
      ]),
    chart: () => curveChart(answer, name, axes),
  };
}
