import type { Answer, Warning } from '../../composition/core/outcome.ts';
import type { ExactForm } from '../../document/structure/normal-form.ts';
import { document, documentText, is, list, optional } from '../kit/codec.ts';
import { INPUT, QUERY } from '../kit/codecs.ts';
import { BOUND_ROW, boundRow, WARNING } from '../refusal/bound-row-json.ts';
import { ANSWER, PLAN_TOTALS } from './answer-json.ts';

/** The answer of `compose`. */
export const COMPOSE = document('compose', 'The certified cost of a composition, as compose --json prints it.', {
  input: INPUT,
  query: QUERY,
  answer: ANSWER,
  bounds: list(BOUND_ROW),
  plan: optional(PLAN_TOTALS),
  warnings: list(WARNING),
});

/** The answer as `dpcompose.compose/1`; `input` is the specification in normal form. */
export const composeJson = (answer: Answer, input: ExactForm, version: string): string =>
  documentText(COMPOSE, {
    ...answer,
    version,
    input,
    answer,
    bounds: answer.bounds.map((row) => boundRow(row, answer.query.solveFor)),
  });

/** A specification that is valid. */
export const VALIDATE = document('validate', 'A valid specification in normal form, as validate --json prints it.', {
  valid: is(true),
  input: INPUT,
  warnings: list(WARNING),
});

/** A valid specification as `dpcompose.validate/1`; `input` is its normal form. */
export const validateJson = (input: ExactForm, warnings: readonly Warning[], version: string): string =>
  documentText(VALIDATE, { version, valid: true, input, warnings });
