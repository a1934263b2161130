import type { RiskLimit } from '../../composition/check/limits.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { budgeted, probability, readNumberOption, type NumberRange } from '../kit/number-option.ts';

/** The options of risks, as typed. */
export interface RiskFlags {
  readonly maxAdvantage?: string;
  readonly maxTpr?: readonly string[];
}

const EXAMPLE = '0.05@0.01';

const ADVANTAGE = budgeted(probability('--max-advantage', '0.2'));
const RATE = budgeted(probability('--max-tpr', EXAMPLE));
const AT: NumberRange = {
  flag: '--max-tpr',
  rounds: 'up',
  allowed: 'a true-positive rate, @, and a false-positive rate above 0 and below 1',
  example: EXAMPLE,
  contains: (value) => value.gt(0) && value.lt(1),
};

function readRate(text: string, errors: InputError[]): readonly [Decimal, Decimal] | null {
  const [rate = '', at, ...more] = text.split('@');
  if (at === undefined || more.length > 0) {
    const message = `must be a true-positive rate, @, and a false-positive rate, got ${quote(text)}`;
    errors.push({ code: 'malformed-flag', path: '--max-tpr', message, hint: `For example: --max-tpr ${EXAMPLE}` });
    return null;
  }
  const [most, of] = [readNumberOption(rate, RATE, errors), readNumberOption(at, AT, errors)];
  return most === undefined || of === undefined ? null : [most, of];
}

/** The limits on risks that options say; mistakes go to `errors`. */
export function readRiskFlags({ maxAdvantage, maxTpr = [] }: RiskFlags, errors: InputError[]): RiskLimit[] {
  const advantage = readNumberOption(maxAdvantage, ADVANTAGE, errors);
  const rates = maxTpr.flatMap((text): RiskLimit[] => {
    const read = readRate(text, errors);
    return read === null ? [] : [{ measure: 'true-positive-rate', most: read[0], at: read[1] }];
  });
  return advantage === undefined ? rates : [{ measure: 'advantage', most: advantage }, ...rates];
}
