import { Decimal, decimalFromDouble, toLower, toUpper } from '../../numeric/decimal.ts';
import { asLower, asUpper, type Bracket } from '../../numeric/enclosure.ts';

const Down = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_FLOOR });
const Up = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_CEIL });

/** p t / (p t + (1 - p) a) for t in (0, 1], which increases with t. */
function valueAt(rate: Decimal, falsePositiveRate: Decimal, prior: Decimal, Rounded: typeof Decimal): Decimal {
  const right = prior.times(rate);
  const wrong = new Decimal(1).minus(prior).times(falsePositiveRate);
  return new Decimal(new Rounded(right).div(right.plus(wrong)));
}

/**
 * The probability that a test is right where it says yes: t p / (t p + (1 - p) a), with t its true-positive rate, a its
 * false-positive rate and p the prior probability.
 *
 * Source: Bayes' rule.
 *
 * @param rate - encloses the true-positive rate
 */
export const positivePredictiveValue = (rate: Bracket, falsePositiveRate: Decimal, prior: Decimal): Bracket => ({
  lower:
    rate.lower === null
      ? null
      : asLower(toLower(valueAt(decimalFromDouble(rate.lower), falsePositiveRate, prior, Down))),
  upper: asUpper(toUpper(valueAt(decimalFromDouble(rate.upper), falsePositiveRate, prior, Up))),
});
