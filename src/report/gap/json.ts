import { givenName, type GapAnswer, type GapRow } from '../../composition/gap/gap.ts';
import { warningRow } from '../compose/json.ts';
import { jsonBracket, jsonDecimal, jsonDocument, jsonNumber, type Json } from '../kit/json-value.ts';
import { inapplicabilityMessage } from '../kit/inapplicability.ts';

function result({ gap }: GapRow): Readonly<Record<string, Json>> {
  if ('reason' in gap) {
    const { reason } = gap;
    return { adaptive: null, ratio: null, difference: null, code: reason.code, reason: inapplicabilityMessage(reason) };
  }
  const { adaptive, ratio, difference } = gap;
  return {
    adaptive: jsonBracket(adaptive),
    ratio: ratio === null ? null : jsonBracket(ratio),
    difference: jsonBracket(difference),
  };
}

/** Both optima of every composition and the gap between them as `dpcompose.gap/1`. */
export function gapJson({ question, rows, largest, warnings }: GapAnswer, version: string): string {
  return jsonDocument({
    schema: 'dpcompose.gap/1',
    version,
    input: {
      each: question.each.map(jsonDecimal),
      count: question.count,
      [givenName(question)]: question.given.map(jsonDecimal),
    },
    solveFor: question.solveFor,
    rows: rows.map((row) => ({
      each: jsonNumber(row.each.toNumber()),
      count: row.count,
      [givenName(question)]: jsonNumber(row.given.toNumber()),
      nonadaptive: jsonBracket(row.nonadaptive),
      ...result(row),
    })),
    largest: largest === null ? null : { ratio: jsonBracket(largest.ratio), row: rows.indexOf(largest.row) },
    warnings: warnings.map(warningRow),
  });
}
