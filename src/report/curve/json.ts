import { ALL_BOUNDS } from '../../bounds/all.ts';
import type { CurveAnswer, CurveLine, CurvePoint } from '../../composition/curve/curve.ts';
import type { ExactForm } from '../../document/structure/normal-form.ts';
import { isMissing } from './statement.ts';
import { warningRow } from '../compose/json.ts';
import { jsonBracket, jsonDecimal, jsonDocument, jsonForm, jsonNumber, type Json } from '../kit/json-value.ts';
import { inapplicabilityMessage } from '../kit/inapplicability.ts';
import { refusalMessage } from '../refusal/messages.ts';

function pointJson(point: CurvePoint, solveFor: 'epsilon' | 'delta'): Readonly<Record<string, Json>> {
  if (!isMissing(point)) return { [solveFor]: jsonBracket(point.value), bound: point.bound };
  return 'reason' in point
    ? { [solveFor]: null, code: point.reason.code, reason: inapplicabilityMessage(point.reason) }
    : { [solveFor]: null, code: point.refusal.code, reason: refusalMessage(point.refusal) };
}

function theoremOf({ id }: CurveLine): { readonly name: string; readonly reference: string | null } {
  const bound = ALL_BOUNDS.find((each) => each.id === id);
  return bound ?? { name: 'the best of all bounds that apply', reference: null };
}

/** A curve as `dpcompose.curve/1`; `input` is the specification in normal form, without its target. */
export function curveJson({ question, lines, warnings }: CurveAnswer, input: ExactForm, version: string): string {
  const { along, values, solveFor, given } = question;
  const other = solveFor === 'epsilon' ? 'delta' : 'epsilon';
  return jsonDocument({
    schema: 'dpcompose.curve/1',
    version,
    input: jsonForm(input),
    query: {
      solveFor,
      ...(given === null ? {} : { [other]: jsonDecimal(given) }),
      along: along.name,
      ...(along.name === 'count' && along.entry.label !== null ? { vary: along.entry.label } : {}),
      values: values.map(jsonDecimal),
    },
    lines: lines.map((line) => {
      const { name, reference } = theoremOf(line);
      const points = line.points.map((point, at) => ({
        [along.name]: jsonNumber(values[at]!.toNumber()),
        ...pointJson(point, solveFor),
      }));
      return { id: line.id, name, reference, points };
    }),
    warnings: warnings.map(warningRow),
  });
}
