import { Rational, encloseRational } from '../../numeric/rational.ts';
import { midpoint } from '../../numeric/enclosure.ts';
import type { Fraction } from '../mechanism.ts';

/** A rate and 1 less it, each with a relative error of one rounding. */
export interface RateInDoubles {
  readonly rate: number;
  readonly rest: number;
}

export const rationalOf = ({ numerator, denominator }: Fraction): Rational =>
  Rational.ofDecimal(numerator).over(Rational.ofDecimal(denominator));

export const ratesOf = (rate: Rational): RateInDoubles => ({
  rate: midpoint(encloseRational(rate)),
  rest: midpoint(encloseRational(Rational.ONE.minus(rate))),
});

/** The least rate above 0: powers of it, and products with moments, are doubles. */
const LEAST = Rational.of(1n, 10n ** 100n);

/** Whether a number is a rate of samples: from 0 to 1, and 0 or at least 1e-100. */
export const isRate = (value: Rational): boolean =>
  value.isZero() || (value.compare(LEAST) >= 0 && value.compare(Rational.ONE) <= 0);

/** ln of what is not drawn, to a few roundings of itself, also where nearly nothing is drawn. */
export const logOfRest = ({ rate, rest }: RateInDoubles): number => (rate < 0.5 ? Math.log1p(-rate) : Math.log(rest));
