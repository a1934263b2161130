import { Decimal } from '../../numeric/decimal.ts';

/** Quotients are made of squares and products of user input: products of two such are exact. */
const Wide = Decimal.clone({ precision: 12_000 });

/** a b, not rounded. */
export const exactProduct = (a: Decimal, b: Decimal): Decimal => new Wide(a).times(b);

/** A quotient of two decimals. */
export interface Quotient {
  readonly numerator: Decimal;
  readonly denominator: Decimal;
}

/** Below 0 where the first is smaller, above 0 where it is larger, 0 where they are equal. */
export const compareQuotients = (a: Quotient, b: Quotient): number =>
  exactProduct(a.numerator, b.denominator).cmp(exactProduct(b.numerator, a.denominator));
