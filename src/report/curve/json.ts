import { ALL_BOUNDS } from '../../bounds/all.ts';
import { BOUND_IDS, type RowId } from '../../bounds/core/bound.ts';
import type { Along, CurveAnswer, CurveLine, CurvePoint } from '../../composition/curve/curve.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { ExactForm } from '../../document/structure/normal-form.ts';
import {
  choice,
  described,
  document,
  documentText,
  list,
  object,
  optional,
  orNull,
  type Codec,
  type ReadOf,
} from '../kit/codec.ts';
import { BRACKET, GIVEN, askedAt, INPUT, NEAREST, NULL, TEXT, type ReadNumber } from '../kit/codecs.ts';
import { inapplicabilityMessage } from '../kit/inapplicability.ts';
import { refusalMessage } from '../refusal/messages.ts';
import { ROW_ID, WARNING } from '../refusal/bound-row-json.ts';
import { isMissing } from './statement.ts';

const ALONG = ['count', 'times', 'delta', 'epsilon'] as const;
const SOLVED = ['epsilon', 'delta'] as const;

/** A point, at a value of what the curve runs along. */
export interface PlacedPoint {
  readonly along: Along['name'];
  readonly at: Decimal;
  readonly solveFor: (typeof SOLVED)[number];
  readonly point: CurvePoint;
}

type ReadPoint = Readonly<Partial<Record<(typeof ALONG)[number], ReadNumber | ReadOf<typeof BRACKET> | null>>> &
  ({ readonly bound: RowId } | { readonly code: string; readonly reason: string });

const POINT: Codec<PlacedPoint, ReadPoint> = {
  schema: {
    type: 'object',
    properties: { count: NEAREST.schema, times: NEAREST.schema, delta: {}, epsilon: {} },
    allOf: [{ anyOf: ALONG.map((along) => object({ [along]: NEAREST }).schema) }],
    anyOf: SOLVED.flatMap((solved) => [
      object({ [solved]: BRACKET, bound: ROW_ID }).schema,
      object({ [solved]: NULL, code: TEXT, reason: TEXT }).schema,
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
export const CURVE = document(
  'curve',
  'The smallest epsilons or deltas along a range of counts, deltas or epsilons, as curve --json prints them.',
  {
    input: INPUT,
    query: described(
      'What was asked, with all digits: along what the curve runs, and what is given beside it.',
      object({
        solveFor: choice(...SOLVED),
        delta: optional(GIVEN),
        epsilon: optional(GIVEN),
        along: choice(...ALONG),
        vary: optional(TEXT),
        values: list(GIVEN),
      }),
    ),
    lines: list(
      object({
        id: described('A bound, or the best of all.', choice<CurveLine['id']>(...BOUND_IDS, 'claim')),
        name: TEXT,
        reference: orNull(TEXT),
        points: list(POINT),
      }),
    ),
    warnings: list(WARNING),
  },
);

function theoremOf({ id }: CurveLine): { readonly name: string; readonly reference: string | null } {
  const bound = ALL_BOUNDS.find((each) => each.id === id);
  return bound ?? { name: 'the best of all bounds that apply', reference: null };
}

/** A curve as `dpcompose.curve/1`; `input` is the specification in normal form, without its target. */
export function curveJson({ question, lines, warnings }: CurveAnswer, input: ExactForm, version: string): string {
  const { along, values, solveFor, given } = question;
  return documentText(CURVE, {
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
  });
}
