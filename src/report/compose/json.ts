import type { Answer, BoundRow, DecimalValue, Refusal, Warning } from '../../composition/core/outcome.ts';
import type { Theorem } from '../../composition/theorems/theorem.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import type { Query } from '../../privacy/query.ts';
import type { ExactForm } from '../../document/structure/normal-form.ts';
import type { InputError } from '../../document/core/specification.ts';
import { floorJson } from '../refusal/plan-refusal.ts';
import { jsonBracket, jsonDocument, jsonForm, jsonNumber, type Json } from '../kit/json-value.ts';
import { inapplicabilityMessage } from '../kit/inapplicability.ts';
import { inOneParagraph, mendsJson } from '../kit/mend.ts';
import { refusalReference, refusalText, unavailableMessage, warningMessage } from '../refusal/messages.ts';
import { inTheWay, nearestOf } from '../refusal/no-bound.ts';
import { grouped } from '../kit/prose.ts';
import { UNKNOWN_DOCUMENT, type RefusedDocument } from '../refusal/refused-document.ts';

/** What was asked, as all documents have it. */
export function queryJson(asked: Query): Json {
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

/** What plans rest on. */
export const theoremJson = ({ id, number, name, reference }: Theorem): Json => ({ id, number, name, reference });

/** A member `plan`, where what is composed has structure. */
export function planTotals({ plan }: Answer): Readonly<Record<string, Json>> {
  if (plan === undefined) return {};
  const { flattened, grouped, theorems } = plan;
  const total = (value: Bracket | null): Json => (value === null ? null : jsonBracket(value));
  return {
    plan: { flattened: total(flattened), grouped: total(grouped), theorems: theorems.map(theoremJson) },
  };
}

/** A warning as all documents have it. */
export const warningRow = (warning: Warning): Json => ({ code: warning.code, message: warningMessage(warning) });

/** The claim, as all documents have it. */
export const answerJson = (answer: Answer): Json => ({
  epsilon: jsonBracket(answer.epsilon),
  delta: jsonBracket(answer.delta),
  bound: answer.bound,
  tight: answer.tight,
  ...decimal(answer.decimal, answer.query.solveFor),
});

/** The answer as `dpcompose.compose/1`; `input` is the specification in normal form. */
export function composeJson(answer: Answer, input: ExactForm, version: string): string {
  return jsonDocument({
    schema: 'dpcompose.compose/1',
    version,
    input: jsonForm(input),
    query: queryJson(answer.query),
    answer: answerJson(answer),
    bounds: answer.bounds.map((row) => boundRow(row, answer.query.solveFor)),
    ...planTotals(answer),
    warnings: answer.warnings.map(warningRow),
  });
}

/** The elements that keep the nearest bounds from applying. */
function elementsJson(rows: readonly BoundRow[], document: RefusedDocument): Json {
  const nearest = nearestOf(rows.filter((row) => !row.applies));
  const found = new Map(nearest.flatMap((row) => inTheWay(row, document)).map((held) => [held.path, held.node]));
  return [...found].map(([path, { label, mechanism }]) => ({
    path,
    ...(label === null ? {} : { label }),
    type: mechanism.type,
  }));
}

/** What a refusal of each kind says besides. */
function refusalDetails(refusal: Refusal, document: RefusedDocument): Readonly<Record<string, Json>> {
  switch (refusal.code) {
    case 'no-bound':
      return {
        elements: elementsJson(refusal.bounds, document),
        bounds: refusal.bounds.map((row) => boundRow(row, 'epsilon')),
        warnings: refusal.warnings.map(warningRow),
      };
    case 'not-offered':
      return { path: refusal.path, type: refusal.type };
    case 'not-expressible':
      return { path: refusal.path };
    case 'adaptive-parameters':
    case 'adaptive-parameters-in-parallel':
      return { path: 'adaptivity' };
    case 'unbounded-approximate':
    case 'unbounded-renyi':
    case 'unbounded-f-dp':
    case 'oblivious-guarantee':
    case 'answers-not-discrete':
    case 'too-many-mechanisms':
    case 'chosen-along-the-way': {
      const label = refusal.label === null ? {} : { label: refusal.label };
      return { path: refusal.path, ...label, ...('type' in refusal ? { type: refusal.type } : {}) };
    }
  }
}

/** A refusal, as all documents have it. */
export function refusalRow(
  refusal: Refusal,
  document: RefusedDocument = UNKNOWN_DOCUMENT,
): Readonly<Record<string, Json>> {
  const text = refusalText(refusal, document);
  return {
    code: refusal.code,
    message: inOneParagraph(text),
    reference: refusalReference(refusal),
    lowerBound: 'floor' in refusal ? floorJson(refusal.floor) : null,
    mends: mendsJson(text.mends),
    ...refusalDetails(refusal, document),
  };
}

/** A refusal as `dpcompose.refusal/1`. */
export const refusalJson = (refusal: Refusal, version: string, document?: RefusedDocument): string =>
  jsonDocument({ schema: 'dpcompose.refusal/1', version, ...refusalRow(refusal, document) });

/** A mistake of an input, as all documents have it; `source` is the file in which it stands, `-` for standard input. */
export const errorRow = (
  { code, path, message, hint, line, column }: InputError<string>,
  source: string | null = null,
): Json => ({
  code,
  ...(source === null || path.startsWith('-') ? {} : { file: source }),
  path,
  message,
  hint,
  ...(line === undefined ? {} : { line }),
  ...(column === undefined ? {} : { column }),
});

/** The first mistake with its place, and how many there are beside it. */
export function mistakesMessage(errors: readonly InputError<string>[], more: number): string {
  const [first] = errors;
  if (first === undefined) return '';
  const others = errors.length - 1 + more;
  return `${first.path}: ${first.message}${others === 0 ? '' : `; and ${grouped(others)} more`}`;
}

/** The mistakes of an input as `dpcompose.error/1`; `more` of them are left out, `file`: where their places are. */
export const errorJson = (
  errors: readonly InputError<string>[],
  { file, more }: { readonly file: string | null; readonly more: number },
  version: string,
): string =>
  jsonDocument({
    schema: 'dpcompose.error/1',
    version,
    message: mistakesMessage(errors, more),
    file,
    errors: errors.map((error) => errorRow(error, file)),
    more,
  });

/** A valid specification as `dpcompose.validate/1`; `input` is its normal form. */
export function validateJson(input: ExactForm, warnings: readonly Warning[], version: string): string {
  return jsonDocument({
    schema: 'dpcompose.validate/1',
    version,
    valid: true,
    input: jsonForm(input),
    warnings: warnings.map(warningRow),
  });
}
