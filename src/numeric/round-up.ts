import { Decimal } from './decimal.ts';

/** Decimals whose sums and products are exact up to 2,500 digits and rounded away from 0 beyond. */
export const RoundUp = Decimal.clone({ precision: 2500, rounding: 0 });

/** Decimals whose sums, differences and products are exact up to 2,500 digits and rounded towards 0 beyond. */
export const RoundDown = Decimal.clone({ precision: 2500, rounding: 1 });

/** a b of two decimals of at least 0, rounded up beyond 2,500 digits. */
export const productUp = (a: Decimal, b: Decimal): Decimal => new Decimal(new RoundUp(a).times(b));

/** a b of two decimals of at least 0, rounded down beyond 2,500 digits. */
export const productDown = (a: Decimal, b: Decimal): Decimal => new Decimal(new RoundDown(a).times(b));
