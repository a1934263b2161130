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
