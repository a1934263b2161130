import type { RiskMeasure } from '../../composition/risk-curve/risk-curve.ts';
import { ascending } from '../../numeric/ascending.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { InputError } from '../../document/core/specification.ts';
import { atLeastZero, readNumberOption } from '../kit/number-option.ts';
import type { CurveFlags, IsTyped } from './question.ts';

const conflict = (path: string, message: string, hint: string): InputError => ({
  code: 'conflicting-options',
  path,
  message,
  hint,
});

/** Several documents where there is one line for each bound. */
export const severalDocuments = (source: string): InputError =>
  conflict(
    source,
    'a curve of costs is of one document',
    'Add --of tradeoff or --of profile, which have a line for each.',
  );

/** False-positive rates where none are asked for. */
export const forTradeoff = (): InputError =>
  conflict('--fpr', '--fpr is where a trade-off function is asked for', 'Add --of tradeoff.');

const COST_ONLY = ['count', 'times', 'vary', 'delta'] as const;

/** Where the values of a measure are asked for; null where that is left out. What is wrong goes to `errors`. */
export function riskValues(
  of: RiskMeasure,
  { fpr, epsilon }: CurveFlags,
  isTyped: IsTyped,
  errors: InputError[],
): readonly Decimal[] | null {
  const [own, other, values] =
    of === 'tradeoff' ? (['fpr', 'epsilon', fpr] as const) : (['epsilon', 'fpr', epsilon] as const);
  for (const name of [...COST_ONLY, other].filter(isTyped)) {
    errors.push(conflict(`--${name}`, `--${name} does not go with --of ${of}`, `Leave it out; --${own} says where.`));
  }
  const negative = of === 'profile' ? values?.find((value) => value.lt(0)) : undefined;
  if (negative !== undefined) readNumberOption(negative.toString(), atLeastZero('--epsilon', '0:5:0.1'), errors);
  return values === undefined ? null : ascending(values);
}
