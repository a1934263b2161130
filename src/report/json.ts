import type { Answer, BoundRow, DecimalValue, Refusal, Warning } from '../composition/outcome.ts';
import type { Query } from '../privacy/query.ts';
import type { NormalForm } from '../spec/normal-form.ts';
import type { InputError } from '../spec/specification.ts';
import { jsonBracket, jsonDocument, jsonNumber, type Json } from './json-value.ts';
import {
  inapplicabilityMessage,
  refusalMessage,
  refusalReference,
  unavailableMessage,
  warningMessage,
} from './messages.ts';

function query(asked: Query): Json {
  return asked.solveFor === 'epsilon'
    ? { solveFor: 'epsilon', delta: jsonNumber(asked.delta.toNumber()) }
    : { solveFor: 'delta', epsilon: jsonNumber(asked.epsilon.toNumber()) };
}

/** A member `decimal`, where there is a second opinion. */
function decimal(value: DecimalValue | undefined, solveFor: Query['solveFor']): Readonly<Record<string, Json>> {
  if (value === undefined) return {};
  if ('digits' in value) return { decimal: { [solveFor]: value.digits } };
  return { decimal: { code: value.unavailable, reason: unavailableMessage(value.unavailable) } };
}

function boundRow(row: BoundRow, solveFor: Query['solveFor']): Json {
  const { id, name, reference } = row;
  return row.applies
    ? {
        id,
        name,
        reference,
        applies: true,
        epsilon: jsonBracket(row.epsilon),
        delta: jsonBracket(row.delta),
        ...decimal(row.decimal, solveFor),
      }
    : { id, name, reference, applies: false, code: row.reason.code, reason: inapplicabilityMessage(row.reason) };
}

/** A warning as all documents have it. */
export const warningRow = (warning: Warning): Json => ({ code: warning.code, message: warningMessage(warning) });

/** The answer as `dpcompose.compose/1`; `input` is the specification in normal form. */
export function composeJson(answer: Answer, input: NormalForm, version: string): string {
  return jsonDocument({
    schema: 'dpcompose.compose/1',
    version,
    input,
    query: query(answer.query),
    answer: {
      epsilon: jsonBracket(answer.epsilon),
      delta: jsonBracket(answer.delta),
      bound: answer.bound,
      tight: answer.tight,
      ...decimal(answer.decimal, answer.query.solveFor),
    },
    bounds: answer.bounds.map((row) => boundRow(row, answer.query.solveFor)),
    warnings: answer.warnings.map(warningRow),
  });
}

/** A refusal as `dpcompose.refusal/1`. */
export function refusalJson(refusal: Refusal): string {
  const more: Readonly<Record<string, Json>> =
    refusal.code === 'no-bound'
      ? { bounds: refusal.bounds.map((row) => boundRow(row, 'epsilon')), warnings: refusal.warnings.map(warningRow) }
      : refusal.code === 'not-offered'
        ? { path: refusal.path, type: refusal.type }
        : {};
  return jsonDocument({
    schema: 'dpcompose.refusal/1',
    code: refusal.code,
    message: refusalMessage(refusal),
    reference: refusalReference(refusal),
    lowerBound: null,
    ...more,
  });
}

/** The mistakes of an input as `dpcompose.error/1`; `more` of them are left out. */
export function errorJson(errors: readonly InputError[], more: number): string {
  return jsonDocument({
    schema: 'dpcompose.error/1',
    errors: errors.map(({ code, path, message, hint, line, column }) => ({
      code,
      path,
      message,
      hint,
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    })),
    more,
  });
}

/** A valid specification as `dpcompose.validate/1`; `input` is its normal form. */
export function validateJson(input: NormalForm, version: string): string {
  return jsonDocument({ schema: 'dpcompose.validate/1', version, valid: true, input });
}
