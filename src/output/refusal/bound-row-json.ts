import { BOUND_IDS, type RowId } from '../../bounds/core/bound.ts';
import type { BoundRow, DecimalValue, Warning } from '../../composition/core/outcome.ts';
import type { Query } from '../../privacy/curve.ts';
import { choice, described, from, is, object, oneOf, optional, plain, type ValueOf } from '../kit/codec.ts';
import { BRACKET, NOTICE, TEXT } from '../kit/codecs.ts';
import { inapplicabilityMessage } from '../kit/inapplicability.ts';
import { unavailableMessage, warningMessage } from './warnings.ts';

/** Every bound, and the total of a plan whose parts are priced one by one. */
export const ROW_ID = choice<RowId>(...BOUND_IDS, 'grouped');

const DIGITS = plain<string>({ type: 'string', pattern: '^(Infinity|\\d+(\\.\\d+)?(e[+-]\\d+)?)$' });

/** A second opinion in decimal arithmetic; only with --precision. */
export const DECIMAL = described(
  'What was asked, to the digits of --precision and rounded up, or why that is not available.',
  oneOf(object({ epsilon: DIGITS }), object({ delta: DIGITS }), object({ code: TEXT, reason: TEXT })),
);

/** What was asked, as a decimal from which its upper end was rounded up. */
export const EXACT = described('The decimal from which what was asked is rounded up, if it is known.', TEXT);

/** A second opinion, where there is one, on what was asked. */
export function decimalOf(
  value: DecimalValue | undefined,
  solveFor: Query['solveFor'],
): ValueOf<typeof DECIMAL> | undefined {
  if (value === undefined) return undefined;
  if ('unavailable' in value) return { code: value.unavailable, reason: unavailableMessage(value.unavailable) };
  return solveFor === 'epsilon' ? { epsilon: value.digits } : { delta: value.digits };
}

const theorem = { id: ROW_ID, name: TEXT, reference: TEXT };

/** One theorem: what it gives, or why it does not apply. */
export const BOUND_ROW = oneOf(
  object({
    ...theorem,
    applies: is(true),
    epsilon: BRACKET,
    delta: BRACKET,
    exact: optional(EXACT),
    decimal: optional(DECIMAL),
  }),
  object({ ...theorem, applies: is(false), code: TEXT, reason: TEXT }),
);

/** The row of a bound in the answer to a query. */
export const boundRow = (row: BoundRow, solveFor: Query['solveFor']): ValueOf<typeof BOUND_ROW> =>
  row.applies
    ? { ...row, exact: row[solveFor].exact, decimal: decimalOf(row.decimal, solveFor) }
    : { ...row, code: row.reason.code, reason: inapplicabilityMessage(row.reason) };

/** A warning. */
export const WARNING = from(NOTICE, (warning: Warning) => ({ code: warning.code, message: warningMessage(warning) }));
