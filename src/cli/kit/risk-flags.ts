import type { RiskLimit } from '../../composition/risk/limits.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { numberOption, repeatedOption, type ValuesOf } from './option.ts';
import { budgeted, probability, properFraction, readNumberOption, type NumberRange } from './number-option.ts';
import { conflict } from './usage-error.ts';

const EXAMPLE = '0.05@0.01';

const RATE = budgeted(probability)('--max-tpr', EXAMPLE);
const AT: NumberRange = {
  ...properFraction('--max-tpr', EXAMPLE),
  rounds: 'up',
  allowed: 'a true-positive rate, @, and a false-positive rate above 0 and below 1',
};

function readRate(text: string, errors: InputError[]): readonly [Decimal, Decimal] | null {
  const [rate = '', at, ...more] = text.split('@');
  if (at === undefined || more.length > 0) {
    const message = `must be a true-positive rate, @, and a false-positive rate, got ${quote(text)}`;
    errors.push({ code: 'malformed-flag', path: '--max-tpr', message, hint: `For example: --max-tpr ${EXAMPLE}` });
    return null;
  }
  const [limit, of] = [readNumberOption(rate, RATE, errors), readNumberOption(at, AT, errors)];
  return limit === undefined || of === undefined ? null : [limit, of];
}

/** The options of limits on risks. */
export const RISK_LIMITS = {
  maxAdvantage: numberOption(
    '--max-advantage <A>',
    'largest membership advantage, 0 to 1',
    budgeted(probability),
    '0.2',
  ),
  maxTpr: repeatedOption('--max-tpr <RATE@FPR>', 'largest TPR at this FPR', readRate),
};

/** The limits that options say. */
export const limitsOf = ({ maxAdvantage, maxTpr }: ValuesOf<typeof RISK_LIMITS>): RiskLimit[] => [
  ...(maxAdvantage === undefined ? [] : [{ measure: 'advantage', most: maxAdvantage } as const]),
  ...maxTpr.map(([most, at]) => ({ measure: 'true-positive-rate', most, at }) as const),
];

/** The option that says a limit. */
export const pathOf = ({ measure }: RiskLimit): string => (measure === 'advantage' ? '--max-advantage' : '--max-tpr');

/** What is wrong with a limit of a risk in place of a budget: it stands alone, and may be kept by something. */
export function limitErrors(
  limit: RiskLimit,
  more: readonly RiskLimit[],
  ends: { readonly epsilon: Decimal | undefined; readonly delta: Decimal | undefined },
): InputError[] {
  const path = pathOf(limit);
  if (more.length > 0)
    return [conflict(path, 'only one limit can be solved for', 'Keep one, and look at the others with risk.')];
  if (ends.epsilon !== undefined || ends.delta !== undefined) {
    return [
      conflict(path, `${path} stands in place of a budget`, 'Leave out the epsilon and the delta, or keep only them.'),
    ];
  }
  if (limit.measure === 'advantage' || (limit.most.gt(limit.at) && limit.most.lt(1))) return [];
  const message = 'the true-positive rate must be above the false-positive rate, which guessing attains, and below 1';
  return [{ code: 'out-of-range', path, message, hint: `For example: --max-tpr ${EXAMPLE}` }];
}
