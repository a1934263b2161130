import type { Decimal } from '../../numeric/decimal.ts';

/** A quotient of two decimals. */
export interface Quotient {
  readonly numerator: Decimal;
  readonly denominator: Decimal;
}

/** Below 0 where the first is smaller, above 0 where it is larger, 0 where they are equal. */
export const compareQuotients = (a: Quotient, b: Quotient): number =>
  a.numerator.times(b.denominator).cmp(b.numerator.times(a.denominator));
