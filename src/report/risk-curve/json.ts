import { BOUND_IDS } from '../../bounds/core/bound.ts';
import type { Ends, RiskCurve, RiskMeasure } from '../../composition/risk-curve/risk-curve.ts';
import type { ExactForm } from '../../document/structure/normal-form.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { anyOf, choice, described, document, documentText, list, object, optional, orNull } from '../kit/codec.ts';
import { FINITE, GIVEN, INPUT, TEXT } from '../kit/codecs.ts';
import { inapplicabilityMessage } from '../kit/inapplicability.ts';
import { WARNING } from '../refusal/bound-row-json.ts';
import { isDrawn } from './statement.ts';

/** Both ends are certain, null where none is known. */
const ENDS = object({ lower: orNull(FINITE), upper: orNull(FINITE) });

const POINT = anyOf(
  object({ alpha: GIVEN, beta: described('The lower end is the claim.', ENDS) }),
  object({ epsilon: GIVEN, delta: described('The upper end is the claim.', ENDS) }),
);

const LINE = object({
  name: TEXT,
  bound: described('Which bound it is of; null for what is claimed.', orNull(choice(...BOUND_IDS))),
  points: list(POINT),
  code: optional(described('Why the bound has no points.', TEXT)),
  reason: optional(TEXT),
});

/** A named specification. */
export const NAMED_INPUT = object({ name: TEXT, input: INPUT });

/** Trade-off functions or privacy profiles. */
export const RISK_CURVE = document(
  'risk-curve',
  'Trade-off functions (smallest false-negative rates beta over false-positive rates alpha) or privacy profiles (deltas over epsilons), as curve --of tradeoff and --of profile print them with --json.',
  {
    of: choice<RiskMeasure>('tradeoff', 'profile'),
    inputs: list(NAMED_INPUT),
    lines: list(LINE),
    warnings: list(WARNING),
  },
);

const pointOf = (of: RiskMeasure, at: Decimal, ends: Ends) =>
  of === 'tradeoff' ? { alpha: at, beta: ends } : { epsilon: at, delta: ends };

/** A curve as `dpcompose.risk-curve/1`; `inputs` are the specifications in normal form, without their targets. */
export function riskCurveJson(
  { of, values, lines, warnings }: RiskCurve,
  inputs: readonly { readonly name: string; readonly input: ExactForm }[],
  version: string,
): string {
  return documentText(RISK_CURVE, {
    version,
    of,
    inputs,
    lines: lines.map((line) => {
      const { name, bound } = line;
      if (isDrawn(line)) return { name, bound, points: line.points.map((ends, at) => pointOf(of, values[at]!, ends)) };
      return { name, bound, points: [], code: line.reason.code, reason: inapplicabilityMessage(line.reason) };
    }),
    warnings,
  });
}
